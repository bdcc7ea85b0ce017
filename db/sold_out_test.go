package db

import (
	"fmt"
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/reports"
	"lunchgo/db/dbtest"
	dbreports "lunchgo/db/reports"
)

// openTables gives the fixture's restaurant, which takes parties of two to four, a table for two and one for three or
// four, and returns a slot. The restaurant has covers left when both tables are taken.
func (h *harness) openTables(t testing.TB) booking.SlotKey {
	t.Helper()
	h.restaurant.PartyMin, h.restaurant.PartyMax = 2, 4
	for i, places := range []int{2, 4} {
		h.restaurant.Seats = append(h.restaurant.Seats, booking.Seat{ID: int64(i + 1), Label: fmt.Sprint("T", i+1),
			Kind: booking.TableSeat, Places: places, MinParty: places - i,
			Area: booking.Area{X: 100 * i, Width: 60, Height: 60}})
	}
	h.putRoom(t)
	return h.slot("19:00")
}

// seated makes a reservation for a party by phone, at whatever table fits it.
func (h *harness) seated(t testing.TB, slot booking.SlotKey, party int) string {
	t.Helper()
	req := h.guest(h.diners(t, 1, 0)[0], slot)
	req.PartySize = party
	turn := h.turn(slot, h.restaurant.Capacity, 0)
	outcomes, _, err := h.slots.Serve(t.Context(), turn, []booking.Request{req})
	if err != nil || !outcomes[0].Reserves() {
		t.Fatalf("%+v, %v", outcomes, err)
	}
	return outcomes[0].ReservationID
}

// A slot whose tables are all taken is sold out although it has covers left. While one of them is free for a larger
// party than the smallest, it is not.
func TestAnnounceSlots_CountsTables(t *testing.T) {
	t.Parallel()
	h := setup(t)
	outbox, slot := h.wantEvents(t), h.openTables(t)
	host := h.diners(t, 1, 0)[0]
	var said []string
	announced := func(what string, want ...string) {
		t.Helper()
		if _, err := outbox.AnnounceSlots(t.Context()); err != nil {
			t.Fatal(err)
		}
		said = said[:0]
		for _, e := range h.written(t, fmt.Sprintf("%d/%s/%s", slot.RestaurantID, slot.Date, slot.Time)) {
			said = append(said, stateOf(t, e, "soldOut"))
		}
		if !slices.Equal(said, want) {
			t.Errorf("%s: %v, want %v", what, said, want)
		}
	}
	two := h.seated(t, slot, 2)
	announced("the table for two is taken")
	three := h.seated(t, slot, 3)
	announced("both are taken", "true")
	if o := h.occupancyOf(t, slot); o.Remaining() != 5 {
		t.Errorf("%d covers left, want 5", o.Remaining())
	}
	if _, err := h.reservations.CancelByStaff(t.Context(), three, host, ""); err != nil {
		t.Fatal(err)
	}
	announced("the larger is free", "true", "false")
	dbtest.Must(t, h.slots.BlockSeats(t.Context(), blocking(slot, host, h.restaurant.Seats[1].ID)))
	announced("the larger is blocked", "true", "false", "true")
	unblock := blocking(slot, host)
	unblock.Unblock = []int64{h.restaurant.Seats[1].ID}
	dbtest.Must(t, h.slots.BlockSeats(t.Context(), unblock))
	announced("and given back", "true", "false", "true", "false")
	if _, err := h.reservations.CancelByStaff(t.Context(), two, host, ""); err != nil {
		t.Fatal(err)
	}
	announced("both are free", "true", "false", "true", "false")
}

// The figures count a slot as sold out from the moment when no table was left, whatever covers were.
func TestReports_SoldOutCountsTables(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.openTables(t)
	f := reports.Filter{Period: reports.Period{From: slot.Date, To: slot.Date}, Weekday: -1}
	soldOut := func() (int, *int64) {
		t.Helper()
		facts, err := dbreports.NewStore(h.Pool).ReadFacts(t.Context(), h.restaurant, f)
		dbtest.Must(t, err)
		total := reports.Build(h.restaurant, f, facts).Total
		if total.TimedSoldOutSlots == 0 {
			return total.SoldOutSlots, nil
		}
		return total.SoldOutSlots, &total.SellOutSeconds
	}
	first := h.seated(t, slot, 2)
	if n, _ := soldOut(); n != 0 {
		t.Errorf("with a table left, %d slots were sold out", n)
	}
	h.seated(t, slot, 4)
	h.mustExec(t, `UPDATE reservations SET created_at = (SELECT max(created_at) FROM reservations)`)
	if n, seconds := soldOut(); n != 1 || seconds != nil {
		t.Errorf("%d slots were sold out at once after %v s, want 1 of which nothing is known", n, seconds)
	}
	h.mustExec(t, `UPDATE reservations SET created_at = created_at - interval '90 seconds' WHERE id = $1`, first)
	if n, seconds := soldOut(); n != 1 || seconds == nil || *seconds != 90 {
		t.Errorf("%d slots were sold out after %v s, want 1 after 90", n, seconds)
	}
	plain := h.restaurant
	plain.Seats = nil // by covers alone there are four left
	facts, err := dbreports.NewStore(h.Pool).ReadFacts(t.Context(), plain, f)
	if n := reports.Build(h.restaurant, f, facts).Total.SoldOutSlots; err != nil || n != 0 {
		t.Errorf("by covers, %d slots were sold out, %v", n, err)
	}
}
