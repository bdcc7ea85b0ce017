package db_test

import (
	"errors"
	"sync"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/wallet"
)

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
			diner := h.Diners(t, 1, 100_000)[0]
			id := h.Reserve(t, h.Request(diner, h.Slot("19:00")))
			got, err := h.Pay(t, id, diner, c.kind, "pay")
			if err != nil || got.State != c.state || got.PaidAmount != c.paid {
				t.Fatalf("%+v, %v", got, err)
			}
			again, err := h.Pay(t, id, diner, c.kind, "pay")
			if err != nil || again.State != c.state {
				t.Errorf("the same key again: %+v, %v", again, err)
			}
			if _, err := h.Pay(t, id, diner, c.kind, "other"); !errors.Is(err, booking.ErrAlreadyPaid) {
				t.Errorf("another key: %v, want %v", err, booking.ErrAlreadyPaid)
			}
			page, err := h.Wallets.ListEntries(t.Context(), diner, keyset.Request{})
			entries := page.Items
			if err != nil || len(entries) != 2 || entries[0].Amount != -c.paid || entries[0].Kind != c.entry ||
				entries[0].ReservationID != id {
				t.Errorf("ledger %+v, %v", entries, err)
			}
			if stored, err := h.Reservations.Find(t.Context(), id); err != nil || stored.State != c.state ||
				stored.PaidAmount != c.paid {
				t.Errorf("stored %+v, %v", stored, err)
			}
			h.CheckBooks(t)
		})
	}
}

func TestPay_RefusalChangesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diners := h.Diners(t, 2, 25_000)
	slot := h.Slot("19:00")
	mine := h.Reserve(t, h.Request(diners[0], slot))
	paid := h.Reserve(t, h.Request(diners[0], h.Slot("20:00")))
	h.MustPay(t, paid, diners[0], booking.Deposit, "used")
	late := h.Request(diners[1], slot)
	late.HoldTime = -booking.LatePayment
	late.Items = nil
	expired := h.Reserve(t, late)
	bare := h.Request(diners[1], h.Slot("20:00"))
	bare.Items = nil
	plain := h.Reserve(t, bare)
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
			if _, _, err := h.Wallets.Charge(t.Context(), charge); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := h.Pay(t, c.id, c.userID, c.kind, c.key); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if n := h.Count(t, `SELECT count(*) FROM reservations WHERE state = 'temporary'`); n != 3 {
		t.Errorf("%d are still temporary, want 3", n)
	}
	if n := h.Count(t, `SELECT count(*) FROM ledger_entries WHERE amount < 0`); n != 1 {
		t.Errorf("%d payments, want 1", n)
	}
	h.CheckBooks(t)
}

func TestPay_ManyKeysPayOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.Diners(t, 1, 1_000_000)[0]
	id := h.Reserve(t, h.Request(diner, h.Slot("19:00")))
	var wg sync.WaitGroup
	paid := make(chan bool, 40)
	for i := range 40 {
		wg.Go(func() {
			_, err := h.Pay(t, id, diner, booking.Deposit, "key-"+twoDigits(i))
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
	if account, err := h.Wallets.Find(t.Context(), diner); times != 1 || account.Balance != 980_000 {
		t.Errorf("paid %d times, balance %d (%v), want once and 980,000", times, account.Balance, err)
	}
}

func TestPay_NothingConfirms(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.Diners(t, 1, 0)[0]
	req := h.Request(diner, h.Slot("19:00"))
	req.DepositAmount = 0
	h.MustExec(t, `UPDATE users SET email_confirmed_at = NULL`) // else it is confirmed already
	id := h.Reserve(t, req)
	for range 2 {
		if got, err := h.Pay(t, id, diner, booking.Deposit, "pay"); err != nil || got.State != booking.Confirmed {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if n := h.Count(t, `SELECT count(*) FROM ledger_entries`); n != 0 {
		t.Errorf("%d entries, want none", n)
	}
}
