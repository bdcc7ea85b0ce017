package db_test

import (
	"context"
	"errors"
	"maps"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/dbtest"
)

func (h *harness) serveOne(t testing.TB, req booking.Request) booking.Outcome {
	t.Helper()
	outcomes, _, err := h.Slots.Serve(t.Context(), h.Turn(req.Slot, 1_000, 0), []booking.Request{req})
	dbtest.Must(t, err)
	return outcomes[0]
}

func TestServe_TakesStock(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Limit(t, h.Menu[0], 5)
	slot, other := h.Slot("18:00"), h.Slot("19:00")
	diners := h.Diners(t, 6, 0)
	outcomes, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, 100, 1), []booking.Request{
		h.Ordering(diners[0], slot, 2, 60), h.Ordering(diners[1], slot, 0, 1), h.Ordering(diners[2], slot, 4),
		h.Ordering(diners[3], slot, 2),
	})
	dbtest.Must(t, err)
	var short *booking.OutOfStockError
	if !errors.As(outcomes[2].Err, &short) ||
		short.Items[0] != (booking.Shortage{MenuItemID: h.Menu[0].ID, Remaining: 3}) {
		t.Errorf("who wants 4 of 3 got %v", outcomes[2].Err)
	}
	for _, i := range []int{0, 1, 3} {
		if !outcomes[i].Reserves() {
			t.Errorf("request %d: %v", i, outcomes[i].Err)
		}
	}
	if got, want := h.Left(t, slot), (booking.Stock{h.Menu[0].ID: 1}); !maps.Equal(got, want) {
		t.Errorf("left %v, want %v", got, want)
	}
	if out := h.serveOne(t, h.Ordering(diners[4], other, 2)); !errors.As(out.Err, &short) {
		t.Errorf("another slot of the evening sells what is gone: %+v", out)
	}
	other.Date = other.Date.AddDays(1)
	if out := h.serveOne(t, h.Ordering(diners[5], other, 5)); !out.Reserves() || h.Left(t, other)[h.Menu[0].ID] != 0 {
		t.Errorf("another evening: %+v", out)
	}
	h.CheckStock(t)
}

// Dishes come back once, whoever ends the reservation.
func TestStock_ReturnsOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Limit(t, h.Menu[0], 9)
	h.Limit(t, h.Menu[1], 9)
	slot := h.Slot("19:00")
	full := booking.Stock{h.Menu[0].ID: 9, h.Menu[1].ID: 9}
	ends := map[string]func(id, diner string) error{
		"the diner": func(id, diner string) error {
			_, err := h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diner})
			return err
		},
		"the diner who has paid": func(id, diner string) error {
			if _, err := h.Pay(t, id, diner, booking.Deposit, "pay"); err != nil {
				return err
			}
			_, err := h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diner})
			return err
		},
		"the staff": func(id, diner string) error {
			_, err := h.Reservations.CancelByStaff(t.Context(), id, h.Diners(t, 1, 0)[0], "")
			return err
		},
		"the end of the hold": func(id, _ string) error {
			h.MustExec(t, `UPDATE reservations SET hold_expires_at = now() WHERE id = $1`, id)
			return nil
		},
	}
	for who, end := range ends {
		diner := h.Diners(t, 1, 100_000)[0]
		out := h.serveOne(t, h.Ordering(diner, slot, 3, 4))
		if got := h.Left(t, slot); got[h.Menu[0].ID] != 6 || got[h.Menu[1].ID] != 5 {
			t.Errorf("%s: %v left while it lives", who, got)
		}
		if err := end(out.ReservationID, diner); err != nil {
			t.Errorf("%s: %v", who, err)
		}
		for range 2 { // once more changes nothing
			_, _ = h.Reservations.Cancel(t.Context(), out.ReservationID, reserve.Canceller{UserID: diner})
			if _, err := h.Reservations.ExpireHolds(t.Context(), 10); err != nil {
				t.Fatal(err)
			}
			if _, err := h.Reservations.SettleRefunds(t.Context(), 10); err != nil {
				t.Fatal(err)
			}
		}
		if got := h.Left(t, slot); !maps.Equal(got, full) {
			t.Errorf("%s: %v left afterwards, want %v", who, got, full)
		}
		h.CheckStock(t)
	}
}

func TestStock_ReturnsOnlyWhatWasTaken(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.Slot("19:00")
	diner := h.Diners(t, 1, 0)[0]
	out := h.serveOne(t, h.Ordering(diner, slot, 3)) // while there is no limit
	h.setStock(t, slot.Date, 2)
	h.MustCancel(t, out.ReservationID, diner)
	if left := h.Left(t, slot)[h.Menu[0].ID]; left != 2 {
		t.Errorf("%d left, want the 2 that the staff put up", left)
	}
	h.CheckStock(t)
}

