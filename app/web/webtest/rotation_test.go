package webtest

import (
	"encoding/json"
	"slices"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/app/receipt"
	"lunchgo/app/team"
	"lunchgo/app/token"
	"lunchgo/db/dbtest"
)

// withSecrets is a second server of the same installation after a change of its secrets.
func (r *harness) withSecrets(t *testing.T, secrets ...string) *harness {
	t.Helper()
	setup := r.Setup
	setup.Config.Secrets = secrets
	second := &harness{restaurant: r.restaurant, menu: r.menu}
	second.serve(t, setup)
	return second
}

// Whatever was signed before a change of the secret is good at a server that has the old one too, and at no other. What
// that server signs needs the new one alone.
func TestSecrets_OldOneVerifiesNewOneSigns(t *testing.T) {
	t.Parallel()
	before := newHarnessWith(t, programtest.Setup{Config: program.Config{Secrets: token.Secrets{"old"}}})
	during, after := before.withSecrets(t, "new", "old"), before.withSecrets(t, "new")
	for name, good := range before.signedThings(t) {
		if !good(before) || !good(during) {
			t.Errorf("%s of before: good there %t, good with both secrets %t", name, good(before), good(during))
		}
		if good(after) {
			t.Errorf("%s of before is good without the old secret", name)
		}
	}
	for name, good := range during.signedThings(t) {
		if !good(during) || !good(after) || good(before) {
			t.Errorf("%s of a server with both: good there %t, with the new secret %t, with the old %t", name,
				good(during), good(after), good(before))
		}
	}
}

// signedThings has the server sign one of each kind of what it signs. Each function says whether it is good at a server.
func (r *harness) signedThings(t *testing.T) map[string]func(at *harness) bool {
	t.Helper()
	who, owner := r.diner(t, 0), r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	at := func(h *harness, p person) person {
		p.token, _ = h.Identity.Sessions.Issue(p.id)
		return p
	}
	slot := r.slot("19:00")
	release := r.rival(t, slot)
	ticket := r.press(t, who, "key-1", "respond-async", r.requestFor(slot, 2)).want(t, 202, "").text(t, "ticket")
	var given receipt.Receipt
	dbtest.Must(t, json.Unmarshal(r.get(t, who, "/api/tickets/"+ticket+"/receipt").want(t, 200, "").raw, &given))
	release()
	invited := r.post(t, owner, r.teamPath("invitations"), "",
		map[string]any{"email": who.id + "@new.example", "role": "host"}).want(t, 201, "").text(t, "id")
	secrets := r.Setup.Config.Secrets
	invitation := team.NewInvitationSigner(secrets).Sign(invited)
	link, offer := r.Identity.Signer.Sign("link"), r.Offers.Sign("entry")
	return map[string]func(*harness) bool{
		"a session": func(h *harness) bool { return h.get(t, who, "/api/wallet").status == 200 },
		"a ticket":  func(h *harness) bool { return h.get(t, at(h, who), "/api/tickets/"+ticket).status == 200 },
		"an invitation": func(h *harness) bool {
			_, err := h.Team.FindInvitation(t.Context(), invitation)
			return err == nil
		},
		"a link by mail": func(h *harness) bool {
			_, err := h.Identity.Signer.Read(link)
			return err == nil
		},
		"the link of an offer": func(h *harness) bool {
			_, err := h.Offers.Read(offer)
			return err == nil
		},
		"a receipt": func(h *harness) bool { return slices.ContainsFunc(h.Room.PublicKeys(), given.SignedBy) },
	}
}
