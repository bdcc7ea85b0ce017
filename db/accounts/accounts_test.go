package accounts_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/db/accounts"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// What keeps an account from being deleted is named, and nothing is changed.
func TestDeleteAccount_Obstacles(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ids := h.Diners(t, 3, 0)
	rich := h.Diners(t, 1, 500)[0]
	hold := h.Reserve(t, h.Request(ids[0], h.Slot("18:30")))
	dbtest.Must(t, h.Seeds.PutStaff(t.Context(), ids[1],
		identity.Membership{RestaurantID: h.Restaurant.ID, Role: identity.RoleOwner}))
	for userID, want := range map[string]error{ids[0]: identity.ErrReservationsLeft, rich: identity.ErrBalanceLeft,
		ids[1]: identity.ErrOnlyOwner, "nobody": identity.ErrNotFound} {
		if err := h.DeleteAccount(t, userID); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	o, err := h.Users.FindObstacles(t.Context(), ids[0])
	if err != nil || o.Reservations != 1 || len(o.ReservationIDs) != 1 || o.ReservationIDs[0] != hold {
		t.Errorf("%+v, %v", o, err)
	}
	if n := h.Count(t, `SELECT count(*) FROM users WHERE deleted_at IS NOT NULL OR name = ''`); n != 0 {
		t.Errorf("%d accounts are changed", n)
	}
	// What staff never marked is over with its time.
	h.bulk(t, ids[2], 1, 0)
	h.MustExec(t, `UPDATE reservations SET state = 'confirmed' WHERE user_id = $1`, ids[2])
	if err := h.DeleteAccount(t, ids[2]); err != nil {
		t.Errorf("with a reservation of long ago: %v", err)
	}
	if err := h.DeleteAccount(t, ids[2]); !errors.Is(err, identity.ErrNotFound) {
		t.Errorf("twice: %v", err)
	}
}

// Two owners of a restaurant delete their accounts at the same moment: one of them stays. Without the lock both go.
func TestDeleteAccount_OneOwnerStays(t *testing.T) {
	t.Parallel()
	for name, guarded := range map[string]bool{"guarded": true, "control": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			owners := h.Diners(t, 2, 0)
			for _, owner := range owners {
				dbtest.Must(t, h.Seeds.PutStaff(t.Context(), owner,
					identity.Membership{RestaurantID: h.Restaurant.ID, Role: identity.RoleOwner}))
			}
			together := dbtest.Meeting(2)
			h.Weaken(accounts.LockOwners, func(query string) string {
				if guarded {
					return together(query)
				}
				return dbtest.Replacing("FOR UPDATE", "")(query)
			})
			if !guarded {
				h.Weaken(accounts.RemoveMemberships, together)
			}
			errs := make([]error, len(owners))
			var all sync.WaitGroup
			for i, owner := range owners {
				all.Go(func() { errs[i] = h.DeleteAccount(t, owner) })
			}
			all.Wait()
			left := h.Count(t, `SELECT count(*) FROM staff_members WHERE role = 'owner'`)
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
			ids := h.Diners(t, 2, 0)
			if !guarded {
				h.MustExec(t, `ALTER TABLE reservations DISABLE TRIGGER reservations_follow`)
			}
			deleted, neighbour := h.Request(ids[0], h.Slot("18:30")), h.Request(ids[1], h.Slot("18:30"))
			dbtest.Must(t, h.DeleteAccount(t, ids[0]))
			outcomes, _, err := h.Slots.Serve(t.Context(), h.TurnOf(deleted, 1_000, 0),
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
			if err := h.Users.RecordSession(t.Context(), testkit.SessionOf(ids[0], "late", time.Now(), 0),
				""); !errors.Is(err,
				identity.ErrInvalidSession) {
				t.Errorf("a session: %v", err)
			}
			if err := h.Users.UpdateProfile(t.Context(), ids[0], identity.Profile{Name: new(string)}); !errors.Is(err,
				identity.ErrNotFound) {
				t.Errorf("a name: %v", err)
			}
			if err := h.Users.SetLanguage(t.Context(), ids[0], "en"); !errors.Is(err, identity.ErrInvalidSession) {
				t.Errorf("a language: %v", err)
			}
		})
	}
}

// A hold that is being made while its person deletes their account is seen by the deletion, which waits for it.
func TestDeleteAccount_WaitsForAHoldUnderWay(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ann := h.Diners(t, 1, 0)[0]
	request := h.Request(ann, h.Slot("18:30"))
	made, deleting := make(chan error, 1), make(chan struct{})
	var once sync.Once
	h.Weaken(accounts.LockUser, func(query string) string {
		once.Do(func() { close(deleting) })
		return query
	})
	tx, err := h.SQL().BeginTxx(t.Context(), nil)
	dbtest.Must(t, err)
	defer func() { _ = tx.Rollback() }()
	h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], request.Slot)) // makes the slot
	_, err = tx.ExecContext(t.Context(), `
		INSERT INTO reservations (id, slot_id, restaurant_id, user_id, party_size, state, hold_expires_at, deposit_amount, menu_amount, policy,
			idempotency_key, fence)
		SELECT 'under way', id, restaurant_id, $1, 2, 'temporary', now() + interval '5 minutes', 0, 0, '{}', 'k', 1
		FROM slots
		LIMIT 1`, ann)
	dbtest.Must(t, err)
	go func() { made <- h.DeleteAccount(t, ann) }()
	<-deleting
	dbtest.Must(t, tx.Commit())
	if err := <-made; !errors.Is(err, identity.ErrReservationsLeft) {
		t.Errorf("%v, want ErrReservationsLeft", err)
	}
}
