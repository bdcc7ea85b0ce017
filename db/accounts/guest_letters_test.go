package accounts_test

import (
	"crypto/rand"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/db/accounts"
	"lunchgo/db/dbtest"
)

// Of several who book at once for an address that may get one more letter, one is let.
func TestIntroduceGuest_CountsLettersOneAtATime(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.introduceAlmostAll(t)
	if got := h.introduceAtOnce(t); got != 1 {
		t.Errorf("%d letters, want 1", got)
	}
}

// Control: without the lock of the address each counts what was there before.
func TestIntroduceGuest_WithoutTheLockTooManyLetters(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.introduceAlmostAll(t)
	h.Weaken(accounts.LockAddress, dbtest.Instead(`SELECT $1::text`))
	h.Weaken(accounts.InsertLink, dbtest.Meeting(asking))
	if got := h.introduceAtOnce(t); got != asking {
		t.Errorf("%d letters without the lock: the test above proves nothing", got)
	}
}

const asking = 4 // at once

// introduce makes the account of another guest with an address.
func (h *harness) introduce(t *testing.T) error {
	return h.Users.IntroduceGuest(t.Context(), identity.User{ID: rand.Text(), Email: "many@example.com", Name: "김",
		Phone: "010"})
}

// introduceAlmostAll leaves the address one letter.
func (h *harness) introduceAlmostAll(t *testing.T) {
	t.Helper()
	for range identity.LinkPayment.LettersADay() - 1 {
		dbtest.Must(t, h.introduce(t))
	}
}

// introduceAtOnce returns how many of those who ask are let.
func (h *harness) introduceAtOnce(t *testing.T) int {
	t.Helper()
	var all sync.WaitGroup
	var let atomic.Int64
	for range asking {
		all.Go(func() {
			err := h.introduce(t)
			if err == nil {
				let.Add(1)
			} else if !errors.Is(err, identity.ErrTooManyLetters) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	return int(let.Load())
}
