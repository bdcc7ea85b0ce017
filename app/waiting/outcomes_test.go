package waiting

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/refusal"
)

// A result gives back the error that it was made from, with what the error carries. Every refusal of a turn that
// carries values is tried with some.
func TestRefused_ErrGivesTheRefusalBack(t *testing.T) {
	t.Parallel()
	carriers := []error{
		&booking.SoldOutError{Remaining: 3, OnHold: 2},
		&booking.OutOfStockError{Items: []booking.Shortage{{MenuItemID: 7, Remaining: 1}}},
		&booking.SeatTakenError{Taken: []int64{1}, Instead: []int64{2, 3}},
		&booking.AmountChangedError{Amount: -5_000},
		&booking.OverlappingError{ReservationID: "R"},
		&booking.DuplicateError{ReservationID: "R"},
		&booking.ClosedError{Reason: "a private evening"},
		&booking.HeldRecentlyError{Until: time.Date(2026, 12, 24, 10, 0, 0, 0, time.UTC)},
		&booking.NotOpenError{OpensAt: time.Date(2026, 12, 24, 10, 0, 0, 0, time.UTC)},
		&coupon.AlreadyClaimedError{ClaimID: "C"},
		&RemovedError{Reason: "a private evening"},
		&booking.TooManyHoldsError{Limit: 3, Reason: booking.TooManyHolds},
		&booking.FireLimitError{Limit: 60, Inside: 58},
	}
	tried := map[string]bool{}
	for _, err := range carriers {
		tried[refusal.Of(err).Code] = true
	}
	all := carriers
	for _, known := range refusal.All() {
		if known.Turn && known.New == nil {
			all = append(all, known)
		}
		if known.Turn && known.New != nil && !tried[known.Code] {
			t.Errorf("nothing tries what a result keeps of %s", known.Code)
		}
	}
	for _, err := range all {
		result := Refused(fmt.Errorf("serve: %w", err))
		if got := result.Err(); result.State != Rejected || !reflect.DeepEqual(got, err) {
			t.Errorf("%#v is a result with the state %s and the error %#v", err, result.State, got)
		}
	}
}

// The same refusal for another reason, or without its values, stays that refusal.
func TestRefused_KeepsTheCodeWithoutValues(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]*refusal.Refusal{
		booking.ErrClosed: booking.ErrClosed, booking.ErrDuplicate: booking.ErrDuplicate,
		coupon.ErrSoldOut: booking.ErrSoldOut, coupon.ErrNotOpen: booking.ErrNotOpenYet,
		booking.ErrNotFound: refusal.NotFound, refusal.ErrUnavailable: refusal.Unavailable,
		booking.ErrCouponUsed: refusal.ByCode("coupon_used"),
	} {
		result := Refused(err)
		if got := refusal.Of(result.Err()); got != want || result.Code != want.Code {
			t.Errorf("%v is %q, and then %v; want %v", err, result.Code, got, want)
		}
	}
}

func TestRefused_WhatNoRuleNamesIsUnavailable(t *testing.T) {
	t.Parallel()
	for _, err := range []error{errors.New("a secret"), booking.ErrTooSoon} { // no turn refuses so
		if got := Refused(err).Code; got != refusal.Unavailable.Code {
			t.Errorf("%v: code %q, want %q", err, got, refusal.Unavailable.Code)
		}
	}
	if err := (Result{State: Rejected, Code: "of_tomorrow"}).Err(); !errors.Is(err, ErrUnavailable) {
		t.Errorf("an unknown code is the error %v", err)
	}
	if err := (Result{State: Reserved}).Err(); err != nil {
		t.Error(err)
	}
}

// Most of a rush is refused so: to make the result of it costs nothing.
func TestRefused_SoldOutAllocatesNothing(t *testing.T) {
	var err error = &booking.SoldOutError{Remaining: 1}
	if n := testing.AllocsPerRun(100, func() { _ = Refused(err) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
