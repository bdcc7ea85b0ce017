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

// Bounds of audits. As long as one lasts, vacuum cleans nothing up.
const (
	auditStatementLimit = 30 * time.Minute
	recentLimit         = time.Minute
	recentWindow        = time.Hour // for what was found before the last audit
	sliceLimit          = 30 * time.Second
	smallestLimit       = 10 * time.Minute // for a slice that cannot be smaller
)

// Store implements audit.Books.
type Store struct {
	db         *pg.Pool
	sliceLimit time.Duration
	Progress   func(done, of int) // called after each check of Audit; may be nil
}

// NewStore returns the auditor of db.
func NewStore(db *pg.Pool) *Store { return &Store{db: db, sliceLimit: sliceLimit} }

// Audit runs all checks over everything on one snapshot of the database and changes nothing.
func (s *Store) Audit(ctx context.Context) (audit.Report, error) {
	var report audit.Report
	err := s.inSnapshot(ctx, true, func(tx *sqlx.Tx) (err error) {
		report, err = runChecks(ctx, tx, nil, s.Progress)
		return err
	})
	return report, err
}

// CountReservations returns about how many reservations there are, as PostgreSQL keeps it: it counts none.
func (s *Store) CountReservations(ctx context.Context) (int64, error) {
	return pg.One[int64](ctx, s.db,
		`SELECT GREATEST(reltuples, 0)::bigint FROM pg_class WHERE oid = 'reservations'::regclass`)
}

// AuditIfDue implements audit.Books.
func (s *Store) AuditIfDue(ctx context.Context, age time.Duration) (audit.Report, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, recentLimit)
	defer cancel()
	var stored storedReports
	ran := false
	err := s.inSnapshot(ctx, false, func(tx *sqlx.Tx) (err error) {
		if ran, err = holdLastAudit(ctx, tx, age); err != nil {
			return err
		}
		if stored, err = readStored(ctx, tx); err != nil || !ran {
			return err
		}
		stored.Recent, err = auditRecent(ctx, tx, stored.since(), stored.kept())
		return err
	})
	if pg.IsRetryable(err) { // another instance has just finished one
		return audit.Report{}, false, nil
	}
	return stored.shown(), ran, s.db.MapError(err)
}

// holdLastAudit says whether an audit is due and, if it is, holds its row until the transaction ends.
func holdLastAudit(ctx context.Context, tx *sqlx.Tx, age time.Duration) (due bool, err error) {
	err = tx.GetContext(ctx, &due, `
		SELECT true
		FROM last_audit
		WHERE finished_at IS NULL OR finished_at <= now() - $1::bigint * interval '1 microsecond'
		FOR UPDATE SKIP LOCKED`, age.Microseconds())
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return due, err
}

// auditRecent runs the checks over what was touched since a moment, and stores the report with what is kept of the last
// one.
func auditRecent(ctx context.Context, tx *sqlx.Tx, since time.Time, kept audit.Report) (audit.Report, error) {
	touched, err := readScope(ctx, tx, selectTouched, since.Add(-longestTransaction))
	if err != nil {
		return audit.Report{}, err
	}
	report, err := runChecks(ctx, tx, touched, nil)
	if err != nil {
		return audit.Report{}, err
	}
	report = report.Or(kept)
	report.Since = since
	_, err = tx.ExecContext(ctx, `UPDATE last_audit SET finished_at = clock_timestamp(), report = $1::jsonb`,
		pg.JSON(report))
	return report, err
}

// storedReports are what audits left.
type storedReports struct {
	Now                        time.Time
	Recent, Finished, Underway audit.Report
}

func readStored(ctx context.Context, tx *sqlx.Tx) (stored storedReports, err error) {
	rows, err := tx.QueryxContext(ctx, `
		SELECT now(), l.report AS recent, r.report AS finished, r.state -> 'report' AS underway
		FROM last_audit l
		CROSS JOIN audit_round r`)
	if err == nil {
		err = pg.ScanOne(rows, &stored)
	}
	return stored, err
}

// shown is the last report, with what the audits of everything found besides; it has no time if there is none.
func (s storedReports) shown() audit.Report {
	shown := s.Recent.Or(s.Finished).Or(s.Underway)
	shown.Whole = s.Finished.At
	return shown
}

// since is from when on the next audit of what was touched looks: from the last one, or, as long as something is found,
// from where that one did, within bounds, until an audit of everything knows it.
func (s storedReports) since() time.Time {
	since := s.Recent.At
	if bound := s.Now.Add(-recentWindow); s.Recent.Found() > 0 && bound.Before(since) {
		since = bound
		if s.Recent.Since.After(since) {
			since = s.Recent.Since
		}
	}
	for _, bound := range []time.Time{s.Finished.At, s.Now.Add(-24 * time.Hour)} {
		if bound.After(since) {
			since = bound
		}
	}
	return since
}

// kept is what the last audit of what was touched found, where the next does not look as far back, unless an audit of
// everything that began after that has ended.
func (s storedReports) kept() (kept audit.Report) {
	since := s.since()
	if !since.After(s.Recent.Since) || !since.After(s.Finished.At) {
		return kept
	}
	for _, result := range s.Recent.Wrong() {
		if result.At.After(s.Finished.At) {
			kept.Checks = append(kept.Checks, result)
		}
	}
	return kept
}

// inSnapshot runs work in a transaction all of whose statements see the same moment. It has a pool of its own, because
// the checks may run longer than any statement of the product.
func (s *Store) inSnapshot(ctx context.Context, readOnly bool, work func(tx *sqlx.Tx) error) error {
	pool, err := s.db.OpenOther(auditStatementLimit, pg.DefaultLockTimeout)
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	tx, err := pool.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: readOnly})
	if err != nil {
		return s.db.MapError(err)
	}
	defer func() { _ = tx.Rollback() }() // says nothing new once it is committed
	if err := work(tx); err != nil {
		return err
	}
	return tx.Commit()
}
