package pg

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

// Tx is a transaction under way. Its queries run in prepared form; one that has none yet runs as it is and is prepared
// when the transaction is over.
type Tx struct {
	*sqlx.Tx
	Pool       *Pool
	unprepared []string
}

// InTx runs work in a READ COMMITTED transaction: committed when work returns nil, else rolled back. Work may run
// several times, so it must not change what outlives it before it knows the outcome. Its errors come back in the
// domain's terms.
func (p *Pool) InTx(ctx context.Context, work func(ctx context.Context, t *Tx) error) error {
	ctx, span := traceCall(ctx, 1)
	err := p.InTxOf(ctx, sql.TxOptions{}, work)
	span.End(err)
	return err
}

// Within is InTx for work that returns something; with an error it returns nothing.
func Within[T any](ctx context.Context, db *Pool, work func(ctx context.Context, t *Tx) (T, error)) (T, error) {
	return WithinCall(ctx, db, 2, work)
}

// WithinCall is Within for the method that stands so many calls below it, by which it is traced.
func WithinCall[T any](ctx context.Context, db *Pool, skip int,
	work func(ctx context.Context, t *Tx) (T, error)) (made T, err error) {
	ctx, span := traceCall(ctx, skip)
	err = db.InTxOf(ctx, sql.TxOptions{}, func(ctx context.Context, t *Tx) (err error) {
		made, err = work(ctx, t)
		return err
	})
	span.End(err)
	if err != nil {
		made = *new(T)
	}
	return made, err
}

// InTxOf is InTx in another isolation.
func (p *Pool) InTxOf(ctx context.Context, options sql.TxOptions, work func(ctx context.Context, t *Tx) error) error {
	ctx, cancel := p.Bounded(ctx)
	defer cancel()
	begun := time.Now()
	err := p.MapError(p.repeatedly(ctx, IsRetryable, func() error { return p.tryTx(ctx, options, work) }))
	p.note(begun, err)
	return err
}

// repeatedly runs what the server has undone again, maxAttempts times at most. That the server is full does not count
// while the pool has connections: the next attempt waits for one of them.
func (p *Pool) repeatedly(ctx context.Context, again func(error) bool, run func() error) error {
	counted := 0
	for attempt := 1; ; attempt++ {
		err := run()
		if isStale(err) {
			p.statements.forget()
		}
		if !isFull(err) || p.sql.Stats().OpenConnections == 0 {
			counted++
		}
		if !again(err) || counted == maxAttempts {
			return err
		}
		pause(ctx, attempt)
	}
}

// Observe has every transaction, and every statement without one, reported with its time and its error; nil reports
// none.
func (p *Pool) Observe(observe func(took time.Duration, err error)) { p.observer.Store(&observe) }

