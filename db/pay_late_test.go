package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/reserve"
	"lunchgo/app/wallet"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
	dbwallet "lunchgo/db/wallet"
)

// expired makes a reservation whose hold has been ended, of a diner with balance won.
func (h *harness) expired(t testing.TB, slot booking.SlotKey, balance int64) (id, diner string) {
	t.Helper()
	diner = h.Diners(t, 1, balance)[0]
	req := h.Ordering(diner, slot, 2)
	req.HoldTime = 0
	id = h.Reserve(t, req)
	h.sweepHolds(t)
	return id, diner
}

func (h *harness) sweepHolds(t testing.TB) {
	t.Helper()
	if _, err := h.Reservations.ExpireHolds(t.Context(), 1_000); err != nil {
		t.Fatal(err)
	}
}

func (h *harness) settle(t testing.TB) {
	t.Helper()
	if _, err := h.Reservations.SettleRefunds(t.Context(), 10_000); err != nil {
		t.Fatal(err)
	}
}

func TestPayLate_SeatsAndDishes(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Limit(t, h.Menu[0], 5)
	for kind, at := range map[booking.PaymentKind]booking.TimeOfDay{booking.Deposit: "19:00", booking.Prepay: "20:00"} {
		slot := h.Slot(at)
		id, diner := h.expired(t, slot, 100_000)
		if left, held := h.Left(t, slot)[h.Menu[0].ID], h.held(t, slot); held != 0 || left != 5 && left != 3 {
			t.Fatalf("%d portions are left and %d seats held after the expiry", left, held)
		}
		before := h.Left(t, slot)[h.Menu[0].ID]
		paid, err := h.Pay(t, id, diner, kind, "pay")
		if err != nil || paid.PaidAmount == 0 || !paid.State.HoldsSeats() {
			t.Errorf("%s: %+v, %v", kind, paid, err)
		}
		if left, held := h.Left(t, slot)[h.Menu[0].ID], h.held(t, slot); left != before-2 || held != 2 {
			t.Errorf("%s: %d portions are left of %d, and %d seats are held", kind, left, before, held)
		}
		if again, err := h.Pay(t, id, diner, kind, "pay"); err != nil || again.State != paid.State {
			t.Errorf("%s, repeated: %+v, %v", kind, again, err)
		}
		if _, err := h.Pay(t, id, diner, kind, "other"); !errors.Is(err, booking.ErrAlreadyPaid) {
			t.Errorf("%s, another key: %v", kind, err)
		}
	}
	checkBalances(t, h)
}

// A late payment takes nothing from the stock of a dish whose limit was lifted meanwhile, however little was left, and
// gives nothing back to it later.
func TestPayLate_LimitLifted(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Limit(t, h.Menu[0], 5)
	slot, staff := h.Slot("19:00"), h.Diners(t, 1, 0)[0]
	id, diner := h.expired(t, slot, 100_000)
	h.setStock(t, slot.Date, 1) // less than it has ordered
	stock := reserve.StockChange{RestaurantID: h.Restaurant.ID, MenuItemID: h.Menu[0].ID, Date: slot.Date,
		StaffID: staff}
	dbtest.Must(t, db.NewStockStore(h.Pool).SetStock(t.Context(), stock))
	if paid, err := h.Pay(t, id, diner, booking.Deposit, "pay"); err != nil || paid.State != booking.Confirmed {
		t.Errorf("paid: %+v, %v", paid, err)
	}
	h.CheckStock(t)
	h.setStock(t, slot.Date, 3)
	h.CheckStock(t)
	h.MustCancel(t, id, diner)
	if left := h.Left(t, slot)[h.Menu[0].ID]; left != 3 {
		t.Errorf("%d are left, want 3", left)
	}
	h.CheckStock(t)
	checkBalances(t, h)
}

