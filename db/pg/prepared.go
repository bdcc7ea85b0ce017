package pg

import (
	"context"
	"sync"

	"github.com/jmoiron/sqlx"
)

// statements caches the prepared form of every query, because the driver needs two round trips for a query with
// arguments that is not prepared and one for one that is. The queries are constants, so their number is bounded.
type statements struct {
	mu        sync.RWMutex
	prepared  map[string]*sqlx.Stmt
	preparing chan struct{} // holds a token while a query is being prepared
}

func newStatements() *statements {
	return &statements{prepared: map[string]*sqlx.Stmt{}, preparing: make(chan struct{}, 1)}
}

func (s *statements) find(query string) *sqlx.Stmt {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.prepared[query]
}

// forget has all queries prepared again: those of connections that are open end with them.
func (s *statements) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.prepared)
}

// prepare returns the prepared form of a query. Queries are prepared one at a time, so that none is prepared twice: to
// close the second would wait for its connection, which may be in a transaction that waits for us.
//
// It takes a connection, so it must not be called inside a transaction: when all connections are in transactions that
// wait for one more, none comes free.
func (s *statements) prepare(ctx context.Context, pool *sqlx.DB, query string) (*sqlx.Stmt, error) {
	if stmt := s.find(query); stmt != nil {
		return stmt, nil
	}
	select {
	case s.preparing <- struct{}{}:
		defer func() { <-s.preparing }()
		return s.prepareAlone(ctx, pool, query)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// prepareIdle prepares the queries that have no prepared form yet, unless another goroutine is preparing one: the next
// call may as well.
func (s *statements) prepareIdle(ctx context.Context, pool *sqlx.DB, queries []string) {
	for _, query := range queries {
		select {
		case s.preparing <- struct{}{}:
		default:
			return
		}
		// Without its prepared form the query takes one round trip more: not worth an error.
		_, _ = s.prepareAlone(ctx, pool, query)
		<-s.preparing
	}
}

func (s *statements) prepareAlone(ctx context.Context, pool *sqlx.DB, query string) (*sqlx.Stmt, error) {
	if stmt := s.find(query); stmt != nil {
		return stmt, nil
	}
	stmt, err := pool.PreparexContext(ctx, query)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prepared[query] = stmt
	return stmt, nil
}
