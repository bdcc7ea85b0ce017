package accounts_test

import (
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/db/accounts"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
)

// agreed are the consents that are stored of somebody, in order.
func (h *harness) agreed(t *testing.T, userID string) string {
	t.Helper()
	all, err := pg.List[string](t.Context(), h.Pool, `
		SELECT document || ' ' || version || ' ' || way
		FROM consents
		WHERE user_id = $1
		ORDER BY document, version`, userID)
	dbtest.Must(t, err)
	return strings.Join(all, ", ")
}

func both(version string) identity.Documents {
	return identity.Documents{Terms: version, Privacy: version}
}

// agreeAtOnce has two presses at two servers agree to the same at the same moment, and returns how many failed.
func (h *harness) agreeAtOnce(t *testing.T, of func(string) string) (userID string, failed int64) {
	t.Helper()
	userID = h.Diners(t, 1, 0)[0]
	meet := dbtest.Meeting(2)
	h.Weaken(accounts.InsertConsents, func(query string) string { return meet(of(query)) })
	var failures atomic.Int64
	var presses sync.WaitGroup
	for range 2 {
		store := accounts.NewStore(h.Instance(t))
		presses.Go(func() {
			err := store.Agree(t.Context(), userID,
				identity.Agreement{Documents: both("2026-01-01"), Way: identity.ByBooking})
			if err != nil {
				failures.Add(1)
			}
		})
	}
	presses.Wait()
	return userID, failures.Load()
}

// Of two presses that agree at once, both succeed, and one row a document is stored.
func TestAgree_AtOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	userID, failed := h.agreeAtOnce(t, dbtest.Intact)
	if got := h.agreed(t, userID); failed != 0 || got != "privacy 2026-01-01 booking, terms 2026-01-01 booking" {
		t.Errorf("%d failed, stored %s", failed, got)
	}
}

// Control: where a second row is no reason to do nothing, one of the two fails.
func TestAgree_AtOnceUnguarded(t *testing.T) {
	t.Parallel()
	h := setup(t)
	if _, failed := h.agreeAtOnce(t, dbtest.Replacing("ON CONFLICT (user_id, document, version) DO NOTHING",
		"")); failed != 1 {
		t.Errorf("%d failed: the test above proves nothing", failed)
	}
}

// The first consent to a version stays as it was; the latest version of each document is found.
func TestAgree_TheFirstTimeStays(t *testing.T) {
	t.Parallel()
	h := setup(t)
	userID := h.Diners(t, 1, 0)[0]
	for _, a := range []identity.Agreement{
		{Documents: both("2026-01-01"), Way: identity.ByAccount},
		{Documents: both("2026-01-01"), Way: identity.ByBooking},
		{Documents: identity.Documents{Terms: "2026-06-01"}, Way: identity.ByBooking},
		{Way: identity.ByBooking},
	} {
		dbtest.Must(t, h.Users.Agree(t.Context(), userID, a))
	}
	if got := h.agreed(t, userID); got != "privacy 2026-01-01 account, "+
		"terms 2026-01-01 account, terms 2026-06-01 booking" {
		t.Error(got)
	}
	found, err := h.Users.FindAgreed(t.Context(), userID)
	if want := (identity.Documents{Terms: "2026-06-01", Privacy: "2026-01-01"}); err != nil || found != want {
		t.Errorf("found %+v, %v", found, err)
	}
	found, err = h.Users.FindAgreed(t.Context(), h.Diners(t, 1, 0)[0])
	if err != nil || found != (identity.Documents{}) {
		t.Errorf("of somebody who never agreed: %+v, %v", found, err)
	}
}

// An account that a press makes has its consent from the same transaction. Whoever gives the address of somebody else's
// account agrees to nothing in their name.
func TestAgree_WithTheAccount(t *testing.T) {
	t.Parallel()
	stranger := func(way identity.ConsentWay) identity.User {
		return identity.User{ID: rand.Text(), Email: "haneul@example.org", Name: "하늘",
			Agrees: identity.Agreement{Documents: both("2026-01-01"), Way: way}}
	}
	for way, enter := range map[identity.ConsentWay]func(t *testing.T, h *harness, u identity.User) error{ // in any order
		identity.BySignUp: func(t *testing.T, h *harness, u identity.User) error {
			return h.Users.SignUp(t.Context(), u)
		},
		identity.ByCheckout: func(t *testing.T, h *harness, u identity.User) error {
			u.Provisional = true
			return errors.Join(h.Users.Introduce(t.Context(), u), h.Users.Introduce(t.Context(), u))
		},
		identity.ByProvider: func(t *testing.T, h *harness, u identity.User) error {
			_, err := h.Users.EnterByIdentity(t.Context(), haneulThere, u)
			return err
		},
	} {
		t.Run(string(way), func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			u := stranger(way)
			dbtest.Must(t, enter(t, h, u))
			want := "privacy 2026-01-01 " + string(way) + ", terms 2026-01-01 " + string(way)
			if got := h.agreed(t, u.ID); got != want {
				t.Errorf("stored %q", got)
			}
			before := h.Count(t, `SELECT count(*) FROM consents`)
			dbtest.Must(t, h.Users.SignUp(t.Context(), stranger(identity.BySignUp)))
			if n := h.Count(t, `SELECT count(*) FROM consents`); way != identity.ByCheckout && n != before {
				t.Errorf("%d consents after a sign-up with the same address, want %d", n, before)
			}
		})
	}
}

// Consents go with the account, and nobody agrees for it afterwards.
func TestAgree_GoesWithTheAccount(t *testing.T) {
	t.Parallel()
	h := setup(t)
	userID := h.Diners(t, 1, 0)[0]
	a := identity.Agreement{Documents: both("2026-01-01"), Way: identity.ByAccount}
	dbtest.Must(t, h.Users.Agree(t.Context(), userID, a))
	_, err := h.Users.DeleteAccount(t.Context(), identity.EndedSessions{UserID: userID})
	dbtest.Must(t, err)
	dbtest.Must(t, h.Users.Agree(t.Context(), userID, a))
	if n := h.Count(t, `SELECT count(*) FROM consents`); n != 0 {
		t.Errorf("%d consents", n)
	}
}
