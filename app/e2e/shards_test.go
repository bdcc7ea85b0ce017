package e2e_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
)

const (
	price   = 1_000
	funded  = 5_000 // won in each wallet
	seats   = 7     // of each slot
	nobody  = "nothing dies"
	waiters = 24 // diners at work at once
)

// newShards makes the two databases, each of a server of its own, with accounts a0, a1 … and slots 0, 1 ….
func newShards(t *testing.T, accounts, slots int) (*shards, *embedded.Server) {
	t.Helper()
	open := func(schema, rows string, n int) (*sql.DB, *embedded.Server) {
		server := dbtest.PrivatePostgres(t)
		db, err := sql.Open("postgres", server.URL)
		must(t, err)
		db.SetMaxOpenConns(waiters)
		t.Cleanup(func() { must(t, db.Close()) })
		_, err = db.Exec(schema)
		must(t, err)
		_, err = db.Exec(rows, n-1)
		must(t, err)
		return db, server
	}
	s := &shards{asksFirst: true, once: true, together: true, dies: func(string) bool { return false }}
	var wallets *embedded.Server
	s.account, wallets = open(accountSchema, fmt.Sprintf(`
		WITH made AS (INSERT INTO accounts SELECT 'a' || n, %d FROM generate_series(0, $1::integer) n RETURNING id, balance)
		INSERT INTO ledger SELECT id, 'opening', balance FROM made`, funded), accounts)
	s.restaurant, _ = open(restaurantSchema, fmt.Sprintf(`
		INSERT INTO slots SELECT n, %d FROM generate_series(0, $1::integer) n`, seats), slots)
	return s, wallets
}

// finish recovers everything with a process that does not die.
func (s *shards) finish(ctx context.Context) error {
	s.dies = func(string) bool { return false }
	for {
		var open, pending int
		err := errors.Join(s.recover(ctx, 0), s.settle(ctx),
			s.account.QueryRow(`SELECT count(*) FROM claims WHERE state = 'open'`).Scan(&open),
			s.restaurant.QueryRow(`SELECT count(*) FROM decisions WHERE NOT settled`).Scan(&pending))
		if err != nil || open+pending == 0 {
			return err
		}
	}
}

// faults says what is wrong once everything is settled: money made or lost, a seat without its money, money without its
// seat, a slot oversold, more holds than an account may have.
func (s *shards) faults(ctx context.Context, accounts int) (found []string, err error) {
	number := func(db *sql.DB, query string) (n int64) {
		err = errors.Join(err, db.QueryRowContext(ctx, query).Scan(&n))
		return n
	}
	check := func(what string, got, want int64) {
		if got != want {
			found = append(found, fmt.Sprintf("%s: %d, want %d", what, got, want))
		}
	}
	check("money in all", number(s.account, `SELECT (SELECT sum(balance) FROM accounts)
		+ (SELECT COALESCE(sum(amount), 0) FROM claims WHERE state <> 'released')`), int64(accounts)*funded)
	check("wallets unlike their ledgers", number(s.account, `SELECT count(*) FROM accounts a
		WHERE balance <> (SELECT sum(amount) FROM ledger WHERE account_id = a.id)`), 0)
	check("claims still open", number(s.account, `SELECT count(*) FROM claims WHERE state = 'open'`), 0)
	check("accounts with too many holds", number(s.account, fmt.Sprintf(`SELECT count(*) FROM (
		SELECT FROM claims WHERE kind = 'hold' AND state = 'captured' GROUP BY account_id HAVING count(*) > %d) a`, holdsAtOnce)), 0)
	check("slots oversold", number(s.restaurant, `SELECT count(*) FROM slots s WHERE capacity <
		(SELECT count(*) FROM reservations WHERE slot_id = s.id AND state IN ('held', 'confirmed'))`), 0)
	for kind, query := range map[string]string{
		"money": `SELECT paid_claim, '' FROM reservations WHERE state = 'confirmed'`,
		"hold":  `SELECT hold_claim, '' FROM reservations WHERE state = 'held'`,
	} { // in any order
		want, wantErr := pairs(ctx, s.restaurant, query)
		got, gotErr := pairs(ctx, s.account, `SELECT id, '' FROM claims WHERE state = 'captured' AND kind = '`+kind+`'`)
		err = errors.Join(err, wantErr, gotErr)
		has := map[string]bool{}
		for _, c := range got {
			has[c[0]] = true
		}
		for _, c := range want {
			if !has[c[0]] {
				found = append(found, "a reservation without its "+kind+": "+c[0])
			}
		}
		check("captured claims for "+kind, int64(len(got)), int64(len(want)))
	}
	return found, err
}

