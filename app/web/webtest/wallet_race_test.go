package webtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/app/wallet"
	"lunchgo/app/web"
	"lunchgo/app/web/ratelimit"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/measured"
	"lunchgo/db/dbtest/tables"
	"lunchgo/db/pg"
	dbwallet "lunchgo/db/wallet"
)

// storm lets n contenders act at the same moment, and returns the answer that each got, and how long that took.
func storm(n int, act func(i int) answer) (answers []answer, times map[string]float64) {
	answers, took := make([]answer, n), make([]time.Duration, n)
	var contenders sync.WaitGroup
	start := make(chan struct{})
	began := time.Now()
	for i := range n {
		contenders.Go(func() {
			<-start
			answers[i] = act(i)
			took[i] = time.Since(began)
		})
	}
	close(start)
	contenders.Wait()
	return answers, measured.Times(took, slices.Max(took))
}

// insist posts under a key, and again when the server says to come back.
func (r *harness) insist(t *testing.T, as person, path, key string, body any) answer {
	t.Helper()
	for {
		a := r.post(t, as, path, key, body)
		after, err := strconv.Atoi(a.header.Get("Retry-After"))
		if a.status != http.StatusServiceUnavailable || err != nil {
			return a
		}
		select {
		case <-time.After(time.Duration(after) * time.Second):
		case <-t.Context().Done():
			return a
		}
	}
}

// oneForMany are limits under which one account may do what hundreds do.
var oneForMany = ratelimit.Limits{Presses: 100_000, Changes: 100_000, AccountReads: 100_000}

// count counts answers by status.
func count(answers []answer) map[int]int {
	statuses := map[int]int{}
	for _, a := range answers {
		statuses[a.status]++
	}
	return statuses
}

func TestWallet_RepeatsAtTwoServersChargeOnce(t *testing.T) {
	t.Parallel()
	first := newHarness(t)
	servers := []*harness{first, first.twin(t)}
	for _, n := range []int{10, 100, 1_000} {
		for path, left := range map[string]int{"charges": 130_000, "withdrawals": 70_000} {
			who := first.diner(t, 100_000)
			answers, times := storm(n, func(i int) answer {
				return servers[i%2].insist(t, who, "/api/wallet/"+path, "the-key", map[string]any{"amount": 30_000})
			})
			for _, a := range answers {
				if a.status != 201 || string(a.raw) != string(answers[0].raw) {
					t.Fatalf("of %d %s one got %d %s, another %s", n, path, a.status, a.raw, answers[0].raw)
				}
			}
			if w := first.get(t, who, "/api/wallet").want(t, 200, ""); w.number(t, "balance") != left ||
				w.number(t, "version") != 2 {
				t.Errorf("after %d %s: %s", n, path, w.raw)
			}
			measured.Log(t, fmt.Sprint("one-charge/", n), map[string]int{"repeats": n}, times)
		}
	}
	first.balances(t)
}

// hotTopUps are so many different ones of one wallet at the same moment.
const hotTopUps = 400

func TestWallet_HotOneAtTwoServersRefusesNothing(t *testing.T) {
	t.Parallel()
	first := newHarnessWith(t, programtest.Setup{Config: program.Config{Web: web.Config{Limits: oneForMany}}})
	servers, who := []*harness{first, first.twin(t)}, first.diner(t, 0)
	answers, times := storm(hotTopUps, func(i int) answer {
		return servers[i%2].insist(t, who, "/api/wallet/charges", fmt.Sprint("key-", i),
			map[string]any{"amount": 1_000 + i})
	})
	versions := map[int]bool{}
	for _, a := range answers {
		versions[a.want(t, 201, "").number(t, "version")] = true
	}
	w := first.get(t, who, "/api/wallet").want(t, 200, "")
	if want := hotTopUps*1_000 + (hotTopUps-1)*hotTopUps/2; w.number(t, "balance") != want ||
		w.number(t, "version") != hotTopUps || len(versions) != hotTopUps {
		t.Errorf("%d won at version %d, %d versions returned; want %d, %d, %[5]d", w.number(t, "balance"),
			w.number(t, "version"), len(versions), want, hotTopUps)
	}
	measured.Log(t, "hot-top-ups", map[string]int{"top-ups": hotTopUps}, times)
	first.balances(t)
}

