package accounts_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/db/dbtest"
	"lunchgo/db/letters"
	"lunchgo/db/team"
)

// A provisional account has an address that nobody has shown to be its own: what belongs to the address is not read,
// taken or deleted by it.
func TestIntroduce_TouchesNothingOfItsAddress(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ctx, address := t.Context(), "haru@example.org"
	_, _, owner, _ := h.Crew(t)
	haru := h.SignUp(t, address)
	i := h.MustInvite(t, owner, address, identity.RoleManager)
	stranger := identity.User{ID: "STRANGER", Email: address, Name: "S", Phone: "010-1234-5678", Provisional: true}
	for range 2 { // a form may be sent again
		dbtest.Must(t, h.Users.Introduce(ctx, stranger))
	}
	_, err := team.NewStore(h.Pool).AcceptInvitation(ctx, i.ID, stranger.ID)
	if !errors.Is(err, identity.ErrInvalidSession) {
		t.Errorf("the invitation of the address is accepted: %v", err)
	}
	mails, err := letters.NewMailStore(h.Pool).ListMails(ctx, stranger.ID, keyset.Request{})
	if err != nil || len(mails.Items) != 0 {
		t.Errorf("letters: %+v, %v", mails.Items, err) // the address got one a moment ago
	}
	var export bytes.Buffer
	if err := h.Users.Export(ctx, stranger.ID, &export); err != nil || strings.Contains(export.String(), `"manager"`) {
		t.Errorf("the export tells of the address: %v\n%s", err, export.String())
	}
	dbtest.Must(t, h.DeleteAccount(t, stranger.ID))
	if u := h.UserAt(t, address); u.ID != haru.ID {
		t.Errorf("the address leads to %s", u.ID)
	}
	h.letter(t, "confirm", address)
	if _, err := team.NewStore(h.Pool).AcceptInvitation(ctx, i.ID, haru.ID); err != nil {
		t.Errorf("the owner cannot accept any more: %v", err)
	}
}
