package guests_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/guests"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/db/dbtest"
	"lunchgo/db/evening"
	dbguests "lunchgo/db/guests"
	"lunchgo/db/testkit"
)

// Notes and tags need the consent of an account; withdrawing it deletes them, and the log never had their words. A
// guest without an account is asked by staff.
func TestNotes_NeedConsent(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	store, host := dbguests.NewStore(h.Pool), h.Host(t)
	user, _, about := h.Regular(t, host)
	if _, err := store.AddNote(t.Context(), about, "likes tea"); !errors.Is(err, guests.ErrNoConsent) {
		t.Errorf("a note without consent: %v", err)
	}
	if err := store.SetTags(t.Context(), about, []string{"vip"}); !errors.Is(err, guests.ErrNoConsent) {
		t.Errorf("a tag without consent: %v", err)
	}
	h.Consent(t, user, true)
	for range 2 {
		if _, err := store.AddNote(t.Context(), about, "likes tea"); err != nil {
			t.Fatal(err)
		}
	}
	dbtest.Must(t, store.SetTags(t.Context(), about, []string{"vip", "likes tea"}))
	var copied bytes.Buffer
	if err := h.Users.Export(t.Context(), user, &copied); err != nil ||
		strings.Count(copied.String(), "likes tea") != 3 || strings.Contains(copied.String(), host) {
		t.Errorf("the copy: %v, %s", err, copied.String())
	}
	if p, err := store.FindGuest(t.Context(), about.RestaurantID, about.Guest, keyset.Request{}); err != nil ||
		len(p.Notes) != 2 ||
		p.Notes[0].ID < p.Notes[1].ID || p.Notes[0].By != host || len(p.Tags) != 2 || !p.Consents {
		t.Errorf("the profile: %+v, %v", p, err)
	}
	parties, err := evening.NewStore(h.Pool).ListParties(t.Context(), h.Restaurant.ID, h.Slot("18:00").Date)
	if err != nil || len(parties) != 1 ||
		parties[0].Known.Guest != about.Guest || parties[0].Known.Note != "likes tea" || parties[0].Known.Notes != 2 ||
		len(parties[0].Tags) != 2 {
		t.Errorf("the evening: %+v, %v", parties, err)
	}
	h.Consent(t, user, false)
	if n := h.Occurrences(t, "likes tea"); n != 0 {
		t.Errorf("%d are left after the consent is withdrawn", n)
	}
	if err := store.SetTags(t.Context(), about, nil); err != nil {
		t.Errorf("no tags need no consent: %v", err)
	}
	h.Reserve(t, h.Guest(host, h.Slot("18:00")))
	byPhone := about
	for _, g := range h.KnownGuests(t) {
		if !g.HasAccount {
			byPhone.Guest = g.ID
		}
	}
	if _, err := store.AddNote(t.Context(), byPhone, "deaf in one ear"); err != nil {
		t.Errorf("a note about a caller: %v", err)
	}
	byPhone.RestaurantID++
	if _, err := store.AddNote(t.Context(), byPhone, "x"); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("a note of another restaurant's staff: %v", err)
	}
}

// A note is never changed, and it goes only by the ways that there are for it: each is refused while its reason is
// missing.
func TestNotes_AreAppendOnly(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	store, host := dbguests.NewStore(h.Pool), h.Host(t)
	user, reservation, about := h.Regular(t, host)
	h.Consent(t, user, true)
	h.MustExec(t, `UPDATE reservations SET state = 'completed' WHERE id = $1`, reservation)
	note, err := store.AddNote(t.Context(), about, "likes tea")
	dbtest.Must(t, err)
	refused := func() {
		t.Helper()
		for _, query := range []string{`UPDATE guest_notes SET text = 'x'`, `DELETE FROM guest_notes`,
			`TRUNCATE guest_notes`} {
			if err := h.Exec(t.Context(), query); err == nil {
				t.Errorf("%s was done", query)
			}
		}
	}
	refused()
	forget := func(want int) {
		t.Helper()
		if n, err := store.Forget(t.Context(), 10); err != nil || n != want {
			t.Errorf("%d forgotten, want %d; %v", n, want, err)
		}
	}
	forget(0)
	written := func(at string) {
		t.Helper()
		h.MustExec(t, `ALTER TABLE guest_notes DISABLE TRIGGER guest_notes_append_only`)
		h.MustExec(t, `UPDATE guest_notes SET created_at = now() - $1::interval`, at)
		h.MustExec(t, `ALTER TABLE guest_notes ENABLE TRIGGER guest_notes_append_only`)
	}
	written("800 days") // but the guest comes in 2040
	forget(0)
	refused()
	h.MustExec(t, `UPDATE slots SET service_date = current_date - 729`)
	h.MustExec(t, `UPDATE reservations SET state = 'confirmed'`)
	h.MustExec(t, `UPDATE reservations SET state = 'completed'`)
	dbtest.Must(t, store.SetTags(t.Context(), about, []string{"vip"}))
	forget(0)
	refused()
	h.MustExec(t,
		`UPDATE guests SET last_visit = now() - interval '732 days', tags_set_at = now() - interval '732 days'`)
	forget(2)
	if note, err = store.AddNote(t.Context(), about, "likes coffee"); err != nil {
		t.Fatal(err)
	}
	forget(0) // though the visit is long ago, the note is of today
	if err := store.DeleteNote(t.Context(), guests.About{RestaurantID: about.RestaurantID + 1, Guest: about.Guest,
		By: host}, note.ID); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("by another restaurant: %v", err)
	}
	if err := store.DeleteNote(t.Context(), about, note.ID); err != nil {
		t.Errorf("with an entry of the log: %v", err)
	}
	if n := h.Count(t, `SELECT count(*) FROM guest_notes`); n != 0 || h.Occurrences(t, "coffee") != 0 {
		t.Errorf("%d notes are left, or the log has their words", n)
	}
}

