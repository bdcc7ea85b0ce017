package testkit

import (
	"testing"

	"lunchgo/app/guests"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/db/dbtest"
	dbguests "lunchgo/db/guests"
)

// KnownGuests returns the guests of the harness's restaurant, the latest visitor first.
func (h *Harness) KnownGuests(t testing.TB) []guests.Guest {
	t.Helper()
	found, err := dbguests.NewStore(h.Pool).ListGuests(t.Context(), h.Restaurant.ID, guests.Search{}, keyset.Request{})
	dbtest.Must(t, err)
	return found.Items
}

// Regular is a diner with a booking, which is confirmed, and the guest that they are at the restaurant.
func (h *Harness) Regular(t testing.TB, host string) (user, reservation string, about guests.About) {
	t.Helper()
	user = h.Diners(t, 1, 0)[0]
	reservation = h.Reserve(t, h.Request(user, h.Slot("18:00")))
	h.MustExec(t,
		`UPDATE reservations SET state = 'confirmed', note = 'by the window', allergies = 'peanuts' WHERE id = $1`,
		reservation)
	var guest string
	dbtest.Must(t, h.SQL().GetContext(t.Context(), &guest, `SELECT id FROM guests WHERE user_id = $1`, user))
	return user, reservation, guests.About{RestaurantID: h.Restaurant.ID, Guest: guest, By: host}
}

// Consent decides for somebody whether restaurants may keep notes and tags.
func (h *Harness) Consent(t testing.TB, user string, yes bool) {
	t.Helper()
	dbtest.Must(t, h.Users.UpdateProfile(t.Context(), user, identity.Profile{HistoryConsent: &yes}))
}

// Occurrences is how many notes, tags and entries of the log have a text.
func (h *Harness) Occurrences(t testing.TB, text string) int {
	t.Helper()
	return h.Count(t, `
		SELECT (SELECT count(*) FROM guest_notes WHERE text LIKE '%' || $1 || '%')
			+ (SELECT count(*) FROM guests WHERE tags::text LIKE '%' || $1 || '%')
			+ (SELECT count(*) FROM audit_log WHERE detail::text LIKE '%' || $1 || '%')`, text)
}
