package e2e_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// A miniature of what docs/scale.md proposes for transactions that cross from a restaurant's database to an account's.
// A *claim* is made at the account first: money in escrow, or one of its few holds. The restaurant *decides* once about
// each claim, in the transaction that changes the reservation. The decision is its own outbox: it is *settled* at the
// account until that is noted. A claim that nobody decides about is withdrawn by a decision too, so that a late step
// finds it.

const accountSchema = `
	CREATE TABLE accounts (id text PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= 0));
	CREATE TABLE claims (
		id text PRIMARY KEY, account_id text NOT NULL, kind text NOT NULL, amount bigint NOT NULL,
		state text NOT NULL DEFAULT 'open', made_at timestamptz NOT NULL DEFAULT clock_timestamp());
	CREATE INDEX claims_open ON claims (made_at) WHERE state = 'open';
	CREATE INDEX claims_of ON claims (account_id);
	CREATE TABLE ledger (account_id text NOT NULL, claim_id text NOT NULL, amount bigint NOT NULL)`

const restaurantSchema = `
	CREATE TABLE slots (id integer PRIMARY KEY, capacity integer NOT NULL);
	CREATE TABLE reservations (
		id text PRIMARY KEY, slot_id integer NOT NULL, hold_claim text NOT NULL, paid_claim text, state text NOT NULL);
	CREATE INDEX reservations_of ON reservations (slot_id);
	CREATE TABLE decisions (
		claim_id text PRIMARY KEY, verdict text NOT NULL, outcome text NOT NULL, settled boolean NOT NULL DEFAULT false);
	CREATE INDEX decisions_open ON decisions (claim_id) WHERE NOT settled`

// Outcomes of a decision, and states of a claim besides "open".
const (
	captured = "captured" // the money is the restaurant's, the hold counts
	released = "released" // the money is back, the hold does not count any more
)

const holdsAtOnce = 3 // of an account, over all restaurants

var (
	errDied    = errors.New("the process died")
	errRefused = errors.New("refused")
)

// shards are a restaurant's and an account's database, and the process that works on both.
type shards struct {
	restaurant, account *sql.DB
	// dies says whether the process dies at a step: "claim", "decide", "settle" or "note", before or after its commit.
	dies func(step string) bool

	// The parts of the protocol; a negative control leaves one out.
	asksFirst bool // a claim is withdrawn by a decision at the restaurant, not at the account alone
	once      bool // a claim is settled by a compare-and-set on its state
	together  bool // a decision is made in the transaction that changes the reservation
}