// So many contestants want a deposit's worth of one wallet, which holds that for so many winners. Some of them want to
// pay a reservation with it, the others to take it out.
const (
	contestants = 200
	payers      = 40
	winners     = 60
	share       = 20_000 // won
)

// seatOften makes temporary reservations of two seats, each in a slot of its own.
func (r *harness) seatOften(t *testing.T, who person, n int) []string {
	t.Helper()
	r.Stores.Slots.Limits.Holds = n // who has many to pay for is out of the question here
	const slotsADay = 14
	ids := make([]string, n)
	for i := range ids {
		ids[i] = r.seat(t, who, booking.SlotKey{RestaurantID: r.restaurant.ID, Date: r.day(1 + i/slotsADay),
			Time: booking.TimeOfDay(fmt.Sprintf("%02d:00", 8+i%slotsADay))}, 2)
	}
	return ids
}

// Withdrawals against payments spend nothing twice.
func TestWallet_WithdrawalsAgainstPayments(t *testing.T) {
	t.Parallel()
	first := newHarnessWith(t, programtest.Setup{Config: program.Config{Web: web.Config{Limits: oneForMany}}})
	servers, who := []*harness{first, first.twin(t)}, first.diner(t, winners*share)
	reservations := first.seatOften(t, who, payers)
	answers, times := storm(contestants, func(i int) answer {
		at, key := servers[i%2], fmt.Sprint("key-", i)
		if i >= payers {
			return at.insist(t, who, "/api/wallet/withdrawals", key, map[string]any{"amount": share})
		}
		return at.insist(t, who, "/api/reservations/"+reservations[i]+"/payment", key,
			map[string]any{"kind": "deposit"})
	})
	statuses := count(answers)
	if statuses[200]+statuses[201] != winners || statuses[402] != contestants-winners {
		t.Errorf("answers %v, want %d in all that got their money and 402 for the others", statuses, winners)
	}
	w := first.get(t, who, "/api/wallet").want(t, 200, "")
	if w.number(t, "balance") != 0 || w.number(t, "version") != 1+winners {
		t.Errorf("the wallet: %d won at version %d", w.number(t, "balance"), w.number(t, "version"))
	}
	confirmed := 0
	for _, res := range first.get(t, who, "/api/reservations").list(t, "reservations") {
		if res["state"] == "confirmed" {
			confirmed++
		}
	}
	if confirmed != statuses[200] {
		t.Errorf("%d are confirmed, %d were answered so", confirmed, statuses[200])
	}
	first.balances(t)
	times["paid"], times["withdrawn"] = float64(statuses[200]), float64(statuses[201])
	measured.Log(t, "shares", map[string]int{"payments": payers, "withdrawals": contestants - payers, "shares": winners},
		times)
}

// naiveWallets look first and write then, with nothing that ties the two: no version, no lock, no constraint.
type naiveWallets struct {
	*dbwallet.Store
	raw *sql.DB
}

func (n naiveWallets) Charge(ctx context.Context, c wallet.Charge) (wallet.Entry, wallet.Account, error) {
	return n.move(ctx, c.UserID, c.Amount, wallet.KindCharge, c.IdempotencyKey)
}

func (n naiveWallets) Withdraw(ctx context.Context, w wallet.Withdrawal) (wallet.Entry, wallet.Account, error) {
	return n.move(ctx, w.UserID, -w.Amount, wallet.KindWithdrawal, w.IdempotencyKey)
}

