// Package linelog stores the logs of lines.
package linelog

import (
	"context"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/receipt"
	"lunchgo/db/pg"
)

// Store implements receipt.Store.
type Store struct {
	db *pg.Pool
}

// NewStore returns the published logs in db.
func NewStore(db *pg.Pool) *Store { return &Store{db: db} }

// StorePart implements receipt.Store. Several processes may store the same part, or parts that overlap. Lines of a
// rehearsal's copy of a restaurant, which is deleted, are not stored.
func (s *Store) StorePart(ctx context.Context, p receipt.Part) error {
	return s.db.Exec(ctx, `
		WITH log AS (
			INSERT INTO line_logs (line, log_id)
			SELECT $1, $2
			WHERE NOT EXISTS (SELECT FROM rehearsals WHERE shadow_id = substring($1 FROM '^r([0-9]{1,18})-')::bigint)
			ON CONFLICT (line, log_id) DO UPDATE
			SET stored_at = clock_timestamp()
			RETURNING line
		)
		INSERT INTO line_log_entries (line, log_id, number, entry)
		SELECT $1, $2, $3 + e.nth - 1, e.entry
		FROM log, unnest($4::text[]) WITH ORDINALITY AS e (entry, nth)
		ON CONFLICT (line, log_id, number) DO NOTHING`,
		p.Line, p.LogID, p.From, pq.Array(p.Entries))
}

// FindPart implements receipt.Store.
func (s *Store) FindPart(ctx context.Context, line, logID string, from int) (receipt.Part, int, error) {
	var rows []struct {
		LogID  string
		Number int
		Entry  *string
	}
	err := s.db.List(ctx, &rows, `
		SELECT l.log_id, COALESCE(e.number, 0) AS number, e.entry
		FROM (
			SELECT line, log_id
			FROM line_logs
			WHERE line = $1 AND $2 IN ('', log_id)
			ORDER BY stored_at DESC
			LIMIT 1
		) l
		LEFT JOIN LATERAL (
			SELECT number, entry
			FROM line_log_entries
			WHERE line = l.line AND log_id = l.log_id AND number >= $3
			ORDER BY number
			LIMIT $4 + 1
		) e ON true
		ORDER BY e.number`, line, logID, from, receipt.PageSize)
	if err != nil {
		return receipt.Part{}, 0, err
	}
	if len(rows) == 0 {
		return receipt.Part{}, 0, receipt.ErrUnknownLog
	}
	part, next := receipt.Part{Line: line, LogID: rows[0].LogID, From: from, Entries: []string{}}, 0
	for i, row := range rows {
		switch {
		case row.Entry == nil:
		case i == receipt.PageSize:
			next = row.Number
		default:
			part.Entries = append(part.Entries, *row.Entry)
		}
	}
	return part, next, nil
}

// DeleteBefore implements receipt.Store.
func (s *Store) DeleteBefore(ctx context.Context, before time.Time) error {
	return s.db.Exec(ctx, `
		DELETE FROM line_logs
		WHERE (line, log_id) IN (
			SELECT line, log_id FROM line_logs WHERE stored_at < $1 ORDER BY stored_at LIMIT 1000 FOR UPDATE SKIP LOCKED
		)`, before)
}