// A note is written while its diner withdraws the consent: no note is left. Without the lock one is.
func TestNotes_RaceWithdrawal(t *testing.T) {
	t.Parallel()
	for name, guarded := range map[string]bool{"guarded": true, "control": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := testkit.Setup(t)
			user, _, about := h.Regular(t, h.Host(t))
			h.Consent(t, user, true)
			withdrawn := make(chan error, 1)
			h.Weaken(dbguests.InsertNote, func(query string) string {
				go func() {
					no := false
					withdrawn <- h.Users.UpdateProfile(t.Context(), user, identity.Profile{HistoryConsent: &no})
				}()
				dbtest.AwaitLockOr(t, h.SQL(), func() bool { return len(withdrawn) > 0 })
				return query
			})
			if !guarded {
				h.Weaken(dbguests.LockConsent, dbtest.Replacing("FOR SHARE", ""))
			}
			_, err := dbguests.NewStore(h.Pool).AddNote(t.Context(), about, "likes tea")
			dbtest.Must(t, errors.Join(err, <-withdrawn))
			if n, want := h.Occurrences(t, "likes tea"), map[bool]int{true: 0, false: 1}[guarded]; n != want {
				t.Errorf("%d notes are left, want %d", n, want)
			}
		})
	}
}

// The list of guests follows bookings, marks, names and accounts, as if it were read from the bookings each time.
// Without consent it says what came of the bookings, and words and money only of those to come.
func TestGuests_FollowBookings(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	host := h.Host(t)
	user, reservation, _ := h.Regular(t, host)
	hold := h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("19:00"))) // never confirmed
	h.MustExec(t, `UPDATE reservations SET state = 'expired' WHERE id = $1`, hold)
	if all := h.KnownGuests(t); len(all) != 1 || !all[0].LastVisit.IsZero() || all[0].Visits != 0 ||
		len(all[0].Allergies) != 1 {
		t.Fatalf("with a booking to come: %+v", all)
	}
	h.Mark(t, reservation, booking.Arrived, booking.Seated)
	if all := h.KnownGuests(t); all[0].LastVisit.IsZero() || all[0].Visits != 1 {
		t.Errorf("after a visit: %+v", all)
	}
	h.MustExec(t, `UPDATE slots SET service_date = '2020-05-07'`)
	h.MustExec(t, `UPDATE reservations SET state = 'completed', paid_amount = 20000 WHERE id = $1`, reservation)
	if all := h.KnownGuests(t); len(all[0].Allergies) != 0 || all[0].Spent != 0 || all[0].Visits != 1 ||
		all[0].Consents {
		t.Errorf("of the past, without consent: %+v", all[0])
	}
	name := "Ann"
	yes := true
	dbtest.Must(t, h.Users.UpdateProfile(t.Context(), user,
		identity.Profile{Name: &name, HistoryConsent: &yes}))
	if all := h.KnownGuests(t); len(all[0].Allergies) != 1 || all[0].Spent != 20_000 || all[0].Name != name ||
		!all[0].Consents {
		t.Errorf("with consent, under another name: %+v", all[0])
	}
	h.MustExec(t, `UPDATE reservations SET state = 'no_show' WHERE id = $1`, reservation)
	if all := h.KnownGuests(t); !all[0].LastVisit.IsZero() || all[0].Visits != 0 || all[0].NoShows != 1 {
		t.Errorf("marked otherwise: %+v", all[0])
	}
	called := h.Guest(host, h.Slot("20:00"))
	h.Reserve(t, called)
	again := h.Guest(host, h.Slot("20:30"))
	again.Guest.Name, again.Guest.Phone = "하늘", "+82 10 1234 5678"
	h.Reserve(t, again)
	if all := h.KnownGuests(t); len(all) != 2 || all[0].Name != "하늘" || all[0].HasAccount {
		t.Errorf("a caller who came twice: %+v", all)
	}
	dbtest.Must(t, h.DeleteAccount(t, user))
	h.MustExec(t, `UPDATE reservations SET state = 'completed' WHERE id = $1`, reservation)
	if all := h.KnownGuests(t); len(all) != 1 || all[0].HasAccount {
		t.Errorf("after the account is deleted: %+v", all)
	}
}
