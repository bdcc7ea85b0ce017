package accounts_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/identity"
	"lunchgo/db/accounts"
	"lunchgo/db/dbtest"
)

// applicants is how many press at the same moment on the link that makes the first operator.
const applicants = 50

// applyAtOnce lets applicants use the link at the same moment, at several processes, and returns how many became
// operators.
func (h *harness) applyAtOnce(t *testing.T, hash []byte) (made int64) {
	t.Helper()
	stores := []*accounts.OperatorStore{}
	for range 3 {
		stores = append(stores, accounts.NewOperatorStore(h.Instance(t)))
	}
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range applicants {
		wg.Go(func() {
			<-start
			id := fmt.Sprint("operator-", i)
			err := stores[i%len(stores)].CreateOperator(t.Context(), hash,
				identity.User{ID: id, Email: id + "@example.org", Name: "김운영", Phone: "010-1234-5678",
					PasswordHash: "!"})
			switch {
			case err == nil:
				atomic.AddInt64(&made, 1)
			case !errors.Is(err, identity.ErrNoInvitation):
				t.Error(err)
			}
		})
	}
	close(start)
	wg.Wait()
	return made
}

// always is the hash of an invitation that is the same whenever that expires.
func always(hash []byte) func(time.Time) []byte { return func(time.Time) []byte { return hash } }

func invite(t *testing.T, h *harness) []byte {
	t.Helper()
	hash := []byte(strings.Repeat("h", 32))
	expires, err := accounts.NewOperatorStore(h.Pool).InviteOperator(t.Context(), false, always(hash), time.Hour)
	if err != nil || expires.IsZero() {
		t.Fatal(expires, err)
	}
	return hash
}

// Fifty who use the link at the same moment make one operator.
func TestCreateOperator_OneOfFifty(t *testing.T) {
	t.Parallel()
	h := setup(t)
	if made := h.applyAtOnce(t, invite(t, h)); made != 1 {
		t.Errorf("%d operators, want 1", made)
	}
}

// The control: who only looks for the invitation, and does not take it, shares it.
func TestCreateOperator_WithoutTakingTheInvitation(t *testing.T) {
	t.Parallel()
	h := setup(t)
	hash := invite(t, h)
	h.Weaken(accounts.TakeInvitation, func(string) string {
		// by an operator
		return `SELECT true FROM operator_invitations WHERE token_hash = $1 AND expires_at > clock_timestamp()`
	})
	if made := h.applyAtOnce(t, hash); made < 2 {
		t.Errorf("%d operators: the race shows nothing", made)
	}
}

