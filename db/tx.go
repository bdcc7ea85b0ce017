package db

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"time"

	"github.com/jmoiron/sqlx"

	"lunchgo/app/keyset"
	"lunchgo/app/telemetry"
)

// maxAttempts is how often a transaction is tried that the server has ended or refused.
const maxAttempts = 4

// tx is a transaction under way. Its queries run in prepared form; one that has none yet runs as it is and is prepared
// when the transaction is over.
type tx struct {
	*sqlx.Tx
	db         *DB
	unprepared []string
}

// inTx runs work in a READ COMMITTED transaction: committed when work returns nil, else rolled back. Work may run
// several times, so it must not change what outlives it before it knows the outcome. Its errors come back in the
// domain's terms.
func (db *DB) inTx(ctx context.Context, work func(ctx context.Context, t *tx) error) error {
	ctx, span := traceCall(ctx, 1)
	err := db.inTxOf(ctx, sql.TxOptions{}, work)
	span.End(err)
	return err
}

// within is inTx for work that returns something; with an error it returns nothing.
func within[T any](ctx context.Context, db *DB, work func(ctx context.Context, t *tx) (T, error)) (T, error) {
	return withinCall(ctx, db, 2, work)
}

// withinCall is within for the method that stands so many calls below it, by which it is traced.
func withinCall[T any](ctx context.Context, db *DB, skip int,
	work func(ctx context.Context, t *tx) (T, error)) (made T, err error) {
	ctx, span := traceCall(ctx, skip)
	err = db.inTxOf(ctx, sql.TxOptions{}, func(ctx context.Context, t *tx) (err error) {
		made, err = work(ctx, t)
		return err
	})
	span.End(err)
	if err != nil {
		made = *new(T)
	}
	return made, err
}

// inTxOf is inTx in another isolation.
func (db *DB) inTxOf(ctx context.Context, options sql.TxOptions, work func(ctx context.Context, t *tx) error) error {
	ctx, cancel := db.bounded(ctx)
	defer cancel()
	begun := time.Now()
	err := mapError(db.repeatedly(ctx, isRetryable, func() error { return db.tryTx(ctx, options, work) }))
	db.note(begun, err)
	return err
}

// repeatedly runs what the server has undone again, maxAttempts times at most. That the server is full does not count
// while the pool has connections: the next attempt waits for one of them.
func (db *DB) repeatedly(ctx context.Context, again func(error) bool, run func() error) error {
	counted := 0
	for attempt := 1; ; attempt++ {
		err := run()
		if isStale(err) {
			db.statements.forget()
		}
		if !isFull(err) || db.pool.Stats().OpenConnections == 0 {
			counted++
		}
		if !again(err) || counted == maxAttempts {
			return err
		}
		pause(ctx, attempt)
	}
}

// Observe has every transaction, and every statement without one, reported with its time and its error.
func (db *DB) Observe(observe func(took time.Duration, err error)) { db.observer.Store(&observe) }

func (db *DB) note(begun time.Time, err error) {
	if observe := db.observer.Load(); observe != nil {
		(*observe)(time.Since(begun), err)
	}
}