// A late payment for what is gone is returned.
func TestPayLate_SeatsOrDishesGone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Limit(t, h.Menu[0], 5)
	staff := h.Diners(t, 1, 0)[0]
	for name, c := range map[string]struct {
		at    booking.TimeOfDay
		taken func(slot booking.SlotKey, diner string)
	}{
		"the seats": {"17:00", func(slot booking.SlotKey, _ string) {
			if err := h.SetCapacity(t, slot, 1, staff); err != nil {
				t.Error(err)
			}
		}},
		"the dishes": {"18:00", func(slot booking.SlotKey, _ string) { h.setStock(t, slot.Date, 1) }},
		"the slot": {"19:00", func(slot booking.SlotKey, _ string) {
			if err := h.setClosed(t, slot, true, staff); err != nil {
				t.Error(err)
			}
		}},
		"the diner's one place": {"20:00", func(slot booking.SlotKey, diner string) {
			h.MustExec(t,
				`UPDATE reservations SET hold_expires_at = hold_expires_at - interval '8 minutes' WHERE user_id = $1`,
				diner)
			h.Reserve(t, h.Ordering(diner, slot))
		}},
	} {
		slot := h.Slot(c.at)
		id, diner := h.expired(t, slot, 100_000)
		c.taken(slot, diner)
		before := h.held(t, slot)
		got, err := h.Pay(t, id, diner, booking.Deposit, "pay")
		if !errors.Is(err, booking.ErrReturned) || got.State != booking.Expired || got.PaidAmount != 20_000 ||
			got.RefundAmount != 20_000 {
			t.Errorf("%s: %+v, %v, want %v", name, got, err, booking.ErrReturned)
		}
		if again, err := h.Pay(t, id, diner, booking.Deposit, "pay"); !errors.Is(err, booking.ErrReturned) ||
			again.RefundAmount != 20_000 {
			t.Errorf("%s, repeated: %+v, %v", name, again, err)
		}
		for key, want := range map[string]error{"other": booking.ErrHoldExpired, "pay": booking.ErrKeyReused} {
			kind := map[string]booking.PaymentKind{"other": booking.Deposit, "pay": booking.Prepay}[key]
			if _, err := h.Pay(t, id, diner, kind, key); !errors.Is(err, want) {
				t.Errorf("%s, %s %s: %v, want %v", name, kind, key, err, want)
			}
		}
		page, err := h.Wallets.ListEntries(t.Context(), diner, keyset.Request{})
		entries := page.Items
		if err != nil || len(entries) != 3 || entries[0].Kind != wallet.KindRefund ||
			entries[0].BalanceAfter != 100_000 || entries[1].Amount != -20_000 {
			t.Errorf("%s: the ledger %+v, %v", name, entries, err)
		}
		if held := h.held(t, slot); held != before {
			t.Errorf("%s: %d seats are held, %d were", name, held, before)
		}
		h.setStock(t, slot.Date, 5)
	}
	checkBalances(t, h)
}

// A late payment for a slot that has begun is returned.
func TestPayLate_SlotBegun(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id, diner := h.expired(t, h.StartingIn(-time.Hour), 100_000)
	if got, err := h.Pay(t, id, diner, booking.Deposit, "pay"); !errors.Is(err, booking.ErrReturned) {
		t.Errorf("%+v, %v", got, err)
	}
	checkBalances(t, h)
}

// A late payment of a diner who cannot pay moves no money.
func TestPayLate_BalanceTooLow(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.Slot("19:00")
	free, poor := h.expired(t, slot, 5_000)
	if _, err := h.Pay(t, free, poor, booking.Deposit, "pay"); !errors.Is(err, wallet.ErrBalanceTooLow) {
		t.Errorf("seats are free: %v, want %v", err, wallet.ErrBalanceTooLow)
	}
	h.MustExec(t, `UPDATE slots SET closed = true`)
	if _, err := h.Pay(t, free, poor, booking.Deposit, "pay"); !errors.Is(err, booking.ErrHoldExpired) {
		t.Errorf("seats are gone: %v, want %v", err, booking.ErrHoldExpired)
	}
	if _, err := h.Pay(t, free, h.Diners(t, 1, 100_000)[0], booking.Deposit, "pay"); !errors.Is(err,
		booking.ErrNotFound) {
		t.Errorf("a stranger: %v", err)
	}
	if n := h.Count(t, `SELECT count(*) FROM ledger_entries WHERE kind <> 'charge'`); n != 0 {
		t.Errorf("%d entries", n)
	}
	checkBalances(t, h)
}

// A hold that has ended is paid as long as no sweeper has seen it.
func TestPayLate_BeforeSweep(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.Diners(t, 1, 100_000)[0]
	req := h.Request(diner, h.Slot("19:00"))
	req.HoldTime = 0
	id := h.Reserve(t, req)
	h.MustExec(t, `UPDATE slots SET closed = true`) // its seats are still its own
	if got, err := h.Pay(t, id, diner, booking.Deposit, "pay"); err != nil || got.State != booking.Confirmed {
		t.Errorf("%+v, %v", got, err)
	}
	h.sweepHolds(t)
	checkBalances(t, h)
}

