package db

import (
	"errors"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/db/dbtest"
)

func (h *harness) deleteAccount(t *testing.T, userID string) error {
	t.Helper()
	_, err := h.users.DeleteAccount(t.Context(), identity.EndedSessions{UserID: userID, Until: time.Now()})
	return err
}

// What keeps an account from being deleted is named, and nothing is changed.
func TestDeleteAccount_Obstacles(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ids := h.diners(t, 3, 0)
	rich := h.diners(t, 1, 500)[0]
	hold := h.reserve(t, h.request(ids[0], h.slot("18:30")))
	dbtest.Must(t, h.seeds.PutStaff(t.Context(), ids[1],
		identity.Membership{RestaurantID: h.restaurant.ID, Role: identity.RoleOwner}))
	for userID, want := range map[string]error{ids[0]: identity.ErrReservationsLeft, rich: identity.ErrBalanceLeft,
		ids[1]: identity.ErrOnlyOwner, "nobody": identity.ErrNotFound} {
		if err := h.deleteAccount(t, userID); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	o, err := h.users.FindObstacles(t.Context(), ids[0])
	if err != nil || o.Reservations != 1 || len(o.ReservationIDs) != 1 || o.ReservationIDs[0] != hold {
		t.Errorf("%+v, %v", o, err)
	}
	if n := h.count(t, `SELECT count(*) FROM users WHERE deleted_at IS NOT NULL OR name = ''`); n != 0 {
		t.Errorf("%d accounts are changed", n)
	}
	// What staff never marked is over with its time.
	h.bulk(t, ids[2], 1, 0)
	h.mustExec(t, `UPDATE reservations SET state = 'confirmed' WHERE user_id = $1`, ids[2])
	if err := h.deleteAccount(t, ids[2]); err != nil {
		t.Errorf("with a reservation of long ago: %v", err)
	}
	if err := h.deleteAccount(t, ids[2]); !errors.Is(err, identity.ErrNotFound) {
		t.Errorf("twice: %v", err)
	}
}

// Who has money on its way stays: it may come back to the wallet.
func TestDeleteAccount_MoneyUnderWay(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	diner := h.diners(t, 1, 0)[0]
	p := h.begin(t, h.reserve(t, h.request(diner, h.slot("19:00"))), diner, "pay")
	stays := func(while payments.State) {
		t.Helper()
		if state := h.state(t, p.ID).State; state != while {
			t.Errorf("the payment is %s, want %s", state, while)
		}
		if err := h.deleteAccount(t, diner); !errors.Is(err, identity.ErrReservationsLeft) {
			t.Errorf("while the payment is %s: %v", while, err)
		}
	}
	h.mustExec(t, `UPDATE reservations SET hold_expires_at = now()`)
	h.sweepHolds(t)
	stays(payments.Started)
	h.press(t, p.ID, practice.Pay)
	h.mustSettle(t, p.ID)
	h.work(t)
	h.mustCancel(t, p.ReservationID, diner)
	h.settle(t)
	stays(payments.Refunding)
	h.work(t)
	dbtest.Must(t, h.deleteAccount(t, diner))
}

// Two owners of a restaurant delete their accounts at the same moment: one of them stays. Without the lock both go.
func TestDeleteAccount_OneOwnerStays(t *testing.T) {
	t.Parallel()
	for name, guarded := range map[string]bool{"guarded": true, "control": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			owners := h.diners(t, 2, 0)
			for _, owner := range owners {
				dbtest.Must(t, h.seeds.PutStaff(t.Context(), owner,
					identity.Membership{RestaurantID: h.restaurant.ID, Role: identity.RoleOwner}))
			}
			together := meeting(2)
			h.Weaken(lockOwners, func(query string) string {
				if guarded {
					return together(query)
				}
				return replacing("FOR UPDATE", "")(query)
			})
			if !guarded {
				h.Weaken(removeMemberships, together)
			}
			errs := make([]error, len(owners))
			var all sync.WaitGroup
			for i, owner := range owners {
				all.Go(func() { errs[i] = h.deleteAccount(t, owner) })
			}
			all.Wait()
			left := h.count(t, `SELECT count(*) FROM staff_members WHERE role = 'owner'`)
			if want := map[bool]int{true: 1, false: 0}[guarded]; left != want {
				t.Errorf("%d owners are left, want %d; %v", left, want, errs)
			}
		})
	}
}

