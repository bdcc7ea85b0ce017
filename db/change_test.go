package db_test

import (
	"errors"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/reserve"
	"lunchgo/app/wallet"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// at asks for another time of the day.
func at(slot booking.SlotKey) func(*booking.Request) {
	return func(req *booking.Request) { req.Slot = slot }
}

func (h *harness) balance(t testing.TB, diner string) int64 {
	t.Helper()
	account, err := h.Wallets.Find(t.Context(), diner)
	dbtest.Must(t, err)
	return account.Balance
}

func TestChange_TakesNewFreesOld(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Limit(t, h.Menu[0], 10)
	early, late := h.Slot("18:00"), h.Slot("19:00")
	diner := h.Diners(t, 1, 100_000)[0]
	id := h.Reserve(t, h.Request(diner, early))
	h.MustPay(t, id, diner, booking.Deposit, "pay")
	before, _ := h.Reservations.Find(t.Context(), id)
	req := h.Wanting(t, id, func(req *booking.Request) {
		testkit.Party(4)(req)
		req.Slot, req.Note = late, "A window, please"
		req.Items = []booking.Item{{MenuItemID: h.Menu[0].ID, Name: h.Menu[0].Name, Quantity: 3, UnitPrice: 33_000},
			{MenuItemID: h.Menu[1].ID, Name: h.Menu[1].Name, Quantity: 1, UnitPrice: 5_000}}
	})
	out, after := h.Serve(t, req)
	got, err := h.Reservations.Find(t.Context(), id)
	if out.Err != nil || err != nil || got.Slot != late || got.PartySize != 4 || got.DepositAmount != 40_000 ||
		got.PaidAmount != 40_000 ||
		got.MenuAmount != 104_000 || len(got.Items) != 2 || got.Note != req.Note || got.State != booking.Confirmed ||
		got.Changes != 1 {
		t.Errorf("%v, %v: %+v", out.Err, err, got)
	}
	if got.IdempotencyKey != before.IdempotencyKey || !got.CreatedAt.Equal(before.CreatedAt) || after[0].Held != 4 {
		t.Errorf("%+v; %+v", got, after)
	}
	if h.held(t, early) != 0 || h.held(t, late) != 4 || h.Left(t, h.Slot("18:00"))[h.Menu[0].ID] != 7 ||
		h.balance(t, diner) != 60_000 {
		t.Errorf("%d and %d seats held, %d portions left, %d won", h.held(t, early), h.held(t, late),
			h.Left(t, h.Slot("18:00"))[h.Menu[0].ID], h.balance(t, diner))
	}
	if out, _ = h.Serve(t, req); out.Err != nil || out.Existing == nil || h.balance(t, diner) != 60_000 {
		t.Errorf("the same press again: %+v", out)
	}
	past, err := h.Reservations.FindChangeByTicket(t.Context(), req.Ticket)
	if err != nil || past.ReservationID != id || past.From.Slot != early || past.To.PartySize != 4 ||
		past.Charged != 20_000 || past.Number != 1 {
		t.Errorf("its history: %+v, %v", past, err)
	}
	checkBalances(t, h)
}

// A change may use the reservation's own seats, dishes and time.
func TestChange_OwnSeatsAreFree(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Limit(t, h.Menu[0], 4)
	slot := h.Slot("18:00")
	diners := h.Diners(t, 4, 100_000)
	var ids []string
	for _, diner := range diners { // 8 of 10 seats
		req := h.Request(diner, slot)
		req.Items[0].Quantity = 1
		ids = append(ids, h.Reserve(t, req))
	}
	h.MustExec(t, `UPDATE slots SET capacity = 10`)
	if _, err := h.Change(t, ids[0], testkit.Party(4)); err != nil {
		t.Errorf("two of the two seats left: %v", err)
	}
	var full *booking.SoldOutError
	if _, err := h.Change(t, ids[1], testkit.Party(3)); !errors.As(err, &full) || full.Remaining != 2 {
		t.Errorf("one more of a full slot: %v", err)
	}
	if r, err := h.Change(t, ids[1], testkit.Party(1)); err != nil || r.PartySize != 1 || h.held(t, slot) != 9 {
		t.Errorf("one less of a full slot: %+v, %v", r, err)
	}
	h.MustExec(t, `UPDATE slots SET closed = true`)
	if _, err := h.Change(t, ids[1], testkit.Party(2)); !errors.Is(err, booking.ErrClosed) {
		t.Errorf("one more of a closed slot: %v", err)
	}
	dishes := func(n int) func(*booking.Request) {
		return func(req *booking.Request) {
			req.Items = []booking.Item{{MenuItemID: h.Menu[0].ID, Quantity: n, UnitPrice: 32_000}}
		}
	}
	h.MustExec(t, `UPDATE menu_stock SET offered = offered + 1, remaining = remaining + 1`)
	if r, err := h.Change(t, ids[2], dishes(2)); err != nil || r.MenuAmount != 64_000 ||
		h.Left(t, h.Slot("18:00"))[h.Menu[0].ID] != 0 {
		t.Errorf("one portion more, which is the last: %+v, %v", r, err)
	}
	var short *booking.OutOfStockError
	if _, err := h.Change(t, ids[2], dishes(3)); !errors.As(err, &short) {
		t.Errorf("one more portion: %v", err)
	}
	if _, err := h.Change(t, ids[2], func(req *booking.Request) { req.Items = nil }); err != nil ||
		h.Left(t, h.Slot("18:00"))[h.Menu[0].ID] != 2 {
		t.Errorf("none: %v, %d left", err, h.Left(t, h.Slot("18:00"))[h.Menu[0].ID])
	}
	checkBalances(t, h)
}

// Dishes go with a reservation to another day.
func TestChange_MovesDishes(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Limit(t, h.Menu[0], 2)
	slot, next := h.Slot("18:00"), h.Slot("18:00")
	next.Date = next.Date.AddDays(1)
	diners := h.Diners(t, 2, 100_000)
	first, second := h.Reserve(t, h.Request(diners[0], slot)), h.Reserve(t, h.Request(diners[1], next))
	var short *booking.OutOfStockError
	if _, err := h.Change(t, first, at(next)); !errors.As(err, &short) || short.Items[0].Remaining != 0 {
		t.Errorf("a day without: %v", err)
	}
	if _, err := h.Change(t, second, func(req *booking.Request) { req.Items = nil }); err != nil {
		t.Fatal(err)
	}
	if r, err := h.Change(t, first, at(next)); err != nil || r.Slot != next {
		t.Errorf("%+v, %v", r, err)
	}
	if n := h.Count(t, `SELECT remaining FROM menu_stock WHERE service_date = $1::date`, string(slot.Date)); n != 2 {
		t.Errorf("%d are left on the first day", n)
	}
	checkBalances(t, h)

	// Nothing is in stock any more that was ordered while it was unlimited: it does not go there, and may be kept.
	free := h.Menu[1]
	unlimited := h.Request(h.Diners(t, 1, 0)[0], slot)
	unlimited.Items = []booking.Item{{MenuItemID: free.ID, Quantity: 3, UnitPrice: 5_000}}
	id := h.Reserve(t, unlimited)
	h.Limit(t, free, 1)
	if _, err := h.Change(t, id, testkit.Party(1)); err != nil {
		t.Errorf("kept: %v", err)
	}
	if _, err := h.Change(t, id, func(req *booking.Request) { req.Items[0].Quantity = 4 }); !errors.As(err, &short) {
		t.Errorf("one more: %v", err)
	}
	checkBalances(t, h)
}

// A change moves the difference in price.
func TestChange_MovesDifference(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.Slot("18:00")
	begin := func(left time.Duration) booking.SlotKey {
		at := time.Now().Add(left).In(h.Restaurant.Location)
		return booking.SlotKey{RestaurantID: h.Restaurant.ID, Date: booking.DateOf(at, h.Restaurant.Location),
			Time: booking.TimeOfDay(at.Format("15:04"))}
	}
	for _, c := range []struct {
		name          string
		slot          booking.SlotKey
		party         int
		balance, kept int64 // afterwards, of 100,000
	}{
		{"more", slot, 5, 50_000, 0},
		{"less, early", slot, 1, 90_000, 0},
		{"less, late", begin(30 * time.Hour), 1, 85_000, 5_000},
		{"less, too late", begin(3 * time.Hour), 1, 80_000, 10_000},
		{"as much", slot, 2, 80_000, 0},
	} {
		diner := h.Diners(t, 1, 100_000)[0]
		id := h.Reserve(t, h.Request(diner, c.slot))
		h.MustPay(t, id, diner, booking.Deposit, "pay")
		r, err := h.Change(t, id, func(req *booking.Request) { testkit.Party(c.party)(req); req.Note = c.name })
		past, listErr := h.Reservations.ListChanges(t.Context(), id, keyset.Request{})
		if err != nil || listErr != nil || h.balance(t, diner) != c.balance || r.PaidAmount != int64(c.party)*10_000 ||
			past.Items[0].Retained != c.kept {
			t.Errorf("%s: %+v, %v, %d won; %+v", c.name, r, err, h.balance(t, diner), past)
		}
		if _, err := h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diner}); err != nil {
			t.Errorf("%s: cancelled afterwards: %v", c.name, err)
		}
	}
	h.settle(t)
	checkBalances(t, h)
}

