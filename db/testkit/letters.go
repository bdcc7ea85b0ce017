package testkit

import (
	"slices"
	"testing"

	"lunchgo/app/door"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/mail"
	"lunchgo/app/reserve"
	"lunchgo/app/token"
	"lunchgo/db/dbtest"
	"lunchgo/db/letters"
)

// Composer writes the letters of the harness's database.
func (h *Harness) Composer() mail.Composer {
	secrets := token.Secrets{"secret"}
	return mail.Composer{Catalog: h.Catalog, Offers: reserve.NewOfferLinks(secrets),
		Payments: reserve.NewPaymentLinks(secrets), Coming: reserve.NewComingLinks(secrets),
		Links: identity.NewLinkSigner(secrets), Doors: door.NewLinks(secrets)}
}

// Letters are the kinds of the letters to a person, the oldest first.
func (h *Harness) Letters(t testing.TB, userID string) (kinds []mail.Kind) {
	t.Helper()
	notes, err := letters.NewMailStore(h.Pool).ListMails(t.Context(), userID, keyset.Request{})
	dbtest.Must(t, err)
	for _, n := range slices.Backward(notes.Items) {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}
