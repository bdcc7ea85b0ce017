package db_test

import (
	"errors"
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/db/dbtest"
)

func TestReservations_NotFound(t *testing.T) {
	t.Parallel()
	h := setup(t)
	req := h.Request(h.Diners(t, 1, 0)[0], h.Slot("19:00"))
	req.Ticket = ""
	h.Reserve(t, req)
	if _, err := h.Reservations.Find(t.Context(), "none"); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("by id: %v", err)
	}
	for _, ticket := range []string{"none", ""} {
		if _, err := h.Reservations.FindByTicket(t.Context(), ticket); !errors.Is(err, booking.ErrNotFound) {
			t.Errorf("by the ticket %q: %v", ticket, err)
		}
	}
	if _, err := h.Reservations.CancelByStaff(t.Context(), "none", "nobody", ""); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("cancel: %v", err)
	}
}

func TestListByUser_LatestSlotFirst(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diners := h.Diners(t, 2, 0)
	var want []string
	for _, at := range []booking.TimeOfDay{"18:00", "20:00", "19:00"} {
		id := h.Reserve(t, h.Request(diners[0], h.Slot(at)))
		want = append(want, id)
	}
	h.Reserve(t, h.Request(diners[1], h.Slot("20:00")))
	want = []string{want[1], want[2], want[0]}
	list, err := h.Reservations.ListByUser(t.Context(), diners[0], keyset.Request{})
	dbtest.Must(t, err)
	var got []string
	for _, r := range list.Items {
		got = append(got, r.ID)
		if len(r.Items) != 1 || r.Items[0].Name != h.Menu[0].Name {
			t.Errorf("items %+v", r.Items)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestListGuests_EndedLast(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.Slot("19:00")
	diners := h.Diners(t, 3, 0)
	var ids []string
	for _, id := range diners {
		ids = append(ids, h.Reserve(t, h.Request(id, slot)))
	}
	h.MustCancel(t, ids[0], diners[0])
	h.Reserve(t, h.Request(diners[0], h.Slot("20:00")))
	guests, err := h.Reservations.ListGuests(t.Context(), slot, keyset.Request{})
	dbtest.Must(t, err)
	var got []string
	for _, g := range guests.Items {
		got = append(got, g.ID)
		if g.Name != "Diner "+g.UserID[:4] || g.Phone != "010" {
			t.Errorf("guest %q, %q", g.Name, g.Phone)
		}
	}
	if want := []string{ids[1], ids[2], ids[0]}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