func TestChange_RefusalChangesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot, other := h.Slot("18:00"), h.Slot("19:00")
	diners := h.Diners(t, 2, 25_000)
	id := h.Reserve(t, h.Request(diners[0], slot))
	h.MustPay(t, id, diners[0], booking.Deposit, "pay")
	rival := h.Reserve(t, h.Request(diners[0], other))
	held := h.Reserve(t, h.Request(diners[1], slot))
	before, _ := h.Reservations.Find(t.Context(), id)
	var changed *booking.AmountChangedError
	isError := func(want error) func(error) bool {
		return func(err error) bool { return errors.Is(err, want) }
	}
	for _, c := range []struct {
		name string
		id   string
		edit func(*booking.Request)
		is   func(error) bool
	}{
		{"too little money", id, testkit.Party(4), isError(wallet.ErrBalanceTooLow)},
		{"another's", held, func(req *booking.Request) { req.UserID = diners[0] }, isError(booking.ErrNotFound)},
		{"nobody's", id, func(req *booking.Request) { req.Change.ReservationID = "none" }, isError(booking.ErrNotFound)},
		{"another amount than quoted", id,
			func(req *booking.Request) { testkit.Party(3)(req); req.Change.Quoted = 9_999 },
			func(err error) bool { return errors.As(err, &changed) && changed.Amount == 10_000 }},
		{"sits there", id, at(other), isError(booking.ErrDuplicate)},
		{"nothing new", id, func(*booking.Request) {}, isError(booking.ErrNothingToChange)},
		{"seen otherwise", id, func(req *booking.Request) { req.Change.Number = 3 }, isError(booking.ErrChangedMeanwhile)},
		{"a slot of before that there is not", id,
			func(req *booking.Request) { req.Change.From[0].Time = "03:03"; req.Note = "x" },
			isError(booking.ErrChangedMeanwhile)},
	} {
		req := h.Wanting(t, c.id, c.edit)
		out, after := h.Serve(t, req)
		if !c.is(out.Err) || out.Reserves() {
			t.Errorf("%s: %v", c.name, out.Err)
		}
		if errors.Is(out.Err, booking.ErrDuplicate) && out.ReservationID != rival {
			t.Errorf("%s: in the way is %q, not %q", c.name, out.ReservationID, rival)
		}
		if len(after) > 0 && after[0].Held > 4 {
			t.Errorf("%s: %+v", c.name, after)
		}
	}
	after, _ := h.Reservations.Find(t.Context(), id)
	if after.Changes != 0 || after.PartySize != before.PartySize || after.Note != before.Note ||
		h.balance(t, diners[0]) != 5_000 {
		t.Errorf("%+v", after)
	}
	if n := h.Count(t, `SELECT count(*) FROM reservation_changes`); n != 0 {
		t.Errorf("%d changes in the history", n)
	}
	checkBalances(t, h)
}