// book holds a seat and pays for it, as one diner whose process may die at any step.
func (s *shards) book(ctx context.Context, account, reservation string, slot int) error {
	if err := s.claim(ctx, claim{"hold:" + reservation, account, "hold", 0}); err != nil {
		return err
	}
	if err := s.hold(ctx, reservation, slot); err != nil {
		return err
	}
	return s.payOnce(ctx, account, reservation, "first")
}

func (s *shards) payOnce(ctx context.Context, account, reservation, key string) error {
	id := "pay:" + reservation + ":" + key
	if err := s.claim(ctx, claim{id, account, "money", price}); err != nil {
		return err
	}
	return s.pay(ctx, reservation, id)
}

// A process dies before and after the commit of each step of a booking that is paid and of one that is cancelled.
// Recovery by another process leaves it paid once or not at all, whether the diner repeats the press or not.
func TestSoak_Shards_CrashAtEveryStep(t *testing.T) {
	skipUnlessSoak(t)
	t.Parallel()
	s, _ := newShards(t, 1, 1000)
	ctx, booked := t.Context(), 0
	steps := []string{nobody}
	for _, step := range []string{"claim", "decide", "settle", "note"} {
		steps = append(steps, step+" before commit", step+" after commit")
	}
	for n := range 2 * 4 * len(steps) { // each step, at its first to fourth time, with and without a repeat
		at, time, repeats := steps[n%len(steps)], n/len(steps)%4, n >= 4*len(steps)
		s.dies = func(step string) bool {
			if step == at {
				time--
			}
			return step == at && time == -1
		}
		reservation := fmt.Sprintf("r%d", n)
		err := s.book(ctx, "a0", reservation, n)
		if err == nil {
			err = s.settle(ctx)
		}
		if err == nil && !repeats {
			if err = s.cancel(ctx, reservation); err == nil {
				err = s.settle(ctx)
			}
		}
		if err != nil && !errors.Is(err, errDied) {
			t.Fatal(at, err)
		}
		if repeats {
			if err := s.book(ctx, "a0", reservation, n); err == nil {
				booked++
			} else if !errors.Is(err, errRefused) && !errors.Is(err, errDied) {
				t.Fatal(at, err)
			}
		}
		must(t, s.finish(ctx))
		must(t, s.expire(ctx, reservation))
		must(t, s.cancel(ctx, reservation))
		must(t, s.finish(ctx))
		found, err := s.faults(ctx, 1)
		must(t, err)
		if len(found) > 0 {
			t.Fatalf("a crash at %q: %v", at, found)
		}
	}
	if booked < 4*len(steps)/2 {
		t.Errorf("only %d repeated presses were answered with a booking", booked)
	}
}