func (n naiveWallets) move(ctx context.Context, userID string, amount int64, kind wallet.Kind,
	key string) (wallet.Entry, wallet.Account, error) {
	account, entry := wallet.Account{UserID: userID}, wallet.Entry{Amount: amount, Kind: kind}
	err := n.raw.QueryRowContext(ctx, `SELECT balance, version FROM accounts WHERE user_id = $1`, userID).
		Scan(&account.Balance, &account.Version)
	if err != nil {
		return entry, account, err
	}
	err = n.raw.QueryRowContext(ctx,
		`SELECT id FROM ledger_entries WHERE user_id = $1 AND idempotency_key = $2 LIMIT 1`, userID, key).
		Scan(&entry.ID)
	if !errors.Is(err, sql.ErrNoRows) {
		return entry, account, err
	}
	if account.Balance+amount < 0 {
		return entry, account, wallet.ErrBalanceTooLow
	}
	err = n.raw.QueryRowContext(ctx, `
		INSERT INTO ledger_entries (user_id, version, amount, kind, idempotency_key, balance_after)
		VALUES ($1, $2, $3, $4, $5, $6)
		RETURNING id, created_at`,
		userID, account.Version+1, amount, string(kind), key, account.Balance+amount).Scan(&entry.ID, &entry.CreatedAt)
	if err != nil {
		return entry, account, err
	}
	entry.Version, entry.BalanceAfter = account.Version+1, account.Balance+amount
	_, err = n.raw.ExecContext(ctx,
		`UPDATE accounts SET balance = balance + $2, version = version + 1 WHERE user_id = $1`, userID, amount)
	return entry, account, err
}

// newNaiveHarness is a server over wallets that nothing guards, the database neither.
func newNaiveHarness(t *testing.T) *harness {
	t.Helper()
	address := tables.Database(t)
	raw, err := sql.Open("postgres", address)
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = raw.Close() })
	raw.SetMaxOpenConns(12)
	_, err = raw.ExecContext(t.Context(), `
		DROP TRIGGER ledger_entries_continue ON ledger_entries;
		DROP TRIGGER accounts_equal_ledger ON accounts;
		ALTER TABLE accounts DROP CONSTRAINT accounts_balance_not_negative;
		ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_user_key, DROP CONSTRAINT ledger_entries_user_version`)
	dbtest.Must(t, err)
	pool, err := db.Open(t.Context(), pg.Config{URL: address})
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = pool.Close() })
	return newHarnessWith(t, programtest.Setup{Database: address,
		Config: program.Config{Web: web.Config{Limits: oneForMany},
			Options: program.Options{Wallets: naiveWallets{dbwallet.NewStore(pool), raw}}}})
}

// The control of the three tests above, by the way that lets many of a hundred repeats through.
func TestWallet_LookingFirstAndWritingThenFails(t *testing.T) {
	t.Parallel()
	first := newNaiveHarness(t)
	servers := []*harness{first, first.twin(t)}
	charged := 0
	for round := 0; charged < 2 && round < 20; round++ { // the crowd does not always meet
		who := first.diner(t, 100_000)
		storm(100, func(i int) answer {
			return servers[i%2].insist(t, who, "/api/wallet/charges", "the-key", map[string]any{"amount": 30_000})
		})
		charged = len(first.get(t, who, "/api/wallet").list(t, "entries")) - 1
	}
	if charged < 2 {
		t.Error("100 repeats were charged once, 20 times: the test of repeats proves nothing")
	}
	t.Logf("%d of 100 repeats were charged", charged)

	who := first.diner(t, winners*share)
	answers, _ := storm(contestants, func(i int) answer {
		return servers[i%2].insist(t, who, "/api/wallet/withdrawals", fmt.Sprint("key-", i),
			map[string]any{"amount": share})
	})
	statuses := count(answers)
	account, err := first.Stores.Wallets.Find(t.Context(), who.id)
	dbtest.Must(t, err)
	if statuses[201] <= winners || account.Balance >= 0 {
		t.Errorf("answers %v, %d won are left: the test of withdrawals proves nothing", statuses, account.Balance)
	}
	t.Logf("%d of %d got money that was there for %d", statuses[201], contestants, winners)
}
