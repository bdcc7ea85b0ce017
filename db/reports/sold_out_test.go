package reports_test

import (
	"testing"

	"lunchgo/app/reports"
	"lunchgo/db/dbtest"
	dbreports "lunchgo/db/reports"
	"lunchgo/db/testkit"
)

// The figures count a slot as sold out from the moment when no table was left, whatever covers were.
func TestReports_SoldOutCountsTables(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
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
