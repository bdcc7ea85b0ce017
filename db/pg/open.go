// Package pg is how LunchGo talks to PostgreSQL: a pool of connections, with or without a pooler before the server, on
// which no call lasts longer than its context; prepared statements; transactions that are tried again; and what its
// errors mean. It knows no table.
package pg

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"
)

// Defaults of Config.
const (
	DefaultMaxConns         = 12
	DefaultQueryTimeout     = 5 * time.Second
	DefaultLockTimeout      = 3 * time.Second
	DefaultIdleInTxTimeout  = 10 * time.Second
	defaultApplicationName  = "lunchgo"
	connectTimeout          = 5 * time.Second
	connLifetime            = 5 * time.Minute // bounds how long a connection that was left broken stays in the pool
	migrationStatementLimit = 10 * time.Minute
)

// Config says where the database is and how much of it may be used. The zero value of every field but URL means its
// default. Run-time parameters in the URL win over the timeouts here.
type Config struct {
	URL             string        // postgres://… or key=value pairs
	MaxConns        int           // connections at most
	QueryTimeout    time.Duration // of a statement, and of a call whose context has no deadline
	LockTimeout     time.Duration // of waiting for a row
	IdleInTxTimeout time.Duration // after which the server ends an idle transaction

	ServerFull func(conns int) // is called when the server gives no more connections than these
	// is called each time when a migration gives way to a session that holds a lock which it needs
	MigrationWaits func(err error)

	Schema Schema   // what the database has to have, and what breaks its rules
	Dial   dialFunc // what opens the connections; nil: the network

	ReplicaURL string // of a server that follows, for long readings; empty: none
	// is called when the replica is not read from any more, and with nil when it is again
	ReplicaChanged func(err error)
}

// Schema says what a database has.
type Schema struct {
	Migrations fs.FS            // files of goose
	Errors     map[string]error // what it means that a constraint is broken, by name
}

// Pool is a pool of connections to one database. It is safe for use by several goroutines.
type Pool struct {
	sql        *sqlx.DB
	connector  *connector
	replica    *replica // nil: none
	config     Config
	statements *statements
	Weakening  atomic.Pointer[Weakening] // of tests only; see Guarded
	shrunk     atomic.Bool               // see shrink
	observer   atomic.Pointer[func(time.Duration, error)]
}

// ErrStatementPooling says that there can be no transactions.
var ErrStatementPooling = errors.New(
	"pg: the pooler refuses transactions: it needs pool_mode = transaction, or session")

// Open makes a pool and checks that the database answers. Returns refusal.ErrUnavailable when it does not, and
// ErrStatementPooling when a pooler stands before it that gives server connections by the statement.
func Open(ctx context.Context, config Config) (*Pool, error) {
	config = config.withDefaults()
	connector, err := newConnector(config, config.QueryTimeout)
	if err != nil {
		return nil, err
	}
	db := newPool(connector, config)
	if config.ReplicaURL != "" {
		if db.replica, err = openReplica(config, db); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	if err := db.check(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// check returns an error unless the database answers, in transactions too.
func (p *Pool) check(ctx context.Context) error {
	if err := p.Ping(ctx); err != nil || !p.IsPooled() {
		return err
	}
	ctx, cancel := p.Bounded(ctx)
	defer cancel()
	tx, err := p.sql.BeginTxx(ctx, nil)
	if errors.Is(err, driver.ErrBadConn) && p.Ping(ctx) == nil { // it ends connections, but only those of transactions
		return ErrStatementPooling
	}
	if err != nil {
		return p.MapError(err)
	}
	return p.MapError(tx.Rollback())
}

// newPool makes a pool of connections.
func newPool(connector *connector, config Config) *Pool {
	pool := connector.pool()
	pool.SetConnMaxLifetime(connLifetime)
	db := &Pool{sql: pool, connector: connector, config: config, statements: newStatements()}
	db.resize(config.MaxConns)
	connector.full = db.shrink
	return db
}

// OpenOther opens another pool to the same database, for work whose statements may run and wait for other times.
func (p *Pool) OpenOther(statementTime, lockTime time.Duration) (*sqlx.DB, error) {
	config := p.config
	config.LockTimeout = lockTime
	connector, err := newConnector(config, statementTime)
	if err != nil {
		return nil, err
	}
	return connector.pool(), nil
}

func (c Config) withDefaults() Config {
	c.MaxConns = cmp.Or(c.MaxConns, DefaultMaxConns)
	c.QueryTimeout = cmp.Or(c.QueryTimeout, DefaultQueryTimeout)
	c.LockTimeout = cmp.Or(c.LockTimeout, DefaultLockTimeout)
	c.IdleInTxTimeout = cmp.Or(c.IdleInTxTimeout, DefaultIdleInTxTimeout)
	if c.Dial == nil {
		c.Dial = new(net.Dialer).DialContext
	}
	return c
}

// Ping returns refusal.ErrUnavailable unless the database answers.
func (p *Pool) Ping(ctx context.Context) error {
	ctx, cancel := p.Bounded(ctx)
	defer cancel()
	return p.MapError(p.sql.PingContext(ctx))
}

// IsPooled says whether a pooler gives connections to the server by the transaction.
func (p *Pool) IsPooled() bool { return p.connector.shared.Load() }

// SQL is the pool itself, for statements that have no prepared form.
func (p *Pool) SQL() *sqlx.DB { return p.sql }

// Stats are figures of the pool: connections in use, how often and how long callers waited for one.
func (p *Pool) Stats() sql.DBStats { return p.sql.Stats() }

// Close closes the pool once the calls under way are done.
func (p *Pool) Close() error {
	if p.replica != nil {
		defer func() { _ = p.replica.db.Close() }()
	}
	if err := p.sql.Close(); err != nil {
		return fmt.Errorf("pg: close: %w", err)
	}
	return nil
}
