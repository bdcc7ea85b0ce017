package db_test

import (
	"errors"
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/guests"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// correct corrects a reservation's details.
func (h *harness) correct(t testing.TB, id string, d booking.Details) booking.Reservation {
	t.Helper()
	after, err := h.Reservations.ChangeDetails(t.Context(), id, h.Host(t), d)
	dbtest.Must(t, err)
	return after
}

// A mistyped number is nobody's once it is corrected; the guest of the right one has name, visit and tags. The log has
// no words.
func TestChangeDetails_GuestsFollow(t *testing.T) {
	t.Parallel()
	h := setup(t)
	host, text := h.Host(t), func(s string) *string { return &s }
	id := h.Reserve(t, h.Guest(host, h.Slot("18:00")))
	after := h.correct(t, id, booking.Details{Name: text("강서희"), Phone: text("010-7777-8888"),
		Note: text("at the window"), Tags: []string{"regular"}})
	stored, err := h.Reservations.FindGuest(t.Context(), id)
	if err != nil || stored.Name != "강서희" || stored.Phone != "010-7777-8888" || stored.Note != "at the window" ||
		len(stored.Tags) != 1 || !stored.DetailsChanged || after.GuestName != stored.Name {
		t.Errorf("%+v, %v; returned %+v", stored, err, after)
	}
	if all := h.KnownGuests(t); len(all) != 1 || all[0].Name != "강서희" || all[0].Phone != "010-7777-8888" ||
		len(all[0].Tags) != 1 {
		t.Errorf("the guests: %+v", all)
	}
	if n := h.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'reservation.details'`); n != 1 {
		t.Errorf("%d entries in the log", n)
	}
	for _, word := range []string{"강서희", "7777-8888", "at the window"} {
		if n := h.Occurrences(t, word); n != 0 {
			t.Errorf("the log says %q", word)
		}
	}

	h.Mark(t, id, booking.Arrived)
	second := h.Guest(host, h.Slot("20:00"))
	second.Guest.Phone, second.Guest.Name = "010-7777-8888", "강서희 팀장"
	latest := h.Reserve(t, second)
	h.correct(t, id, booking.Details{Name: text("강 서희")})
	if all := h.KnownGuests(t); len(all) != 1 || all[0].Name != "강서희 팀장" || all[0].Visits != 1 ||
		all[0].LastVisit.IsZero() {
		t.Errorf("after an older booking was corrected: %+v", all)
	}
	h.correct(t, id, booking.Details{Phone: text("")})
	if all := h.KnownGuests(t); len(all) != 1 || all[0].Visits != 0 || !all[0].LastVisit.IsZero() {
		t.Errorf("after the visit turned out to be nobody's: %+v", all)
	}
	h.correct(t, latest, booking.Details{Phone: text("010-1111-0000")})
	if all := h.KnownGuests(t); len(all) != 2 || len(all[0].Tags)+len(all[1].Tags) != 1 {
		t.Errorf("a guest who has a tag went with the last booking: %+v", all)
	}
}

// Nothing is stored of what is refused in part.
func TestChangeDetails_AllOrNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	host, note := h.Host(t), "quiet table"
	user, diners, _ := h.Regular(t, host)
	nobodys := h.Reserve(t, testkit.WalkIn(h.Guest(host, h.Slot("19:00")), booking.Arrived))
	change := booking.Details{Note: &note, Tags: []string{"vip"}}
	var invalid *booking.InvalidError
	if _, err := h.Reservations.ChangeDetails(t.Context(), diners, host, change); !errors.Is(err, guests.ErrNoConsent) {
		t.Errorf("a tag without consent: %v", err)
	}
	if _, err := h.Reservations.ChangeDetails(t.Context(), nobodys, host, change); !errors.As(err, &invalid) {
		t.Errorf("a tag of nobody: %v", err)
	}
	if n := h.Count(t, `SELECT count(*) FROM reservations WHERE note = $1 OR details_changed`, note); n != 0 {
		t.Errorf("%d notes were stored", n)
	}
	h.Consent(t, user, true)
	if after := h.correct(t, diners, change); after.Note != note || after.Allergies != "peanuts" {
		t.Errorf("with consent: %+v", after)
	}
	number := "010-2222-3333"
	change.Phone = &number
	h.correct(t, nobodys, change)
	for _, g := range h.KnownGuests(t) {
		if len(g.Tags) != 1 {
			t.Errorf("no tag: %+v", g)
		}
	}
}

// Who corrects a mistyped number and tags in one go leaves the tags of the guest whose number it is.
func TestChangeDetails_TagsOfAnotherStay(t *testing.T) {
	t.Parallel()
	h := setup(t)
	host, phone := h.Host(t), "010-7777-8888"
	right := h.Guest(host, h.Slot("20:00"))
	right.Guest.Phone = phone
	h.correct(t, h.Reserve(t, right), booking.Details{Tags: []string{"allergy_nuts"}})
	mistyped := h.Reserve(t, h.Guest(host, h.Slot("18:00")))
	h.correct(t, mistyped, booking.Details{Tags: []string{"vip"}})
	h.correct(t, mistyped, booking.Details{Phone: &phone, Tags: []string{"vip", "window"}, TagsSeen: []string{"vip"}})
	found, err := h.Reservations.FindGuest(t.Context(), mistyped)
	if err != nil || !slices.Equal(found.Tags, []string{"allergy_nuts", "window"}) {
		t.Errorf("%+v, %v", found, err)
	}
}