// The link is replaced by a later one, ends with its time, outlives an address that is in use, and is not given out
// once there is an operator; one of the demo does not count.
func TestInviteOperator_WhileThereIsNone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	s, ctx := accounts.NewOperatorStore(h.Pool), t.Context()
	taken := identity.User{ID: "d", Email: "demo@example.org", Name: "D", PasswordHash: "!"}
	dbtest.Must(t, h.Seeds.AddDemoUser(ctx, taken))
	dbtest.Must(t, h.Exec(ctx, `UPDATE users SET operator = true WHERE id = 'd'`))
	first, second := []byte("first"), []byte("second")
	for _, hash := range [][]byte{first, second} {
		if expires, err := s.InviteOperator(ctx, false, always(hash), time.Hour); err != nil || expires.IsZero() {
			t.Fatal(expires, err)
		}
	}
	ann := identity.User{ID: "ann", Email: "Ann@example.org", Name: "Ann", PasswordHash: "!"}
	for name, hash := range map[string][]byte{"replaced": first, "made up": []byte("x"), "empty": {}} {
		if err := s.FindInvitation(ctx, hash); !errors.Is(err, identity.ErrNoInvitation) {
			t.Errorf("%s: found: %v", name, err)
		}
		if err := s.CreateOperator(ctx, hash, ann); !errors.Is(err, identity.ErrNoInvitation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	taken.ID = "other"
	if err := s.CreateOperator(ctx, second, taken); !errors.Is(err, identity.ErrEmailTaken) {
		t.Errorf("an address in use: %v", err)
	}
	if err := s.FindInvitation(ctx, second); err != nil {
		t.Errorf("after an address in use: %v", err)
	}
	dbtest.Must(t, s.CreateOperator(ctx, second, ann))
	if is, err := s.IsOperator(ctx, "ann"); err != nil || !is {
		t.Errorf("operator: %v, %v", is, err)
	}
	if expires, err := s.InviteOperator(ctx, false, always(first), time.Hour); err != nil || !expires.IsZero() {
		t.Errorf("with an operator: invited until %v, %v", expires, err)
	}
	// An invitation that another instance stored at the moment at which the first operator was made is worth nothing.
	dbtest.Must(t, h.Exec(ctx,
		`INSERT INTO operator_invitations (token_hash, expires_at) VALUES ('late', now() + interval '1 hour')`))
	bob := identity.User{ID: "bob", Email: "bob@example.org", Name: "Bob", PasswordHash: "!"}
	if err := s.CreateOperator(ctx, []byte("late"), bob); !errors.Is(err, identity.ErrNoInvitation) {
		t.Errorf("a late invitation: %v", err)
	}
}

// Instances that start together have the same link, and one that starts later another.
func TestInviteOperator_TogetherTheSame(t *testing.T) {
	t.Parallel()
	h := setup(t)
	s := accounts.NewOperatorStore(h.Pool)
	hash := func(expires time.Time) []byte { return []byte(expires.UTC().Format(time.RFC3339Nano)) }
	links := make([]time.Time, 8)
	var starts sync.WaitGroup
	for i := range links {
		starts.Go(func() {
			var err error
			if links[i], err = s.InviteOperator(t.Context(), false, hash, time.Hour); err != nil {
				t.Error(err)
			}
		})
	}
	starts.Wait()
	for _, link := range links {
		if err := s.FindInvitation(t.Context(), hash(link)); err != nil || !link.Equal(links[0]) {
			t.Errorf("%v beside %v: %v", link, links[0], err)
		}
	}
	h.MustExec(t, `UPDATE operator_invitations SET expires_at = expires_at - interval '11 minutes'`)
	later, err := s.InviteOperator(t.Context(), false, hash, time.Hour)
	if err != nil || later.Equal(links[0]) {
		t.Errorf("%v after %v, %v", later, links[0], err)
	}
	if err := s.FindInvitation(t.Context(), hash(links[0])); !errors.Is(err, identity.ErrNoInvitation) {
		t.Errorf("the earlier one: %v", err)
	}
}

func TestCreateOperator_NotAfterItsTime(t *testing.T) {
	t.Parallel()
	h := setup(t)
	s := accounts.NewOperatorStore(h.Pool)
	if expires, err := s.InviteOperator(t.Context(), false, always([]byte("h")), -time.Second); err != nil ||
		expires.IsZero() {
		t.Fatal(expires, err)
	}
	if err := s.FindInvitation(t.Context(), []byte("h")); !errors.Is(err, identity.ErrNoInvitation) {
		t.Errorf("found: %v", err)
	}
	ann := identity.User{ID: "ann", Email: "ann@example.org", Name: "Ann", PasswordHash: "!"}
	if err := s.CreateOperator(t.Context(), []byte("h"), ann); !errors.Is(err, identity.ErrNoInvitation) {
		t.Errorf("made: %v", err)
	}
}

// endEachOther has two operators take the right from each other at two processes, each of which waits for a lock before
// either has written, and returns who is left.
func (h *harness) endEachOther(t *testing.T) []identity.User {
	t.Helper()
	stores := []*accounts.OperatorStore{accounts.NewOperatorStore(h.Instance(t)),
		accounts.NewOperatorStore(h.Instance(t))}
	ids := h.Diners(t, 2, 0)
	h.MustExec(t, `UPDATE users SET operator = true WHERE id = ANY ($1)`, pq.Array(ids))
	holder := h.SQL().MustBeginTx(t.Context(), nil)
	defer func() { _ = holder.Rollback() }()
	holder.MustExec(`SELECT FROM users FOR UPDATE`)
	var wg sync.WaitGroup
	for i, s := range stores {
		wg.Go(func() {
			err := s.EndOperator(t.Context(), ids[1-i], ids[i])
			if err != nil && !errors.Is(err, identity.ErrNoOperator) {
				t.Error(err)
			}
		})
	}
	dbtest.AwaitLocks(t, h.SQL(), 2)
	dbtest.Must(t, holder.Rollback()) // nothing changed, so nothing makes those who wait look again
	wg.Wait()
	left, err := stores[0].ListOperators(t.Context())
	dbtest.Must(t, err)
	return left
}

// Of two operators who end each other, one stays.
func TestEndOperator_OneStays(t *testing.T) {
	t.Parallel()
	h := setup(t)
	if left := h.endEachOther(t); len(left) != 1 {
		t.Errorf("%d are left, want one", len(left))
	}
}

// The control: without the lock both are ended.
func TestEndOperator_WithoutTheLock(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Weaken(accounts.LockOperators, func(string) string { return `SELECT` })
	if left := h.endEachOther(t); len(left) > 0 {
		t.Error("somebody is left: the test above proves nothing")
	}
}
