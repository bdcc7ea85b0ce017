package db_test

import (
	"fmt"
	"slices"
	"testing"

	"lunchgo/app/reports"
	"lunchgo/db/dbtest"
	dbreports "lunchgo/db/reports"
)

// A slot whose tables are all taken is sold out although it has covers left. While one of them is free for a larger
// party than the smallest, it is not.
func TestAnnounceSlots_CountsTables(t *testing.T) {
	t.Parallel()
	h := setup(t)
	outbox, slot := h.wantEvents(t), h.OpenTables(t)
	host := h.Diners(t, 1, 0)[0]
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
	two := h.Seated(t, slot, 2)
	announced("the table for two is taken")
	three := h.Seated(t, slot, 3)
	announced("both are taken", "true")
	if o := h.occupancyOf(t, slot); o.Remaining() != 5 {
		t.Errorf("%d covers left, want 5", o.Remaining())
	}
	if _, err := h.Reservations.CancelByStaff(t.Context(), three, host, ""); err != nil {
		t.Fatal(err)
	}
	announced("the larger is free", "true", "false")
	dbtest.Must(t, h.Slots.BlockSeats(t.Context(), blocking(slot, host, h.Restaurant.Seats[1].ID)))
	announced("the larger is blocked", "true", "false", "true")
	unblock := blocking(slot, host)
	unblock.Unblock = []int64{h.Restaurant.Seats[1].ID}
	dbtest.Must(t, h.Slots.BlockSeats(t.Context(), unblock))
	announced("and given back", "true", "false", "true", "false")
	if _, err := h.Reservations.CancelByStaff(t.Context(), two, host, ""); err != nil {
		t.Fatal(err)
	}
	announced("both are free", "true", "false", "true", "false")
}

// The figures count a slot as sold out from the moment when no table was left, whatever covers were.
func TestReports_SoldOutCountsTables(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.OpenTables(t)
	f := reports.Filter{Period: reports.Period{From: slot.Date, To: slot.Date}, Weekday: -1}
	soldOut := func() (int, *int64) {
		t.Helper()
		facts, err := dbreports.NewStore(h.Pool).ReadFacts(t.Context(), h.Restaurant, f)
		dbtest.Must(t, err)
		total := reports.Build(h.Restaurant, f, facts).Total
		if total.TimedSoldOutSlots == 0 {
			return total.SoldOutSlots, nil
		}
		return total.SoldOutSlots, &total.SellOutSeconds
	}
	first := h.Seated(t, slot, 2)
	if n, _ := soldOut(); n != 0 {
		t.Errorf("with a table left, %d slots were sold out", n)
	}
	h.Seated(t, slot, 4)
	h.MustExec(t, `UPDATE reservations SET created_at = (SELECT max(created_at) FROM reservations)`)
	if n, seconds := soldOut(); n != 1 || seconds != nil {
		t.Errorf("%d slots were sold out at once after %v s, want 1 of which nothing is known", n, seconds)
	}
	h.MustExec(t, `UPDATE reservations SET created_at = created_at - interval '90 seconds' WHERE id = $1`, first)
	if n, seconds := soldOut(); n != 1 || seconds == nil || *seconds != 90 {
		t.Errorf("%d slots were sold out after %v s, want 1 after 90", n, seconds)
	}
	plain := h.Restaurant
	plain.Seats = nil // by covers alone there are four left
	facts, err := dbreports.NewStore(h.Pool).ReadFacts(t.Context(), plain, f)
	if n := reports.Build(h.Restaurant, f, facts).Total.SoldOutSlots; err != nil || n != 0 {
		t.Errorf("by covers, %d slots were sold out, %v", n, err)
	}
}