// pause lets the other side of a deadlock finish: a while that grows with the attempts and differs between the two.
func pause(ctx context.Context, attempt int) {
	timer := time.NewTimer(time.Duration(attempt) * rand.N(20*time.Millisecond))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func (db *DB) tryTx(ctx context.Context, options sql.TxOptions, work func(ctx context.Context, t *tx) error) error {
	begun, err := db.begin(ctx, options)
	if err != nil {
		return err
	}
	t := &tx{Tx: begun, db: db}
	committed := false
	defer func() {
		if !committed { // also when work panics
			_ = begun.Rollback()
		}
	}()
	if err := work(ctx, t); err != nil {
		return err
	}
	_, span := telemetry.Start(ctx, "COMMIT")
	err = begun.Commit()
	span.End(err)
	if err != nil {
		return err
	}
	committed = true
	db.statements.prepareIdle(ctx, db.pool, t.unprepared)
	return nil
}

// begin waits for a connection and begins a transaction on it.
func (db *DB) begin(ctx context.Context, options sql.TxOptions) (*sqlx.Tx, error) {
	_, span := telemetry.Start(ctx, "BEGIN")
	begun, err := db.pool.BeginTxx(ctx, &options) // not the span's context: the transaction outlives the span
	span.End(err)
	return begun, err
}

// prepared returns the prepared form of a query for this transaction, or nil when there is none yet.
func (t *tx) prepared(ctx context.Context, query string) *sqlx.Stmt {
	if stmt := t.db.statements.find(query); stmt != nil {
		return t.StmtxContext(ctx, stmt)
	}
	t.unprepared = append(t.unprepared, query)
	return nil
}

// get reads one row into dest. Returns sql.ErrNoRows when there is none.
func (t *tx) get(ctx context.Context, dest any, query string, args ...any) error {
	return t.read(ctx, dest, scanOne, query, args)
}

// list reads all rows into dest, a pointer to a slice.
func (t *tx) list(ctx context.Context, dest any, query string, args ...any) error {
	return t.read(ctx, dest, scanAll, query, args)
}

func (t *tx) read(ctx context.Context, dest any, scan func(*sqlx.Rows, any) error, query string,
	args []any) (err error) {
	ctx, span := traceStatement(ctx, query)
	defer func() { span.End(unlessNoRows(err)) }()
	var rows *sqlx.Rows
	if stmt := t.prepared(ctx, query); stmt != nil {
		rows, err = stmt.QueryxContext(ctx, args...)
	} else {
		rows, err = t.QueryxContext(ctx, query, args...)
	}
	if err != nil {
		return err
	}
	return scan(rows, dest)
}

// exec returns how many rows were written.
func (t *tx) exec(ctx context.Context, query string, args ...any) (rows int64, err error) {
	ctx, span := traceStatement(ctx, query)
	defer func() { span.End(err) }()
	var result sql.Result
	if stmt := t.prepared(ctx, query); stmt != nil {
		result, err = stmt.ExecContext(ctx, args...)
	} else {
		result, err = t.ExecContext(ctx, query, args...)
	}
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// run is exec without a count.
func (t *tx) run(ctx context.Context, query string, args ...any) error {
	_, err := t.exec(ctx, query, args...)
	return err
}

// touch runs a statement that has to find a row, to change it or to lock it. Returns missing where it finds none.
func (t *tx) touch(ctx context.Context, missing error, query string, args ...any) error {
	rows, err := t.exec(ctx, query, args...)
	if err == nil && rows == 0 {
		err = missing
	}
	return err
}

// reader is the database, or a transaction.
type reader interface {
	get(ctx context.Context, dest any, query string, args ...any) error
	list(ctx context.Context, dest any, query string, args ...any) error
}

// list returns all rows; it is never nil.
func list[T any](ctx context.Context, from reader, query string, args ...any) ([]T, error) {
	rows := []T{}
	err := from.list(ctx, &rows, query, args...)
	return rows, err
}

// mapped returns all rows by a key, each as what entry makes of it.
func mapped[R any, K comparable, V any](ctx context.Context, from reader, entry func(R) (K, V), query string,
	args ...any) (map[K]V, error) {
	rows, err := list[R](ctx, from, query, args...)
	found := make(map[K]V, len(rows))
	for _, row := range rows {
		key, value := entry(row)
		found[key] = value
	}
	return found, err
}

// paged returns a page of a list whose rows come in order, one more than the page has.
func paged[R, T any](ctx context.Context, from reader, page keyset.Request, key func(R) keyset.Cursor, show func(R) T,
	query string, args ...any) (keyset.Page[T], error) {
	rows, err := list[R](ctx, from, query, args...)
	return keyset.Cut(page, rows, key, show), err
}

// one returns one row. Returns sql.ErrNoRows when there is none.
func one[T any](ctx context.Context, from reader, query string, args ...any) (row T, err error) {
	err = from.get(ctx, &row, query, args...)
	return row, err
}

// find is one that returns notFound when there is no row.
func find[T any](ctx context.Context, from reader, notFound error, query string, args ...any) (T, error) {
	row, err := one[T](ctx, from, query, args...)
	return row, orNotFound(err, notFound)
}

// get reads one row into dest outside a transaction. Returns sql.ErrNoRows when there is none.
func (db *DB) get(ctx context.Context, dest any, query string, args ...any) error {
	return db.read(ctx, dest, scanOne, query, args)
}

// list reads all rows into dest, a pointer to a slice, outside a transaction.
func (db *DB) list(ctx context.Context, dest any, query string, args ...any) error {
	return db.read(ctx, dest, scanAll, query, args)
}

func (db *DB) read(ctx context.Context, dest any, scan func(*sqlx.Rows, any) error, query string, args []any) error {
	return db.alone(ctx, query, func(ctx context.Context, stmt *sqlx.Stmt) error {
		rows, err := stmt.QueryxContext(ctx, args...)
		if err != nil {
			return err
		}
		return scan(rows, dest)
	})
}

// exec runs one statement as its own transaction.
func (db *DB) exec(ctx context.Context, query string, args ...any) error {
	return db.alone(ctx, query, func(ctx context.Context, stmt *sqlx.Stmt) error {
		_, err := stmt.ExecContext(ctx, args...)
		return err
	})
}

// alone runs one statement, which is a transaction of its own.
func (db *DB) alone(ctx context.Context, query string, run func(ctx context.Context, stmt *sqlx.Stmt) error) error {
	ctx, cancel := db.bounded(ctx)
	defer cancel()
	ctx, span := traceStatement(ctx, query)
	begun := time.Now()
	again := func(err error) bool { return isStale(err) || isFull(err) }
	err := db.repeatedly(ctx, again, func() error {
		stmt, err := db.statements.prepare(ctx, db.pool, query)
		if err != nil {
			return err
		}
		return run(ctx, stmt)
	})
	span.End(unlessNoRows(err))
	err = mapError(err)
	db.note(begun, err)
	return err
}

// bounded gives a context without a deadline one.
func (db *DB) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, db.config.QueryTimeout)
}
