package waiting

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"lunchgo/app/booking"
)

// A result gives back the error that it was made from, with what the error carries.
func TestRefused_ErrGivesTheRefusalBack(t *testing.T) {
	t.Parallel()
	all := []error{
		&booking.SoldOutError{Remaining: 3, OnHold: 2},
		&booking.OutOfStockError{Items: []booking.Shortage{{MenuItemID: 7, Remaining: 1}}},
		&booking.SeatTakenError{Taken: []int64{1}, Instead: []int64{2, 3}},
		&booking.AmountChangedError{Amount: -5_000},
		&booking.OverlappingError{ReservationID: "R"},
		&booking.HeldRecentlyError{Until: time.Date(2026, 12, 24, 10, 0, 0, 0, time.UTC)},
		&RemovedError{Reason: "a private evening"},
		&booking.TooManyHoldsError{Limit: 3, Reason: booking.TooManyHolds},
	}
	for _, known := range refusals {
		if known.code != CodeSoldOut { // a campaign's carries nothing, a slot's is above
			all = append(all, known.err)
		}
	}
	seen := map[string]bool{CodeUnavailable: true}
	for _, err := range all {
		result := Refused(fmt.Errorf("serve: %w", err))
		if got := result.Err(); result.State != Rejected || !reflect.DeepEqual(got, err) {
			t.Errorf("%#v is a result with the state %s and the error %#v", err, result.State, got)
		}
		if got := CodeOf(err); got != result.Code {
			t.Errorf("the code of %v is %s, and %s in the result", err, got, result.Code)
		}
		seen[result.Code] = true
	}
	for _, code := range Codes() {
		if !seen[code] {
			t.Errorf("no error has the code %s", code)
		}
	}
}

func TestRefused_WhatNoRuleNamesIsUnavailable(t *testing.T) {
	t.Parallel()
	if got := Refused(errors.New("a secret")).Code; got != CodeUnavailable {
		t.Errorf("code %q, want %q", got, CodeUnavailable)
	}
	if err := (Result{State: Rejected, Code: "of_tomorrow"}).Err(); !errors.Is(err, ErrUnavailable) {
		t.Errorf("an unknown code is the error %v", err)
	}
	if err := (Result{State: Reserved}).Err(); err != nil {
		t.Error(err)
	}
	if got := CodeOf(nil); got != "" {
		t.Errorf("the code of nil is %q", got)
	}
}
