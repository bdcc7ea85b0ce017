package audits

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"lunchgo/app/audit"
)

// The checks of the auditor. Each file is one: it is named for the check, its comment is the sentence that it proves,
// and its query gives a row (subject, problem) for each thing that breaks the sentence. Where it reads a table it
// bounds the rows by "column = ANY (:kind)"; :reservations, :slots, :diners, :entries (of ledgers), :days and
// :campaigns are the ids that an audit looks at, and a check takes those of one kind. One without a bound looks at all,
// and has to be cheap. To add a check, add a file, and to TestAudit_FindsTampering what it finds.
//
//go:embed checks/*.sql
var checkFiles embed.FS

// bounds are those of a query.
var bounds = regexp.MustCompile(`[\w.]+ = ANY \(:(\w+)\)`)

type check struct {
	name, proves, query string
	kind                string // of the ids that bound it; empty: none do
}

// scope is what an audit looks at: ids by kind, as the text of an array. It has the kind "" where checks without a
// bound run. nil is everything.
type scope map[string]string

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
			return nil, fmt.Errorf("audits: %s does not begin with the sentence that it proves", file)
		}
		check := check{name: strings.TrimSuffix(path.Base(file), ".sql"), proves: proves, query: query}
		if bound := bounds.FindStringSubmatch(query); bound != nil {
			check.kind = bound[1]
		}
		checks = append(checks, check)
	}
	return checks, nil
}

// within returns the query of a check over a scope, and its arguments. Without the bounds PostgreSQL reads whole
// tables, which for everything is the fastest way.
func (c check) within(s scope) (query string, args []any) {
	if s == nil || c.kind == "" {
		return bounds.ReplaceAllString(c.query, "true"), nil
	}
	return strings.ReplaceAll(c.query, "(:"+c.kind+")", "($1)"), []any{s[c.kind]}
}

type findingRow struct {
	Total int
	audit.Finding
}

// runChecks runs in a transaction those checks that a scope has ids for. It calls progress, unless that is nil, after
// each.
func runChecks(ctx context.Context, tx *sqlx.Tx, s scope, progress func(done, of int)) (audit.Report, error) {
	checks, err := readChecks()
	if err != nil {
		return audit.Report{}, err
	}
	began := time.Now()
	var report audit.Report
	if err := tx.GetContext(ctx, &report.At, `SELECT now()`); err != nil {
		return audit.Report{}, err
	}
	for i, check := range checks {
		result := audit.Result{Check: check.name, Proves: check.proves}
		if _, has := s[check.kind]; has || s == nil {
			if result, err = check.run(ctx, tx, s); err != nil {
				return audit.Report{}, err
			}
			if result.Found > 0 && check.kind != "" {
				result.At = report.At
			}
		}
		report.Checks = append(report.Checks, result)
		if progress != nil {
			progress(i+1, len(checks))
		}
	}
	report.Seconds = time.Since(began).Seconds()
	return report, nil
}

// run runs a check in a transaction. PostgreSQL expects that much is wrong: were its plan made for the limit too, it
// would look each row's counterpart up by itself, among all that there are.
func (c check) run(ctx context.Context, tx *sqlx.Tx, s scope) (audit.Result, error) {
	var rows []findingRow
	query, args := c.within(s)
	err := tx.SelectContext(ctx, &rows, fmt.Sprintf(`
		WITH found AS MATERIALIZED (%s)
		SELECT count(*) OVER () AS total, subject, problem
		FROM found
		ORDER BY subject
		LIMIT %d`, query, audit.MaxExamples), args...)
	if err != nil {
		return audit.Result{}, fmt.Errorf("audits: check %s: %w", c.name, err)
	}
	result := audit.Result{Check: c.name, Proves: c.proves}
	for _, row := range rows {
		result.Found = row.Total
		result.Examples = append(result.Examples, row.Finding)
	}
	return result, nil
}