// setStock lets a member of staff say how many portions of the first dish are left.
func (h *harness) setStock(t testing.TB, date booking.Date, remaining int) {
	t.Helper()
	err := db.NewStockStore(h.Pool).SetStock(t.Context(),
		reserve.StockChange{RestaurantID: h.Restaurant.ID, MenuItemID: h.Menu[0].ID,
			Date: date, Remaining: &remaining, StaffID: h.Diners(t, 1, 0)[0]})
	dbtest.Must(t, err)
}

// Staff say what is left of a dish.
func TestSetStock(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.Slot("19:00")
	h.setStock(t, slot.Date, 4) // of what had no limit
	h.serveOne(t, h.Ordering(h.Diners(t, 1, 0)[0], slot, 3))
	h.setStock(t, slot.Date, 0)
	var short *booking.OutOfStockError
	if out := h.serveOne(t, h.Ordering(h.Diners(t, 1, 0)[0], slot, 1)); !errors.As(out.Err, &short) {
		t.Errorf("nothing is left, and yet %+v", out)
	}
	h.setStock(t, slot.Date, 7)
	h.CheckStock(t)
	if n := h.Count(t,
		`SELECT count(*) FROM audit_log WHERE action = 'stock.set' AND detail ->> 'was' IS NULL`); n != 1 {
		t.Errorf("%d changes of what had no limit in the audit log, want 1", n)
	}
	if n := h.Count(t,
		`SELECT count(*) FROM audit_log WHERE action = 'stock.set' AND (detail ->> 'was', detail ->> 'is') IN (('1', '0'), ('0', '7'))`); n != 2 {
		t.Errorf("%d further changes in the audit log, want 2", n)
	}
	wrong := reserve.StockChange{RestaurantID: h.Restaurant.ID + 1, MenuItemID: h.Menu[0].ID, Date: slot.Date,
		StaffID: h.Diners(t, 1, 0)[0]}
	if err := db.NewStockStore(h.Pool).SetStock(t.Context(), wrong); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("an item of another restaurant: %v, want %v", err, booking.ErrNotFound)
	}
	wrong.RestaurantID, wrong.Remaining = h.Restaurant.ID, ptr(-1)
	if err := db.NewStockStore(h.Pool).SetStock(t.Context(), wrong); err == nil || h.Left(t, slot)[h.Menu[0].ID] != 7 {
		t.Errorf("less than none was stored: %v", err)
	}
}

// Staff take the limit of a dish away, and put it back; a step counts from what is left.
func TestSetStock_UnlimitedAndSteps(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot, staff := h.Slot("19:00"), h.Diners(t, 1, 0)[0]
	change := reserve.StockChange{RestaurantID: h.Restaurant.ID, MenuItemID: h.Menu[0].ID, Date: slot.Date,
		StaffID: staff}
	set := func(left *int, step int) error {
		change.Remaining, change.Step = left, step
		return db.NewStockStore(h.Pool).SetStock(t.Context(), change)
	}
	if err := set(nil, 1); !errors.Is(err, booking.ErrWrongState) {
		t.Errorf("a step from any number: %v", err)
	}
	for _, c := range []struct {
		left *int
		step int
		want int // -1: any number
	}{{ptr(2), 0, 2}, {nil, 3, 4}, {nil, -9, 0}, {nil, 0, -1}, {ptr(4), 0, 4}} {
		dbtest.Must(t, set(c.left, c.step))
		if left, limited := h.Left(t, slot)[change.MenuItemID]; limited != (c.want >= 0) || limited && left != c.want {
			t.Errorf("%v, step %d: %d %v, want %d", c.left, c.step, left, limited, c.want)
		}
		want := min(c.want, 0) < 0 || c.want >= 1
		if out := h.serveOne(t, h.Ordering(h.Diners(t, 1, 0)[0], slot, 1)); out.Reserves() != want {
			t.Errorf("an order with %d left: %+v", c.want, out)
		}
		h.CheckStock(t)
	}
}

func TestFreeShadow_ReturnsDishes(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Limit(t, h.Menu[0], 5)
	slot := h.Slot("19:00")
	h.MustExec(t, `UPDATE restaurants SET shadow = true`)
	h.serveOne(t, h.Ordering(h.Diners(t, 1, 0)[0], slot, 2))
	dbtest.Must(t, h.Seeds.FreeShadow(context.Background(), slot.RestaurantID))
	if left := h.Left(t, slot)[h.Menu[0].ID]; left != 5 {
		t.Errorf("%d left, want 5", left)
	}
}
