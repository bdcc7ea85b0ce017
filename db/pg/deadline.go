package pg

import (
	"context"
	"database/sql/driver"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// cancelTime is how long a server whose statement was given up has to say so, before its connection is given up too: a
// server that stands still, or a dead link, says nothing. The driver by itself would wait for ever.
const cancelTime = 500 * time.Millisecond

// dialFunc opens a connection of the network.
type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// linkKey is where a context has the place for the link that is opened for it.
type linkKey struct{}

// openLink opens a connection on which no call lasts longer than cancelTime after the end of its context. A call whose
// context has no deadline lasts as long as a statement may.
func openLink(ctx context.Context, from driver.Connector, statementTime time.Duration) (*conn, error) {
	opened := new(atomic.Pointer[link])
	defer context.AfterFunc(ctx, func() {
		if l := opened.Load(); l != nil {
			_ = l.Conn.SetDeadline(time.Now()) // nobody waits for its greeting any more
		}
	})()
	connected, err := from.Connect(context.WithValue(ctx, linkKey{}, opened))
	if err != nil {
		return nil, opened.Load().cause(err)
	}
	return &conn{connected.(driverConn), opened.Load(), statementTime}, nil
}

// dialer dials for the driver. What it dials without a place for the link is for a request to cancel a statement.
type dialer struct{ dial dialFunc }

// DialContext implements pq.DialerContext.
func (d dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	place, _ := ctx.Value(linkKey{}).(*atomic.Pointer[link])
	if place == nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, cancelTime)
		defer cancel()
	}
	opened, err := d.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	l := &link{Conn: opened}
	end, _ := ctx.Deadline() // at the latest after connectTimeout
	if err := opened.SetDeadline(end); err != nil {
		return nil, err
	}
	if place != nil {
		place.Store(l)
	}
	return l, nil
}

// Dial implements pq.Dialer, which wants it beside DialContext.
func (d dialer) Dial(network, address string) (net.Conn, error) {
	return d.DialTimeout(network, address, connectTimeout)
}

// DialTimeout implements pq.Dialer.
func (d dialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return d.DialContext(ctx, network, address)
}

// link is a connection of the network whose deadline is that of the call on it.
type link struct {
	net.Conn

	mu    sync.Mutex
	calls int
	ended atomic.Bool           // nothing can be read or written any more
	write atomic.Pointer[error] // of the last write that failed
}

// Read implements net.Conn.
func (l *link) Read(b []byte) (int, error) {
	n, err := l.Conn.Read(b)
	if err != nil {
		l.ended.Store(true)
	}
	return n, err
}

// Write implements net.Conn.
func (l *link) Write(b []byte) (int, error) {
	n, err := l.Conn.Write(b)
	if err != nil {
		l.ended.Store(true)
		l.write.Store(&err)
	}
	return n, err
}

// cause returns the network's error behind one of the driver. While it connects, and where it commits what has failed,
// the driver hides that of a write: nothing tells that it is one of the network.
func (l *link) cause(err error) error {
	if l == nil || err == nil {
		return err
	}
	if failed := l.write.Load(); failed != nil && err.Error() == (*failed).Error() {
		return *failed
	}
	return err
}

// SetDeadline does nothing: the driver takes the deadline away once it is connected.
func (l *link) SetDeadline(time.Time) error { return nil }

// begin gives the next call its deadline. The call is over when end is called.
func (l *link) begin(ctx context.Context, statementTime time.Duration) (end func() bool) {
	deadline := time.Now().Add(statementTime)
	if own, ok := ctx.Deadline(); ok {
		deadline = own
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls++
	call := l.calls
	_ = l.Conn.SetDeadline(deadline.Add(cancelTime)) // a closed connection fails the call by itself
	return context.AfterFunc(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.calls == call {
			_ = l.Conn.SetDeadline(time.Now().Add(cancelTime))
		}
	})
}

// driverConn is what a connection of the driver does.
type driverConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.QueryerContext
	driver.ExecerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	driver.NamedValueChecker
}

// conn gives each call on a connection its deadline.
type conn struct {
	driverConn
	link          *link
	statementTime time.Duration
}

// PrepareContext implements driver.ConnPrepareContext.
func (c *conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	defer c.link.begin(ctx, c.statementTime)()
	prepared, err := c.driverConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return &stmt{prepared.(driverStmt), c}, nil
}

// BeginTx implements driver.ConnBeginTx.
func (c *conn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	defer c.link.begin(ctx, c.statementTime)()
	begun, err := c.driverConn.BeginTx(ctx, options)
	if err != nil {
		return nil, err
	}
	return &driverTx{begun, c, ctx}, nil
}

// QueryContext implements driver.QueryerContext.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	defer c.link.begin(ctx, c.statementTime)()
	return c.driverConn.QueryContext(ctx, query, args)
}

// ExecContext implements driver.ExecerContext.
func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	defer c.link.begin(ctx, c.statementTime)()
	return c.driverConn.ExecContext(ctx, query, args)
}

// Ping implements driver.Pinger.
func (c *conn) Ping(ctx context.Context) error {
	defer c.link.begin(ctx, c.statementTime)()
	return c.driverConn.Ping(ctx)
}

// IsValid implements driver.Validator. The driver by itself keeps a connection that ended right after an error, as
// poolers end those of a server that is gone.
func (c *conn) IsValid() bool { return !c.link.ended.Load() && c.driverConn.IsValid() }

// ResetSession implements driver.SessionResetter.
func (c *conn) ResetSession(ctx context.Context) error {
	if c.link.ended.Load() {
		return driver.ErrBadConn
	}
	return c.driverConn.ResetSession(ctx)
}

// Close implements driver.Conn.
func (c *conn) Close() error {
	defer c.link.begin(context.Background(), 0)()
	return c.driverConn.Close()
}

// driverStmt is what a prepared statement of the driver does.
type driverStmt interface {
	driver.Stmt
	driver.StmtQueryContext
	driver.StmtExecContext
}

// stmt gives each use of a prepared statement its deadline.
type stmt struct {
	driverStmt
	conn *conn
}

// QueryContext implements driver.StmtQueryContext.
func (s *stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	defer s.conn.link.begin(ctx, s.conn.statementTime)()
	return s.driverStmt.QueryContext(ctx, args)
}

// ExecContext implements driver.StmtExecContext.
func (s *stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	defer s.conn.link.begin(ctx, s.conn.statementTime)()
	return s.driverStmt.ExecContext(ctx, args)
}

// Close does nothing: a statement ends with its connection, which has one of each query at most. To ask a server for it
// that stands still would keep whoever closes the pool.
func (s *stmt) Close() error { return nil }

// driverTx gives the end of a transaction its deadline.
type driverTx struct {
	driver.Tx
	conn *conn
	ctx  context.Context // of the transaction: driver.Tx has none
}

// Commit implements driver.Tx.
func (t *driverTx) Commit() error {
	defer t.conn.link.begin(t.ctx, t.conn.statementTime)()
	return t.conn.link.cause(t.Tx.Commit())
}

// Rollback implements driver.Tx.
func (t *driverTx) Rollback() error {
	defer t.conn.link.begin(t.ctx, t.conn.statementTime)()
	return t.Tx.Rollback()
}