// step runs work in one transaction of one database. The process may die before its commit, which undoes it, and after
// it.
func (s *shards) step(ctx context.Context, db *sql.DB, name string, work func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	if err := work(tx); err != nil {
		return err
	}
	if s.dies(name + " before commit") {
		return errDied
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if s.dies(name + " after commit") {
		return errDied
	}
	return nil
}

type claim struct {
	id, account, kind string // kind: "hold" or "money"
	amount            int64
}

// claim sets aside money or a hold at the account, once for an id. Returns errRefused when there is none left.
func (s *shards) claim(ctx context.Context, c claim) error {
	return s.step(ctx, s.account, "claim", func(tx *sql.Tx) error {
		var balance int64
		var holds, known int
		if err := tx.QueryRow(`SELECT balance FROM accounts WHERE id = $1 FOR UPDATE`,
			c.account).Scan(&balance); err != nil {
			return err
		}
		err := tx.QueryRow(`
			SELECT count(*) FILTER (WHERE kind = 'hold' AND state <> 'released'), count(*) FILTER (WHERE id = $2)
			FROM claims
			WHERE account_id = $1`, c.account, c.id).Scan(&holds, &known)
		if err != nil || known > 0 {
			return err
		}
		if balance < c.amount || c.kind == "hold" && holds >= holdsAtOnce {
			return errRefused
		}
		if _, err := tx.Exec(`INSERT INTO claims (id, account_id, kind, amount) VALUES ($1, $2, $3, $4)`,
			c.id, c.account, c.kind, c.amount); err != nil {
			return err
		}
		return move(tx, c.account, c.id, -c.amount)
	})
}

// move changes a balance and writes the entry that says why.
func move(tx *sql.Tx, account, claim string, amount int64) error {
	if amount == 0 {
		return nil
	}
	_, err := tx.Exec(`
		WITH entry AS (INSERT INTO ledger (account_id, claim_id, amount) VALUES ($1, $2, $3))
		UPDATE accounts SET balance = balance + $3 WHERE id = $1`, account, claim, amount)
	return err
}

// hold takes a seat of a slot, if one is left, under a claim for one of the account's holds. A repeat finds what was
// decided.
func (s *shards) hold(ctx context.Context, reservation string, slot int) error {
	c := "hold:" + reservation
	return s.decide(ctx, c, func(tx *sql.Tx) (string, error) {
		var capacity, taken int
		if err := tx.QueryRow(`SELECT capacity FROM slots WHERE id = $1 FOR UPDATE`, slot).Scan(&capacity); err != nil {
			return "", err
		}
		err := tx.QueryRow(`SELECT count(*) FROM reservations WHERE slot_id = $1 AND state IN ('held', 'confirmed')`,
			slot).Scan(&taken)
		if err != nil || taken >= capacity {
			return released, err
		}
		return captured, nil
	}, func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO reservations (id, slot_id, hold_claim, state) VALUES ($1, $2, $3, 'held')`,
			reservation, slot, c)
		return err
	})
}

// pay confirms a reservation under a claim for its price. One that is paid already, or ended, gives the claim back.
func (s *shards) pay(ctx context.Context, reservation, c string) error {
	return s.decide(ctx, c, func(tx *sql.Tx) (outcome string, err error) {
		err = tx.QueryRow(
			`SELECT CASE state WHEN 'held' THEN 'captured' ELSE 'released' END FROM reservations WHERE id = $1 FOR UPDATE`, reservation).Scan(&outcome)
		return outcome, err
	}, func(tx *sql.Tx) error {
		return s.changeState(tx, `SET state = 'confirmed', paid_claim = $2 WHERE id = $1 AND state = 'held'`,
			reservation, c)
	})
}

// decide decides once about a claim and, when it is captured, changes the reservation in the same transaction. The
// verdict is what a repeat is answered with, the outcome what becomes of the claim: a hold that was granted is released
// when it is over.
func (s *shards) decide(ctx context.Context, c string, judge func(*sql.Tx) (string, error),
	change func(*sql.Tx) error) error {
	verdict, first := "", false
	err := s.step(ctx, s.restaurant, "decide", func(tx *sql.Tx) (err error) {
		if verdict, err = judge(tx); err != nil {
			return err
		}
		done, err := tx.Exec(
			`INSERT INTO decisions (claim_id, verdict, outcome) VALUES ($1, $2, $2) ON CONFLICT DO NOTHING`, c, verdict)
		if err != nil {
			return err
		}
		if n, _ := done.RowsAffected(); n == 0 {
			return tx.QueryRow(`SELECT verdict FROM decisions WHERE claim_id = $1`, c).Scan(&verdict)
		}
		if first = verdict == captured; first && s.together {
			return change(tx)
		}
		return nil
	})
	if err == nil && first && !s.together {
		err = s.step(ctx, s.restaurant, "change", change)
	}
	if err == nil && verdict == released {
		err = errRefused
	}
	return err
}

// changeState changes one reservation. What ends with it is released: the hold, once it is paid or over, and its money,
// once it is cancelled.
func (s *shards) changeState(tx *sql.Tx, change, reservation string, args ...any) error {
	var hold, paid sql.NullString
	var state string
	err := tx.QueryRow(`UPDATE reservations `+change+` RETURNING hold_claim, paid_claim, state`,
		append([]any{reservation}, args...)...).Scan(&hold, &paid, &state)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = tx.Exec(`
		UPDATE decisions SET outcome = 'released', settled = false
		WHERE claim_id = $1 OR claim_id = $2 AND $3 = 'cancelled'`, hold, paid, state)
	return err
}

// expire ends a hold that is not paid; cancel ends a paid reservation and gives its money back.
func (s *shards) expire(ctx context.Context, reservation string) error {
	return s.step(ctx, s.restaurant, "decide", func(tx *sql.Tx) error {
		return s.changeState(tx, `SET state = 'expired' WHERE id = $1 AND state = 'held'`, reservation)
	})
}

func (s *shards) cancel(ctx context.Context, reservation string) error {
	return s.step(ctx, s.restaurant, "decide", func(tx *sql.Tx) error {
		return s.changeState(tx, `SET state = 'cancelled' WHERE id = $1 AND state = 'confirmed'`, reservation)
	})
}

// settle brings decisions to the account, any number of times each, and notes those that have arrived.
func (s *shards) settle(ctx context.Context) error {
	pending, err := pairs(ctx, s.restaurant, `SELECT claim_id, outcome FROM decisions WHERE NOT settled LIMIT 100`)
	for _, d := range pending {
		if err == nil {
			err = s.settleOne(ctx, d[0], d[1])
		}
		if err == nil {
			err = s.step(ctx, s.restaurant, "note", func(tx *sql.Tx) error { // unless it was decided anew meanwhile
				_, err := tx.Exec(`UPDATE decisions SET settled = true WHERE claim_id = $1 AND outcome = $2`, d[0],
					d[1])
				return err
			})
		}
	}
	return err
}

func (s *shards) settleOne(ctx context.Context, id, outcome string) error {
	return s.step(ctx, s.account, "settle", func(tx *sql.Tx) error {
		change := `UPDATE claims SET state = $2 WHERE id = $1`
		if s.once {
			change += ` AND (state = 'open' OR state = 'captured' AND $2 = 'released')`
		}
		var account string
		var amount int64
		err := tx.QueryRow(change+` RETURNING account_id, amount`, id, outcome).Scan(&account, &amount)
		if errors.Is(err, sql.ErrNoRows) {
			return nil // a repeat
		}
		if err != nil || outcome == captured {
			return err
		}
		return move(tx, account, id, amount)
	})
}

// recover withdraws the claims that have been open for longer than a time: whoever made them is dead, or slow.
func (s *shards) recover(ctx context.Context, after time.Duration) error {
	open, err := pairs(ctx, s.account, fmt.Sprintf(`
		SELECT id, '' FROM claims WHERE state = 'open' AND made_at < clock_timestamp() - interval '%d microseconds' LIMIT 100`,
		after.Microseconds()))
	for _, c := range open {
		switch {
		case err != nil:
		case s.asksFirst:
			err = s.step(ctx, s.restaurant, "decide", func(tx *sql.Tx) error {
				_, err := tx.Exec(
					`INSERT INTO decisions (claim_id, verdict, outcome) VALUES ($1, 'released', 'released') ON CONFLICT DO NOTHING`, c[0])
				return err
			})
		default:
			err = s.settleOne(ctx, c[0], released)
		}
	}
	return err
}

// pairs reads rows of two texts.
func pairs(ctx context.Context, db *sql.DB, query string) (found [][2]string, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p [2]string
		if err := rows.Scan(&p[0], &p[1]); err != nil {
			return nil, err
		}
		found = append(found, p)
	}
	return found, rows.Err()
}
