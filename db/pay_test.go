package db

import (
	"errors"
	"sync"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/wallet"
	"lunchgo/db/dbtest"
)

func (h *harness) pay(t testing.TB, id, userID string, kind booking.PaymentKind, key string) (booking.Reservation,
	error) {
	t.Helper()
	return h.reservations.Pay(t.Context(), booking.PaymentOrder{ReservationID: id, UserID: userID, Kind: kind,
		IdempotencyKey: key})
}

func (h *harness) mustPay(t testing.TB, id, userID string, kind booking.PaymentKind, key string) {
	t.Helper()
	_, err := h.pay(t, id, userID, kind, key)
	dbtest.Must(t, err)
}

func TestPay_TakesMoneyAndConfirms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind  booking.PaymentKind
		state booking.State
		paid  int64
		entry wallet.Kind
	}{
		{booking.Deposit, booking.Confirmed, 20_000, wallet.KindDeposit},
		{booking.Prepay, booking.PrepaidConfirmed, 64_000, wallet.KindPrepay},
	} {
		t.Run(string(c.kind), func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			diner := h.diners(t, 1, 100_000)[0]
			id := h.reserve(t, h.request(diner, h.slot("19:00")))
			got, err := h.pay(t, id, diner, c.kind, "pay")
			if err != nil || got.State != c.state || got.PaidAmount != c.paid {
				t.Fatalf("%+v, %v", got, err)
			}
			again, err := h.pay(t, id, diner, c.kind, "pay")
			if err != nil || again.State != c.state {
				t.Errorf("the same key again: %+v, %v", again, err)
			}
			if _, err := h.pay(t, id, diner, c.kind, "other"); !errors.Is(err, booking.ErrAlreadyPaid) {
				t.Errorf("another key: %v, want %v", err, booking.ErrAlreadyPaid)
			}
			page, err := h.wallets.ListEntries(t.Context(), diner, keyset.Request{})
			entries := page.Items
			if err != nil || len(entries) != 2 || entries[0].Amount != -c.paid || entries[0].Kind != c.entry ||
				entries[0].ReservationID != id {
				t.Errorf("ledger %+v, %v", entries, err)
			}
			if stored, err := h.reservations.Find(t.Context(), id); err != nil || stored.State != c.state ||
				stored.PaidAmount != c.paid {
				t.Errorf("stored %+v, %v", stored, err)
			}
			checkBooks(t, h)
		})
	}
}

func TestPay_RefusalChangesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diners := h.diners(t, 2, 25_000)
	slot := h.slot("19:00")
	mine := h.reserve(t, h.request(diners[0], slot))
	paid := h.reserve(t, h.request(diners[0], h.slot("20:00")))
	h.mustPay(t, paid, diners[0], booking.Deposit, "used")
	late := h.request(diners[1], slot)
	late.HoldTime = -booking.LatePayment
	late.Items = nil
	expired := h.reserve(t, late)
	bare := h.request(diners[1], h.slot("20:00"))
	bare.Items = nil
	plain := h.reserve(t, bare)
	cases := []struct {
		name, id, userID string
		kind             booking.PaymentKind
		key              string
		want             error
	}{
		{"too little money", mine, diners[0], booking.Deposit, "a", wallet.ErrBalanceTooLow},
		{"a stranger", mine, diners[1], booking.Deposit, "b", booking.ErrNotFound},
		{"no such reservation", "none", diners[0], booking.Deposit, "c", booking.ErrNotFound},
		{"a key that paid for another", mine, diners[0], booking.Deposit, "used", booking.ErrKeyReused},
		{"the key of a deposit to prepay", paid, diners[0], booking.Prepay, "used", booking.ErrKeyReused},
		{"a hold that ended long ago", expired, diners[1], booking.Deposit, "d", booking.ErrHoldExpired},
		{"nothing to prepay", plain, diners[1], booking.Prepay, "e", booking.ErrNothingToPrepay},
	}
	// Room for the second deposit, so that the reused key meets its constraint and not an empty wallet.
	for _, c := range cases {
		if c.want == booking.ErrKeyReused {
			charge := wallet.Charge{UserID: c.userID, Amount: 50_000, IdempotencyKey: c.name}
			if _, _, err := h.wallets.Charge(t.Context(), charge); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := h.pay(t, c.id, c.userID, c.kind, c.key); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if n := h.count(t, `SELECT count(*) FROM reservations WHERE state = 'temporary'`); n != 3 {
		t.Errorf("%d are still temporary, want 3", n)
	}
	if n := h.count(t, `SELECT count(*) FROM ledger_entries WHERE amount < 0`); n != 1 {
		t.Errorf("%d payments, want 1", n)
	}
	checkBooks(t, h)
}

func TestPay_ManyKeysPayOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.diners(t, 1, 1_000_000)[0]
	id := h.reserve(t, h.request(diner, h.slot("19:00")))
	var wg sync.WaitGroup
	paid := make(chan bool, 40)
	for i := range 40 {
		wg.Go(func() {
			_, err := h.pay(t, id, diner, booking.Deposit, "key-"+twoDigits(i))
			if err != nil && !errors.Is(err, booking.ErrAlreadyPaid) {
				t.Error(err)
			}
			paid <- err == nil
		})
	}
	wg.Wait()
	close(paid)
	times := 0
	for ok := range paid {
		if ok {
			times++
		}
	}
	if account, err := h.wallets.Find(t.Context(), diner); times != 1 || account.Balance != 980_000 {
		t.Errorf("paid %d times, balance %d (%v), want once and 980,000", times, account.Balance, err)
	}
}

func TestPay_NothingConfirms(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.diners(t, 1, 0)[0]
	req := h.request(diner, h.slot("19:00"))
	req.DepositAmount = 0
	h.mustExec(t, `UPDATE users SET email_confirmed_at = NULL`) // else it is confirmed already
	id := h.reserve(t, req)
	for range 2 {
		if got, err := h.pay(t, id, diner, booking.Deposit, "pay"); err != nil || got.State != booking.Confirmed {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if n := h.count(t, `SELECT count(*) FROM ledger_entries`); n != 0 {
		t.Errorf("%d entries, want none", n)
	}
}