// A request that was on its way when its person deleted their account comes to nothing. Without the triggers it would
// leave a reservation of nobody.
func TestDeleteAccount_RefusesWhatWasUnderWay(t *testing.T) {
	t.Parallel()
	for name, guarded := range map[string]bool{"guarded": true, "control": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			ids := h.diners(t, 2, 0)
			if !guarded {
				h.mustExec(t, `ALTER TABLE reservations DISABLE TRIGGER reservations_follow`)
			}
			deleted, neighbour := h.request(ids[0], h.slot("18:30")), h.request(ids[1], h.slot("18:30"))
			dbtest.Must(t, h.deleteAccount(t, ids[0]))
			outcomes, _, err := h.slots.Serve(t.Context(), h.turnOf(deleted, 1_000, 0),
				[]booking.Request{deleted, neighbour})
			if err != nil || len(outcomes) != 2 || !outcomes[1].Reserves() {
				t.Fatalf("%+v, %v", outcomes, err)
			}
			if guarded != errors.Is(outcomes[0].Err, identity.ErrInvalidSession) || guarded == outcomes[0].Reserves() {
				t.Errorf("guarded %v: %+v", guarded, outcomes[0])
			}
			if !guarded {
				return
			}
			if err := h.users.RecordSession(t.Context(), sessionOf(ids[0], "late", time.Now(), 0), ""); !errors.Is(err,
				identity.ErrInvalidSession) {
				t.Errorf("a session: %v", err)
			}
			if err := h.users.UpdateProfile(t.Context(), ids[0], identity.Profile{Name: new(string)}); !errors.Is(err,
				identity.ErrNotFound) {
				t.Errorf("a name: %v", err)
			}
			if err := h.users.SetLanguage(t.Context(), ids[0], "en"); !errors.Is(err, identity.ErrInvalidSession) {
				t.Errorf("a language: %v", err)
			}
		})
	}
}

// A hold that is being made while its person deletes their account is seen by the deletion, which waits for it.
func TestDeleteAccount_WaitsForAHoldUnderWay(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ann := h.diners(t, 1, 0)[0]
	request := h.request(ann, h.slot("18:30"))
	made, deleting := make(chan error, 1), make(chan struct{})
	var once sync.Once
	h.Weaken(lockUser, func(query string) string {
		once.Do(func() { close(deleting) })
		return query
	})
	tx, err := h.SQL().BeginTxx(t.Context(), nil)
	dbtest.Must(t, err)
	defer func() { _ = tx.Rollback() }()
	h.reserve(t, h.request(h.diners(t, 1, 0)[0], request.Slot)) // makes the slot
	_, err = tx.ExecContext(t.Context(), `
		INSERT INTO reservations (id, slot_id, restaurant_id, user_id, party_size, state, hold_expires_at, deposit_amount, menu_amount, policy,
			idempotency_key, fence)
		SELECT 'under way', id, restaurant_id, $1, 2, 'temporary', now() + interval '5 minutes', 0, 0, '{}', 'k', 1
		FROM slots
		LIMIT 1`, ann)
	dbtest.Must(t, err)
	go func() { made <- h.deleteAccount(t, ann) }()
	<-deleting
	dbtest.Must(t, tx.Commit())
	if err := <-made; !errors.Is(err, identity.ErrReservationsLeft) {
		t.Errorf("%v, want ErrReservationsLeft", err)
	}
}
