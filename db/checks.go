package db

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"lunchgo/app/audit"
)

// The checks of the auditor. Each file is one: it is named for the check, its comment is the sentence that it proves,
// and its query gives a row (subject, problem) for each thing that breaks the sentence. To add a check, add a file, and
// to TestAudit_FindsTampering what it finds.
//
//go:embed checks/*.sql
var checkFiles embed.FS

// Bounds of an audit, and how many findings of a check are quoted.
const (
	auditStatementLimit = 5 * time.Minute
	auditLimit          = 10 * time.Minute // of one that comes by itself: as long as it lasts, vacuum cleans nothing up
	maxExamples         = 10
)

type check struct {
	name, proves, query string
}

// readChecks reads the list of checks, by name.
func readChecks() ([]check, error) {
	files, err := fs.Glob(checkFiles, "checks/*.sql")
	if err != nil {
		return nil, err
	}
	checks := make([]check, 0, len(files))
	for _, file := range files {
		text, err := checkFiles.ReadFile(file)
		if err != nil {
			return nil, err
		}
		sentence, query, found := strings.Cut(string(text), "\n")
		proves, comment := strings.CutPrefix(sentence, "-- ")
		if !found || !comment {
			return nil, fmt.Errorf("db: %s does not begin with the sentence that it proves", file)
		}
		checks = append(checks, check{strings.TrimSuffix(path.Base(file), ".sql"), proves, query})
	}
	return checks, nil
}

// AuditStore implements audit.Books.
type AuditStore struct {
	db *DB
}

var _ audit.Books = (*AuditStore)(nil)

// NewAuditStore returns the auditor of db.
func NewAuditStore(db *DB) *AuditStore { return &AuditStore{db: db} }

// Audit runs all checks on one snapshot of the database and changes nothing.
func (s *AuditStore) Audit(ctx context.Context) (audit.Report, error) {
	var report audit.Report
	err := s.inSnapshot(ctx, true, func(tx *sqlx.Tx) (err error) {
		report, err = runChecks(ctx, tx)
		return err
	})
	return report, err
}

// AuditIfDue audits unless a younger report than age is stored or another instance holds its row.
func (s *AuditStore) AuditIfDue(ctx context.Context, age time.Duration) (audit.Report, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, auditLimit)
	defer cancel()
	var report audit.Report
	ran := false
	err := s.inSnapshot(ctx, false, func(tx *sqlx.Tx) error {
		due, err := holdLastAudit(ctx, tx, age)
		if err != nil || !due {
			return err
		}
		if report, err = runChecks(ctx, tx); err != nil {
			return err
		}
		stored, err := json.Marshal(report)
		if err != nil {
			return err
		}
		ran = true
		_, err = tx.ExecContext(ctx, `UPDATE last_audit SET finished_at = clock_timestamp(), report = $1::jsonb`,
			string(stored))
		return err
	})
	if isRetryable(err) { // another instance has just finished one
		ran, err = false, nil
	}
	if err != nil || ran {
		return report, ran, mapError(err)
	}
	report, err = s.last(ctx)
	return report, false, err
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

// last returns the stored report; one without a time if there is none.
func (s *AuditStore) last(ctx context.Context) (audit.Report, error) {
	var report audit.Report
	var stored []byte
	err := s.db.get(ctx, &stored, `SELECT COALESCE(report, '{}') FROM last_audit`)
	if err != nil {
		return audit.Report{}, orNotFound(err, errors.New("db: the row of the last audit is missing"))
	}
	return report, json.Unmarshal(stored, &report)
}

// inSnapshot runs work in a transaction all of whose statements see the same moment. It has a pool of its own, because
// the checks read whole tables and may run longer than any statement of the product.
func (s *AuditStore) inSnapshot(ctx context.Context, readOnly bool, work func(tx *sqlx.Tx) error) error {
	connector, err := newConnector(s.db.config, auditStatementLimit, nil)
	if err != nil {
		return err
	}
	pool := connector.pool()
	defer func() { _ = pool.Close() }()
	tx, err := pool.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: readOnly})
	if err != nil {
		return mapError(err)
	}
	defer func() { _ = tx.Rollback() }() // says nothing new once it is committed
	if err := work(tx); err != nil {
		return err
	}
	return tx.Commit()
}

type findingRow struct {
	Total   int    `db:"total"`
	Subject string `db:"subject"`
	Problem string `db:"problem"`
}

// runChecks runs all checks in a transaction.
func runChecks(ctx context.Context, tx *sqlx.Tx) (audit.Report, error) {
	checks, err := readChecks()
	if err != nil {
		return audit.Report{}, err
	}
	began := time.Now()
	var report audit.Report
	if err := tx.GetContext(ctx, &report.At, `SELECT now()`); err != nil {
		return audit.Report{}, err
	}
	for _, check := range checks {
		result, err := check.run(ctx, tx)
		if err != nil {
			return audit.Report{}, err
		}
		report.Checks = append(report.Checks, result)
	}
	report.Seconds = time.Since(began).Seconds()
	return report, nil
}

// run runs a check in a transaction.
func (c check) run(ctx context.Context, tx *sqlx.Tx) (audit.Result, error) {
	var rows []findingRow
	err := tx.SelectContext(ctx, &rows, fmt.Sprintf(`
		SELECT count(*) OVER () AS total, subject, problem
		FROM (%s) found
		ORDER BY subject
		LIMIT %d`, c.query, maxExamples))
	if err != nil {
		return audit.Result{}, fmt.Errorf("db: check %s: %w", c.name, err)
	}
	result := audit.Result{Check: c.name, Proves: c.proves}
	for _, row := range rows {
		result.Found = row.Total
		result.Examples = append(result.Examples, audit.Finding{Subject: row.Subject, Problem: row.Problem})
	}
	return result, nil
}
