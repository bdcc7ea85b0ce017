package pg

import (
	"context"
	"database/sql"

	"github.com/lib/pq"

	"lunchgo/app/group"
)

// Bounds of reads by key.
const (
	MostKeys = 64 // in a statement
	KeyCalls = 2  // statements under way at once, of one kind: both on links that went silent hold the kind up for 5 s
)

// ByKey reads rows by a key. Reads that come while others are under way go together in the next statement, so that the
// pages of a crowd cost a fraction of a round trip each, and few connections. Each sees what was committed before it.
type ByKey[R any] struct {
	pool  *Pool
	batch *group.Batch[string, []R]
}

// NewByKey returns reads by a query whose $1 are the keys, as text[]. Of a row, of is the key that it was asked by.
func NewByKey[R any](db *Pool, query string, of func(row R) string) ByKey[R] {
	return ByKey[R]{db, group.NewBatch(MostKeys, KeyCalls, func(ctx context.Context, keys []string) ([][]R, error) {
		var rows []R
		if err := db.List(ctx, &rows, query, pq.StringArray(keys)); err != nil {
			return nil, err
		}
		found := make(map[string][]R, len(keys))
		for _, row := range rows {
			found[of(row)] = append(found[of(row)], row)
		}
		answers := make([][]R, len(keys))
		for i, key := range keys {
			answers[i] = found[key]
		}
		return answers, nil
	})}
}

// List returns all rows of a key, in the order of the query.
func (r ByKey[R]) List(ctx context.Context, key string) ([]R, error) {
	rows, err := r.batch.Ask(ctx, key)
	return rows, r.pool.MapError(err)
}

// Get returns the first row of a key, or sql.ErrNoRows.
func (r ByKey[R]) Get(ctx context.Context, key string) (row R, err error) {
	rows, err := r.List(ctx, key)
	if err != nil {
		return row, err
	}
	if len(rows) == 0 {
		return row, sql.ErrNoRows
	}
	return rows[0], nil
}