func TestExtend_Once(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diners := h.Diners(t, 2, 0)
	req := h.Request(diners[0], h.Slot("19:00"))
	req.Policy = h.Restaurant.Terms(2)
	id := h.Reserve(t, req)
	before, err := h.Reservations.Find(t.Context(), id)
	dbtest.Must(t, err)
	if _, err := h.Reservations.Extend(t.Context(), id, diners[1]); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("a stranger: %v", err)
	}
	got, err := h.Reservations.Extend(t.Context(), id, diners[0])
	if err != nil || !got.Extended || !got.HoldExpiresAt.Equal(before.HoldExpiresAt.Add(5*time.Minute)) {
		t.Errorf("%+v, %v", got, err)
	}
	if stored, err := h.Reservations.Find(t.Context(), id); err != nil || !stored.Extended ||
		!stored.HoldExpiresAt.Equal(got.HoldExpiresAt) {
		t.Errorf("stored %+v, %v", stored, err)
	}
	if _, err := h.Reservations.Extend(t.Context(), id, diners[0]); !errors.Is(err, booking.ErrAlreadyExtended) {
		t.Errorf("twice: %v", err)
	}
	late := h.Request(diners[1], h.Slot("19:00"))
	late.HoldTime, late.Policy = 0, h.Restaurant.Terms(2)
	if _, err := h.Reservations.Extend(t.Context(), h.Reserve(t, late), diners[1]); !errors.Is(err,
		booking.ErrHoldExpired) {
		t.Errorf("too late: %v", err)
	}
}

// A reservation retains the terms under which it was made.
func TestReservation_RetainsTerms(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.Diners(t, 1, 100_000)[0]
	req := h.Request(diner, h.StartingIn(36*time.Hour))
	req.Policy = h.Restaurant.Terms(2)
	id := h.Reserve(t, req)
	changed := testkit.Restaurant()
	changed.Policy, changed.ExtensionMinutes, changed.DepositPerPerson, changed.HoldMinutes = booking.Policy{},
		0, 99_000, 1
	if _, err := h.Seeds.PutRestaurant(t.Context(), changed, testkit.Menu()); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Reservations.Extend(t.Context(), id, diner); err != nil {
		t.Errorf("the extension: %v", err)
	}
	if paid, err := h.Pay(t, id, diner, booking.Deposit, "pay"); err != nil || paid.PaidAmount != 20_000 ||
		paid.Policy.Deposit != (booking.DepositTier{FromParty: 1, Kind: booking.PerPerson, Amount: 10_000}) {
		t.Errorf("the deposit: %+v, %v", paid, err)
	}
	if got, err := h.Reservations.Cancel(t.Context(), id,
		reserve.Canceller{UserID: diner, Quoted: 10_000}); err != nil || got.RefundAmount != 10_000 {
		t.Errorf("the refund: %+v, %v", got, err)
	}
}

func TestCancel_RefundsNoLessThanQuoted(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id, diner := h.Confirmed(t, h.StartingIn(36*time.Hour))
	var changed *booking.RefundChangedError
	_, err := h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diner, Quoted: 20_000})
	if !errors.As(err, &changed) || changed.Refund != 10_000 {
		t.Errorf("%v", err)
	}
	if r, err := h.Reservations.Find(t.Context(), id); err != nil || r.State != booking.Confirmed {
		t.Errorf("afterwards %+v, %v", r, err)
	}
}

func TestSettleRefunds_FailureDelaysNoOther(t *testing.T) {
	t.Parallel()
	h := setup(t)
	broken, diner := h.Confirmed(t, h.Slot("18:00"))
	var ids []string
	for _, at := range []booking.TimeOfDay{"19:00", "20:00"} {
		id, _ := h.Confirmed(t, h.Slot(at))
		ids = append(ids, id)
	}
	// Somebody has used the refund's key for something else.
	dbtest.Must(t, h.InTx(t.Context(), func(ctx context.Context, tx *pg.Tx) error {
		return dbwallet.Post(ctx, tx, diner,
			wallet.Move{Kind: wallet.KindCharge, Amount: 1_000, Key: dbwallet.RefundKey(broken)})
	}))
	h.MustExec(t, `UPDATE reservations SET state = 'refund_pending', refund_amount = 20000`)
	slots, err := h.Reservations.SettleRefunds(t.Context(), 10)
	if !errors.Is(err, wallet.ErrKeyReused) || len(slots) != 2 {
		t.Errorf("%v, %v", slots, err)
	}
	for _, id := range ids {
		if r, err := h.Reservations.Find(t.Context(), id); err != nil || r.State != booking.Refunded {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if r, err := h.Reservations.Find(t.Context(), broken); err != nil || r.State != booking.RefundPending {
		t.Errorf("the broken one: %+v, %v", r, err)
	}
}