func (p *Pool) note(begun time.Time, err error) {
	if observe := p.observer.Load(); observe != nil && *observe != nil {
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

func (p *Pool) tryTx(ctx context.Context, options sql.TxOptions, work func(ctx context.Context, t *Tx) error) error {
	begun, err := p.begin(ctx, options)
	if err != nil {
		return err
	}
	t := &Tx{Tx: begun, Pool: p}
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
	p.statements.prepareIdle(ctx, p.sql, t.unprepared)
	return nil
}

// begin waits for a connection and begins a transaction on it.
func (p *Pool) begin(ctx context.Context, options sql.TxOptions) (*sqlx.Tx, error) {
	_, span := telemetry.Start(ctx, "BEGIN")
	begun, err := p.sql.BeginTxx(ctx, &options) // not the span's context: the transaction outlives the span
	span.End(err)
	return begun, err
}

// prepared returns the prepared form of a query for this transaction, or nil when there is none yet.
func (t *Tx) prepared(ctx context.Context, query string) *sqlx.Stmt {
	if stmt := t.Pool.statements.find(query); stmt != nil {
		return t.StmtxContext(ctx, stmt)
	}
	t.unprepared = append(t.unprepared, query)
	return nil
}

// Get reads one row into dest. Returns sql.ErrNoRows when there is none.
func (t *Tx) Get(ctx context.Context, dest any, query string, args ...any) error {
	return t.read(ctx, dest, ScanOne, query, args)
}

// List reads all rows into dest, a pointer to a slice.
func (t *Tx) List(ctx context.Context, dest any, query string, args ...any) error {
	return t.read(ctx, dest, scanAll, query, args)
}

func (t *Tx) read(ctx context.Context, dest any, scan func(*sqlx.Rows, any) error, query string,
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

// Exec returns how many rows were written.
func (t *Tx) Exec(ctx context.Context, query string, args ...any) (rows int64, err error) {
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

// Run is exec without a count.
func (t *Tx) Run(ctx context.Context, query string, args ...any) error {
	_, err := t.Exec(ctx, query, args...)
	return err
}

// Touch runs a statement that has to find a row, to change it or to lock it. Returns missing where it finds none.
func (t *Tx) Touch(ctx context.Context, missing error, query string, args ...any) error {
	rows, err := t.Exec(ctx, query, args...)
	if err == nil && rows == 0 {
		err = missing
	}
	return err
}

// Reader is the database, or a transaction.
type Reader interface {
	Get(ctx context.Context, dest any, query string, args ...any) error
	List(ctx context.Context, dest any, query string, args ...any) error
}

// List returns all rows; it is never nil.
func List[T any](ctx context.Context, from Reader, query string, args ...any) ([]T, error) {
	rows := []T{}
	err := from.List(ctx, &rows, query, args...)
	return rows, err
}

// Mapped returns all rows by a key, each as what entry makes of it.
func Mapped[R any, K comparable, V any](ctx context.Context, from Reader, entry func(R) (K, V), query string,
	args ...any) (map[K]V, error) {
	rows, err := List[R](ctx, from, query, args...)
	found := make(map[K]V, len(rows))
	for _, row := range rows {
		key, value := entry(row)
		found[key] = value
	}
	return found, err
}

// Paged returns a page of a list whose rows come in order, one more than the page has.
func Paged[R, T any](ctx context.Context, from Reader, page keyset.Request, key func(R) keyset.Cursor, show func(R) T,
	query string, args ...any) (keyset.Page[T], error) {
	rows, err := List[R](ctx, from, query, args...)
	return keyset.Cut(page, rows, key, show), err
}

// One returns one row. Returns sql.ErrNoRows when there is none.
func One[T any](ctx context.Context, from Reader, query string, args ...any) (row T, err error) {
	err = from.Get(ctx, &row, query, args...)
	return row, err
}

// Find is one that returns notFound when there is no row.
func Find[T any](ctx context.Context, from Reader, notFound error, query string, args ...any) (T, error) {
	row, err := One[T](ctx, from, query, args...)
	return row, OrNotFound(err, notFound)
}

// Get reads one row into dest outside a transaction. Returns sql.ErrNoRows when there is none.
func (p *Pool) Get(ctx context.Context, dest any, query string, args ...any) error {
	return p.read(ctx, dest, ScanOne, query, args)
}

// List reads all rows into dest, a pointer to a slice, outside a transaction.
func (p *Pool) List(ctx context.Context, dest any, query string, args ...any) error {
	return p.read(ctx, dest, scanAll, query, args)
}

func (p *Pool) read(ctx context.Context, dest any, scan func(*sqlx.Rows, any) error, query string, args []any) error {
	return p.alone(ctx, query, func(ctx context.Context, stmt *sqlx.Stmt) error {
		rows, err := stmt.QueryxContext(ctx, args...)
		if err != nil {
			return err
		}
		return scan(rows, dest)
	})
}

// Exec runs one statement as its own transaction.
func (p *Pool) Exec(ctx context.Context, query string, args ...any) error {
	return p.alone(ctx, query, func(ctx context.Context, stmt *sqlx.Stmt) error {
		_, err := stmt.ExecContext(ctx, args...)
		return err
	})
}

// alone runs one statement, which is a transaction of its own.
func (p *Pool) alone(ctx context.Context, query string, run func(ctx context.Context, stmt *sqlx.Stmt) error) error {
	ctx, cancel := p.Bounded(ctx)
	defer cancel()
	ctx, span := traceStatement(ctx, query)
	begun := time.Now()
	again := func(err error) bool { return isStale(err) || isFull(err) }
	err := p.repeatedly(ctx, again, func() error {
		stmt, err := p.statements.prepare(ctx, p.sql, query)
		if err != nil {
			return err
		}
		return run(ctx, stmt)
	})
	span.End(unlessNoRows(err))
	err = p.MapError(err)
	p.note(begun, err)
	return err
}

// Bounded gives a context without a deadline one.
func (p *Pool) Bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, p.config.QueryTimeout)
}