// Each part of the protocol is needed: without it one crash or one slow process breaks a promise.
func TestSoak_Shards_Controls(t *testing.T) {
	skipUnlessSoak(t)
	t.Parallel()
	for name, fault := range map[string]func(s *shards) error{
		// Recovery gives a claim back while its payment is only slow: a seat without its money.
		"withdrawn without asking the restaurant": func(s *shards) error {
			ctx := t.Context()
			s.asksFirst = false
			return errors.Join(s.claim(ctx, claim{"hold:slow", "a0", "hold", 0}), s.hold(ctx, "slow", 0),
				s.claim(ctx, claim{"pay:slow", "a0", "money", price}), s.recover(ctx, 0),
				s.pay(ctx, "slow", "pay:slow"))
		},
		// The process dies before it notes that a claim is settled: the money comes back twice.
		"settled without a compare-and-set": func(s *shards) error {
			ctx := t.Context()
			s.once = false
			return errors.Join(s.claim(ctx, claim{"pay:late", "a0", "money", price}), s.recover(ctx, 0),
				s.settleOne(ctx, "pay:late", released)) // and nothing notes it
		},
		// The process dies between the decision and the reservation: one of the account's holds is gone for a seat it
		// does not have.
		"decided in a transaction of its own": func(s *shards) error {
			s.together = false
			s.dies = func(step string) bool { return step == "change before commit" }
			if err := s.book(t.Context(), "a0", "half", 0); !errors.Is(err, errDied) {
				return fmt.Errorf("it did not die: %w", err)
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := newShards(t, 1, 1)
			must(t, fault(s))
			must(t, s.finish(t.Context()))
			found, err := s.faults(t.Context(), 1)
			must(t, err)
			if len(found) == 0 {
				t.Error("the fault does not show")
			}
			t.Log(found)
		})
	}
}

// Thousands of diners book, pay twice at once, let holds expire and cancel, while every tenth step kills its process,
// claims are withdrawn after 5 ms, and the accounts' server is killed in the middle. Afterwards every promise holds.
func TestSoak_Shards_ManyAtOnce(t *testing.T) {
	skipUnlessSoak(t)
	t.Parallel()
	const accounts, slots, presses = 500, 300, 6_000
	s, wallets := newShards(t, accounts, slots)
	var died, answered, refused, pressed atomic.Int64
	s.dies = func(string) bool {
		if rand.IntN(10) > 0 {
			return false
		}
		died.Add(1)
		return true
	}
	ctx, stop := context.WithCancel(t.Context())
	var diners, helpers sync.WaitGroup
	for range 2 { // of what fails the next round is the repair
		helpers.Go(func() {
			for ctx.Err() == nil {
				_ = s.recover(ctx, 5*time.Millisecond)
				_ = s.settle(ctx)
			}
		})
	}
	for range waiters {
		diners.Go(func() {
			for n := pressed.Add(1); n <= presses; n = pressed.Add(1) {
				if n == presses/2 {
					wallets.Kill()
					must(t, wallets.Revive(ctx))
				}
				switch err := s.pressAtRandom(ctx, n, accounts, slots); {
				case err == nil:
					answered.Add(1)
				case errors.Is(err, errRefused):
					refused.Add(1)
				}
			}
		})
	}
	diners.Wait()
	stop()
	helpers.Wait()
	must(t, s.finish(t.Context()))
	found, err := s.faults(t.Context(), accounts)
	must(t, err)
	for _, fault := range found {
		t.Error(fault)
	}
	var confirmed int
	must(t, s.restaurant.QueryRow(`SELECT count(*) FROM reservations WHERE state = 'confirmed'`).Scan(&confirmed))
	t.Logf("%d presses: %d answered, %d refused, processes died %d times; %d reservations are paid", presses,
		answered.Load(), refused.Load(), died.Load(), confirmed)
	if confirmed == 0 || died.Load() == 0 {
		t.Error("nothing was tried")
	}
}

// pressAtRandom is a diner who books, repeats what failed, and sometimes pays twice at once, cancels, or comes too
// late.
func (s *shards) pressAtRandom(ctx context.Context, n int64, accounts, slots int) error {
	account, reservation, slot := fmt.Sprintf("a%d", rand.IntN(accounts)), fmt.Sprintf("r%d", n), rand.IntN(slots)
	err := s.book(ctx, account, reservation, slot)
	if err != nil && rand.IntN(2) == 0 {
		err = s.book(ctx, account, reservation, slot)
	}
	var both sync.WaitGroup
	switch rand.IntN(4) {
	case 0:
		both.Go(func() { _ = s.payOnce(ctx, account, reservation, "second") })
		both.Go(func() { _ = s.expire(ctx, reservation) })
	case 1:
		both.Go(func() { _ = s.cancel(ctx, reservation) })
	}
	both.Wait()
	return err
}
