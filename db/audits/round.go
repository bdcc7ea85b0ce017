package audits

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"lunchgo/app/audit"
	"lunchgo/db/pg"
)

// round is an audit of everything that is under way.
type round struct {
	Report audit.Report `json:"report"` // At: when it began
	Stage  int          `json:"stage"`
	After  string       `json:"after"`  // the last id or day that it looked at
	Halved int          `json:"halved"` // how often slices of the stage were halved: one ran out of its time
}

// size is how large the next slice is.
func (r *round) size() int { return max(stages[r.Stage].size>>r.Halved, 1) }

// AuditSlice implements audit.Books.
func (s *Store) AuditSlice(ctx context.Context) (found audit.Report, ran bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, smallestLimit)
	defer cancel()
	late := false
	err = s.inRound(ctx, func(r *round, tx *sqlx.Tx) (err error) {
		limit := s.sliceLimit
		if r.size() == 1 {
			limit = smallestLimit
		}
		limited, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		found, err = r.slice(limited, tx, s.sliceLimit)
		ran, late = err == nil, limited.Err() != nil
		return err
	})
	if late && !ran {
		err = errors.Join(err, s.inRound(ctx, func(r *round, _ *sqlx.Tx) error {
			r.Halved++
			return nil
		}))
	}
	if pg.IsRetryable(err) { // another instance has just finished one
		return audit.Report{}, false, nil
	}
	return found, ran, s.db.MapError(err)
}

// inRound stores what work makes of the round under way, unless none is due or another instance is at it.
func (s *Store) inRound(ctx context.Context, work func(r *round, tx *sqlx.Tx) error) error {
	return s.inSnapshot(ctx, false, func(tx *sqlx.Tx) error {
		r, due, err := holdRound(ctx, tx)
		if err != nil || !due {
			return err
		}
		if err := work(&r, tx); err != nil {
			return err
		}
		return r.store(ctx, tx)
	})
}

// holdRound returns the round under way, or a new one if that is due, and holds its row until the transaction ends. It
// is night by the clock that most restaurants have.
func holdRound(ctx context.Context, tx *sqlx.Tx) (r round, due bool, err error) {
	var row struct {
		State          *round
		Report, Recent audit.Report
		Now            time.Time
		Hour           int
	}
	rows, err := tx.QueryxContext(ctx, `
		SELECT state, report, (SELECT report FROM last_audit) AS recent, now(),
			extract(hour FROM now() AT TIME ZONE COALESCE(
			(SELECT mode() WITHIN GROUP (ORDER BY time_zone) FROM restaurants), 'UTC'))::integer AS hour
		FROM audit_round
		FOR UPDATE SKIP LOCKED`)
	if err == nil {
		err = pg.ScanOne(rows, &row)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return round{}, false, nil
	}
	if err != nil {
		return round{}, false, err
	}
	if row.State != nil {
		return *row.State, true, nil
	}
	r = round{Report: audit.Report{At: row.Now}, After: stages[0].first}
	return r, row.Report.Or(row.Recent).RoundDue(row.Now, row.Hour), nil
}

// slice audits the next slice. One that took little of its time lets the next be larger again.
func (r *round) slice(ctx context.Context, tx *sqlx.Tx, limit time.Duration) (audit.Report, error) {
	began := time.Now()
	next, err := r.next(ctx, tx)
	if err != nil {
		return audit.Report{}, err
	}
	found, err := runChecks(ctx, tx, next, nil)
	r.Report = r.Report.And(found)
	if time.Since(began) < limit/4 {
		r.Halved = max(r.Halved-1, 0)
	}
	return found, err
}

// next reads what the next slice has, and goes on past it; behind the last one of a stage, nothing.
func (r *round) next(ctx context.Context, tx *sqlx.Tx) (scope, error) {
	next, err := readScope(ctx, tx, stages[r.Stage].query, r.After, r.size())
	if err != nil {
		return nil, err
	}
	if after, found := next["after"]; found {
		r.After = after
		return next, nil
	}
	r.Halved = 0
	if r.Stage++; r.Stage < len(stages) {
		r.After = stages[r.Stage].first
	}
	return next, nil
}

func (r *round) store(ctx context.Context, tx *sqlx.Tx) error {
	query := `UPDATE audit_round SET state = $1::jsonb`
	if r.Stage == len(stages) {
		query = `UPDATE audit_round SET state = NULL,
			report = jsonb_set($1::jsonb -> 'report', '{ended}', to_jsonb(clock_timestamp()))`
	}
	_, err := tx.ExecContext(ctx, query, pg.JSON(r))
	return err
}
