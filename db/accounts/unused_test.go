package accounts_test

import (
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/app/wallet"
	"lunchgo/db/accounts"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

const unusedAge = 90 * 24 * time.Hour

// unconfirmed makes an account of long ago that nobody has confirmed.
func (h *harness) unconfirmed(t *testing.T, email string) string {
	t.Helper()
	id := rand.Text()
	dbtest.Must(t, h.Users.Introduce(t.Context(), identity.User{ID: id, Email: email, Name: "S", Phone: "010-1234-5678",
		Provisional: true}))
	h.MustExec(t, `UPDATE users SET created_at = now() - interval '91 days' WHERE id = $1`, id)
	return id
}

func (h *harness) listUnused(t *testing.T) (ids []string) {
	t.Helper()
	var last identity.Unconfirmed
	for {
		found, err := h.Users.ListUnconfirmed(t.Context(), unusedAge, last, 2)
		dbtest.Must(t, err)
		for _, last = range found {
			ids = append(ids, last.ID)
		}
		if len(found) < 2 {
			return ids
		}
	}
}

func (h *harness) deleteUnused(t *testing.T, id string) error {
	t.Helper()
	_, err := h.Users.DeleteUnconfirmed(t.Context(), unusedAge, identity.EndedSessions{UserID: id, Until: time.Now()})
	return err
}

// Old accounts that nobody has confirmed go, and whatever holds something, is used, confirmed or young stays: it is not
// listed, nor deleted when it is asked for nevertheless.
func TestDeleteUnconfirmed_LeavesWhatHoldsSomething(t *testing.T) {
	t.Parallel()
	h := setup(t)
	holds, rich, used, confirmed, young, booked := h.unconfirmed(t, "a@example.org"),
		h.unconfirmed(t, "b@example.org"), h.unconfirmed(t, "c@example.org"), h.unconfirmed(t, "d@example.org"),
		h.unconfirmed(t, "e@example.org"), h.unconfirmed(t, "f@example.org")
	h.Reserve(t, h.Request(holds, h.Slot("18:30")))
	h.MustExec(t, `UPDATE reservations SET created_at = now() - interval '91 days'`)
	if _, _, err := h.Wallets.Charge(t.Context(), wallet.Charge{UserID: rich, Amount: 10_000,
		IdempotencyKey: "k"}); err != nil {
		t.Fatal(err)
	}
	dbtest.Must(t, h.Users.RecordSession(t.Context(), testkit.SessionOf(used, "s", time.Now(), 0), ""))
	h.MustExec(t, `UPDATE users SET email_confirmed_at = now() WHERE id = $1`, confirmed)
	h.MustExec(t, `UPDATE users SET created_at = now() - interval '89 days' WHERE id = $1`, young)
	h.bulk(t, booked, 1, 0)
	h.MustExec(t, `UPDATE reservations SET state = 'cancelled', created_at = now() WHERE user_id = $1`, booked)
	var idle []string
	for range 3 {
		idle = append(idle, h.unconfirmed(t, "idle@example.org"))
	}
	if listed := h.listUnused(t); len(listed) != len(idle) {
		t.Errorf("listed: %v, want %v", listed, idle)
	}
	for name, id := range map[string]string{"holds": holds, "rich": rich, "used": used, "confirmed": confirmed,
		"young": young, "booked": booked} {
		if err := h.deleteUnused(t, id); err == nil {
			t.Errorf("%s is deleted", name)
		}
	}
	for _, id := range idle {
		if err := h.deleteUnused(t, id); err != nil {
			t.Error(err)
		}
		if err := h.deleteUnused(t, id); !errors.Is(err, identity.ErrNotFound) {
			t.Errorf("twice: %v", err)
		}
	}
	if n := h.Count(t, `SELECT count(*) FROM users WHERE deleted_at IS NOT NULL`); n != len(idle) {
		t.Errorf("%d are deleted, want %d", n, len(idle))
	}
}

// An account whose address is confirmed after it was listed stays. Without the look under the lock it goes.
func TestDeleteUnconfirmed_AfterAConfirmation(t *testing.T) {
	t.Parallel()
	for name, guarded := range map[string]bool{"guarded": true, "control": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			id := h.unconfirmed(t, "late@example.org")
			if listed := h.listUnused(t); len(listed) != 1 {
				t.Fatalf("listed: %v", listed)
			}
			if !guarded {
				h.Weaken(accounts.CheckUnused, dbtest.Instead(`SELECT $2::text WHERE $1::bigint > 0`))
			}
			h.MustExec(t, `UPDATE users SET email_confirmed_at = now() WHERE id = $1`, id)
			if err := h.deleteUnused(t, id); errors.Is(err, identity.ErrNotFound) != guarded {
				t.Errorf("guarded %v: %v", guarded, err)
			}
		})
	}
}