func TestChange_KeyChangesOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.Diners(t, 1, 100_000)[0]
	first, second := h.Reserve(t, h.Request(diner, h.Slot("18:00"))), h.Reserve(t, h.Request(diner, h.Slot("19:00")))
	req := h.Wanting(t, first, testkit.Party(3))
	if out, _ := h.Serve(t, req); out.Err != nil {
		t.Fatal(out.Err)
	}
	for name, again := range map[string]booking.Request{"of another party": h.Wanting(t, first, testkit.Party(4)),
		"of another reservation": h.Wanting(t, second, testkit.Party(3))} {
		again.IdempotencyKey = req.IdempotencyKey
		if again.Change.ReservationID == first {
			again.Change.Number = 0
		}
		if out, _ := h.Serve(t, again); !errors.Is(out.Err, booking.ErrKeyReused) {
			t.Errorf("%s: %v", name, out.Err)
		}
	}
	checkBalances(t, h)
}

func TestChange_StaleFence(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.Diners(t, 1, 0)[0]
	id := h.Reserve(t, h.Request(diner, h.Slot("18:00")))
	req := h.Wanting(t, id, at(h.Slot("19:00")))
	if _, _, err := h.Slots.Serve(t.Context(), h.Turn(req.Slot, 10, 7), []booking.Request{req}); err != nil {
		t.Fatal(err)
	}
	back := h.Wanting(t, id, at(h.Slot("18:00")))
	if _, _, err := h.Slots.Serve(t.Context(), h.Turn(back.Slot, 10, 0), []booking.Request{back}); err != nil {
		t.Errorf("the slot it came from has no fence of its own: %v", err)
	}
	late := h.Wanting(t, id, at(h.Slot("19:00")))
	var stale *booking.StaleFenceError
	if _, _, err := h.Slots.Serve(t.Context(), h.Turn(late.Slot, 10, 6), []booking.Request{late}); !errors.As(err,
		&stale) || stale.Stored != 7 {
		t.Errorf("an older turn: %v", err)
	}
}

func TestChange_MovesOrReturnsCoupon(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id := h.Campaign(t, "deposit", 5)
	diner := h.Diners(t, 1, 100_000)[0]
	h.GiveCoupons(t, id, diner)
	res := h.Reserve(t, h.with(id, diner, h.Slot("18:00")))
	h.MustPay(t, res, diner, booking.Deposit, "pay")
	h.MustExec(t,
		`UPDATE coupons SET opens_at = now() - interval '3 days', closes_at = now() - interval '2 days', valid_until = clock_timestamp()`)
	r, err := h.Change(t, res, testkit.Party(3))
	if err != nil || r.Discount.Amount != 5_000 || r.PaidAmount != 25_000 || h.usedFor(t, id, diner) != res {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = h.Change(t, res, func(req *booking.Request) { req.PartySize, req.DepositAmount = 5, 0 })
	if err != nil || r.Discount != (booking.Discount{}) || r.PaidAmount != 0 || h.usedFor(t, id, diner) != "" {
		t.Errorf("without a deposit: %+v, %v", r, err)
	}
	checkBalances(t, h)
}
