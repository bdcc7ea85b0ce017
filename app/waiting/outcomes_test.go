package waiting

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

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
	}
	for _, known := range refusals {
		if known.code != CodeSoldOut { // a campaign's carries nothing, a slot's is above
			all = append(all, known.err)
		}
	}
	seen := map[string]bool{CodeUnavailable: true}
	for _, err := range all {
		result := Refused(fmt.Errorf("serve: %w", err))
		assert.Equal(t, Rejected, result.State)
		assert.Equal(t, err, result.Err())
		assert.Equal(t, result.Code, CodeOf(err))
		seen[result.Code] = true
	}
	for _, code := range Codes() {
		assert.True(t, seen[code], code)
	}
}

func TestRefused_WhatNoRuleNamesIsUnavailable(t *testing.T) {
	t.Parallel()
	assert.Equal(t, CodeUnavailable, Refused(errors.New("a secret")).Code)
	assert.ErrorIs(t, Result{State: Rejected, Code: "of_tomorrow"}.Err(), ErrUnavailable)
	assert.NoError(t, Result{State: Reserved}.Err())
	assert.Empty(t, CodeOf(nil))
}
