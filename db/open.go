// Package db stores the data of the product in PostgreSQL: it implements the stores that the use cases ask for.
// No other package knows SQL, but the designs in app/rush/against with which a rush compares.
//
// Writes of several statements go through one short READ COMMITTED transaction (inTx). Constraints carry the rules and
// have names, which errors.go turns into the domain's errors. What the database cannot answer now is ErrUnavailable.
package db

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"
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

	ReplicaURL string // of a server that follows, for long readings; empty: none
	// is called when the replica is not read from any more, and with nil when it is again
	ReplicaChanged func(err error)
}

// DB is a pool of connections to one database. It is safe for use by several goroutines.
type DB struct {
	pool       *sqlx.DB
	connector  *connector
	replica    *replica // nil: none
	config     Config
	statements *statements
	weaken     atomic.Pointer[weakening] // of tests only; see guarded
	shrunk     atomic.Bool               // see shrink
	observer   atomic.Pointer[func(time.Duration, error)]
	zones      sync.Map // name → *time.Location
}

// ErrStatementPooling says that there can be no transactions.
var ErrStatementPooling = errors.New(
	"db: the pooler refuses transactions: it needs pool_mode = transaction, or session")

// Open makes a pool and checks that the database answers. Returns ErrUnavailable when it does not, and
// ErrStatementPooling when a pooler stands before it that gives server connections by the statement.
func Open(ctx context.Context, config Config) (*DB, error) { return open(ctx, config, nil) }

// open takes what dials the connections, so that a test can count what goes over them.
func open(ctx context.Context, config Config, dial dialFunc) (*DB, error) {
	config = config.withDefaults()
	connector, err := newConnector(config, config.QueryTimeout, dial)
	if err != nil {
		return nil, err
	}
	db := newDB(connector, config)
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
func (db *DB) check(ctx context.Context) error {
	if err := db.Ping(ctx); err != nil || !db.IsPooled() {
		return err
	}
	ctx, cancel := db.bounded(ctx)
	defer cancel()
	tx, err := db.pool.BeginTxx(ctx, nil)
	if errors.Is(err, driver.ErrBadConn) && db.Ping(ctx) == nil { // it ends connections, but only those of transactions
		return ErrStatementPooling
	}
	if err != nil {
		return mapError(err)
	}
	return mapError(tx.Rollback())
}

// newDB makes a pool of connections.
func newDB(connector *connector, config Config) *DB {
	pool := connector.pool()
	pool.SetConnMaxLifetime(connLifetime)
	db := &DB{pool: pool, connector: connector, config: config, statements: newStatements()}
	db.resize(config.MaxConns)
	connector.full = db.shrink
	return db
}

func (c Config) withDefaults() Config {
	c.MaxConns = cmp.Or(c.MaxConns, DefaultMaxConns)
	c.QueryTimeout = cmp.Or(c.QueryTimeout, DefaultQueryTimeout)
	c.LockTimeout = cmp.Or(c.LockTimeout, DefaultLockTimeout)
	c.IdleInTxTimeout = cmp.Or(c.IdleInTxTimeout, DefaultIdleInTxTimeout)
	return c
}

// Ping returns ErrUnavailable unless the database answers.
func (db *DB) Ping(ctx context.Context) error {
	ctx, cancel := db.bounded(ctx)
	defer cancel()
	return mapError(db.pool.PingContext(ctx))
}

// IsPooled says whether a pooler gives connections to the server by the transaction.
func (db *DB) IsPooled() bool { return db.connector.shared.Load() }

// Stats are figures of the pool: connections in use, how often and how long callers waited for one.
func (db *DB) Stats() sql.DBStats { return db.pool.Stats() }

// Close closes the pool once the calls under way are done.
func (db *DB) Close() error {
	if db.replica != nil {
		defer func() { _ = db.replica.db.Close() }()
	}
	if err := db.pool.Close(); err != nil {
		return fmt.Errorf("db: close: %w", err)
	}
	return nil
}
