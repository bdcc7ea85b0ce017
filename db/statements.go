package db

import (
	"context"
	"sync"

	"github.com/jmoiron/sqlx"
)

// statements keeps the prepared form of every query, because the driver needs two round trips for a query with arguments
// that is not prepared and one for one that is. The queries are constants, so their number is bounded.
type statements struct {
	mu       sync.RWMutex
	prepared map[string]*sqlx.Stmt
}

func (s *statements) find(query string) *sqlx.Stmt {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.prepared[query]
}

// prepare returns the prepared form of a query. It takes a connection, so it must not be called inside a transaction:
// when all connections are in transactions that wait for one more, none comes free.
func (s *statements) prepare(ctx context.Context, pool *sqlx.DB, query string) (*sqlx.Stmt, error) {
	if stmt := s.find(query); stmt != nil {
		return stmt, nil
	}
	stmt, err := pool.PreparexContext(ctx, query)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if first := s.prepared[query]; first != nil {
		_ = stmt.Close()
		return first, nil
	}
	if s.prepared == nil {
		s.prepared = map[string]*sqlx.Stmt{}
	}
	s.prepared[query] = stmt
	return stmt, nil
}
