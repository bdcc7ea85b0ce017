package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"lunchgo/app/audit"
)

// round is an audit of everything that is under way.
type round struct {
	Report audit.Report `json:"report"` // At: when it began
	Stage  int          `json:"stage"`
	After  string       `json:"after"` // the last id or day that it looked at
}

// AuditSlice implements audit.Books.
func (s *AuditStore) AuditSlice(ctx context.Context) (found audit.Report, ran bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, sliceLimit)
	defer cancel()
	err = s.inSnapshot(ctx, false, func(tx *sqlx.Tx) error {
		r, due, err := holdRound(ctx, tx)
		if err != nil || !due {
			return err
		}
		if found, err = r.slice(ctx, tx); err != nil {
			return err
		}
		ran = true
		return r.store(ctx, tx)
	})
	if isRetryable(err) { // another instance has just finished one
		return audit.Report{}, false, nil
	}
	return found, ran, mapError(err)
}

// holdRound returns the round under way, or a new one if that is due, and holds its row until the transaction ends. It
// is night by the clock that most restaurants have.
func holdRound(ctx context.Context, tx *sqlx.Tx) (r round, due bool, err error) {
	var row struct {
		State  []byte    `db:"state"`
		Report []byte    `db:"report"`
		Now    time.Time `db:"now"`
		Hour   int       `db:"hour"`
	}
	err = tx.GetContext(ctx, &row, `
		SELECT state, COALESCE(report, '{}') AS report, now(), extract(hour FROM now() AT TIME ZONE COALESCE(
			(SELECT mode() WITHIN GROUP (ORDER BY time_zone) FROM restaurants), 'UTC'))::integer AS hour
		FROM audit_round
		FOR UPDATE SKIP LOCKED`)
	if errors.Is(err, sql.ErrNoRows) {
		return round{}, false, nil
	}
	if err != nil {
		return round{}, false, err
	}
	if row.State != nil {
		err = json.Unmarshal(row.State, &r)
		return r, true, err
	}
	var last audit.Report
	if err := json.Unmarshal(row.Report, &last); err != nil {
		return round{}, false, err
	}
	return round{Report: audit.Report{At: row.Now}, After: stages[0].first}, last.RoundDue(row.Now, row.Hour), nil
}

// slice audits the next slice.
func (r *round) slice(ctx context.Context, tx *sqlx.Tx) (audit.Report, error) {
	next, err := r.next(ctx, tx)
	if err != nil {
		return audit.Report{}, err
	}
	found, err := runChecks(ctx, tx, next, nil)
	r.Report = r.Report.And(found)
	return found, err
}

// next reads what the next slice has, and goes on past it; nothing behind the last one.
func (r *round) next(ctx context.Context, tx *sqlx.Tx) (scope, error) {
	for {
		next, err := readScope(ctx, tx, stages[r.Stage].query, r.After)
		if err != nil {
			return nil, err
		}
		if after, found := next["after"]; found {
			r.After = after
			return next, nil
		}
		if r.Stage++; r.Stage == len(stages) {
			return next, nil
		}
		r.After = stages[r.Stage].first
	}
}

func (r *round) store(ctx context.Context, tx *sqlx.Tx) error {
	state, err := json.Marshal(r)
	if err != nil {
		return err
	}
	query := `UPDATE audit_round SET state = $1::jsonb`
	if r.Stage == len(stages) {
		query = `UPDATE audit_round SET report = $1::jsonb -> 'report', state = NULL`
	}
	_, err = tx.ExecContext(ctx, query, string(state))
	return err
}
