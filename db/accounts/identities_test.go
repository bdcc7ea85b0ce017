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
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
)

// entrantsAtOnce is how often somebody comes back from a provider at once.
const entrantsAtOnce = 6

var haneulThere = identity.Identity{Issuer: "https://provider.example", Subject: "h1"}

// enterAtOnce has somebody whom nobody knows come back from a provider at several servers at once, and returns how
// often that failed.
func (h *harness) enterAtOnce(t *testing.T) int64 {
	t.Helper()
	var failed atomic.Int64
	var ids sync.Map
	var all sync.WaitGroup
	for range entrantsAtOnce {
		store := accounts.NewStore(h.Instance(t))
		all.Go(func() {
			id, err := store.EnterByIdentity(t.Context(), haneulThere,
				identity.User{ID: rand.Text(), Email: "haneul@example.org", Name: "하늘"})
			if err != nil {
				failed.Add(1)
				return
			}
			ids.Store(id, true)
		})
	}
	all.Wait()
	accounts := 0
	ids.Range(func(any, any) bool { accounts++; return true })
	if accounts != 1 {
		t.Errorf("%d accounts", accounts)
	}
	return failed.Load()
}

// A stranger who comes back several times at once, as by two tabs, gets one account, by each of them.
func TestEnterByIdentity_OneAccount(t *testing.T) {
	t.Parallel()
	if n := setup(t).enterAtOnce(t); n != 0 {
		t.Errorf("%d failed", n)
	}
}

// Control: without the lock all but one fail.
func TestEnterByIdentity_WithoutTheLock(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Weaken(accounts.LockIdentity,
		dbtest.Replacing("pg_advisory_xact_lock(hashtextextended('identity ' || $2 || ' ' || $1, 0))",
			"$1::text || $2"))
	h.Weaken(accounts.InsertEntrant, dbtest.Meeting(entrantsAtOnce))
	if n := h.enterAtOnce(t); n != entrantsAtOnce-1 {
		t.Errorf("%d failed: the test above proves nothing", n)
	}
}

// An identity goes with its account, and is free for another one then.
func TestEnterByIdentity_GoesWithTheAccount(t *testing.T) {
	t.Parallel()
	h := setup(t)
	enter := func() string {
		t.Helper()
		id, err := h.Users.EnterByIdentity(t.Context(), haneulThere,
			identity.User{ID: rand.Text(), Email: "haneul@example.org", Name: "하늘"})
		dbtest.Must(t, err)
		return id
	}
	before := enter()
	_, err := h.Users.DeleteAccount(t.Context(), identity.EndedSessions{UserID: before})
	dbtest.Must(t, err)
	if after := enter(); after == before {
		t.Error("it opens an account that is deleted")
	}
}

// Whoever objects to another address of an account, or sets a new password, ends the ways to sign in that somebody else
// may have added.
func TestEnterByIdentity_EndsWhereThePasswordDoes(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, h *harness, id string){ // in any order
		"an objection": func(t *testing.T, h *harness, id string) {
			dbtest.Must(t, h.Users.SendChange(t.Context(), id, "thief@example.org"))
			link, err := pg.One[string](t.Context(), h.Pool,
				`SELECT id FROM email_links WHERE user_id = $1 AND kind = 'object'`, id)
			dbtest.Must(t, err)
			_, err = h.Users.UseLink(t.Context(),
				identity.LinkUse{ID: link, Kinds: []identity.LinkKind{identity.LinkObject}})
			dbtest.Must(t, err)
		},
		"a password": func(t *testing.T, h *harness, id string) {
			_, err := h.Users.SetPassword(t.Context(), "hash", identity.EndedSessions{UserID: id})
			dbtest.Must(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			id, err := h.Users.EnterByIdentity(t.Context(), haneulThere,
				identity.User{ID: rand.Text(), Email: "haneul@example.org", Name: "하늘"})
			dbtest.Must(t, err)
			end(t, h, id)
			_, err = h.Users.EnterByIdentity(t.Context(), haneulThere, identity.User{})
			if !errors.Is(err, identity.ErrNoAddress) {
				t.Errorf("the identity still opens the account: %v", err)
			}
		})
	}
}

// unlinkAtOnce has the two providers of somebody without another way in unlinked at the same moment, once start is
// done, and returns how many are left.
func unlinkAtOnce(t *testing.T, h *harness, start func()) int {
	t.Helper()
	id := h.Diners(t, 1, 0)[0]
	h.MustExec(t, `UPDATE users SET password_hash = '', email_confirmed_at = NULL WHERE id = $1`, id)
	h.MustExec(t, `INSERT INTO user_identities (issuer, subject, user_id) VALUES ('a', '1', $1), ('b', '1', $1)`, id)
	holder := h.SQL().MustBeginTx(t.Context(), nil)
	defer func() { _ = holder.Rollback() }()
	holder.MustExec(`SELECT FROM users FOR UPDATE`)
	var wg sync.WaitGroup
	for _, issuer := range []string{"a", "b"} {
		wg.Go(func() {
			err := h.Users.EndIdentity(t.Context(), id, issuer)
			if err != nil && !errors.Is(err, identity.ErrLastWayIn) {
				t.Error(err)
			}
		})
	}
	start()
	dbtest.Must(t, holder.Rollback())
	wg.Wait()
	return h.Count(t, `SELECT count(*) FROM user_identities`)
}

// Of two providers that are unlinked at once, one stays.
func TestEndIdentity_LeavesAWayIn(t *testing.T) {
	t.Parallel()
	h := setup(t)
	if n := unlinkAtOnce(t, h, func() { dbtest.AwaitLocks(t, h.SQL(), 2) }); n != 1 {
		t.Errorf("%d are left, want 1", n)
	}
}

// The control: without the lock each is unlinked because there is the other.
func TestEndIdentity_WithoutTheLock(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Weaken(rowlock.LockUsers, dbtest.Replacing("FOR NO KEY UPDATE", ""))
	h.Weaken(accounts.EndIdentity, dbtest.Meeting(2))
	if n := unlinkAtOnce(t, h, func() {}); n != 0 {
		t.Errorf("%d are left: the test above proves nothing", n)
	}
}
