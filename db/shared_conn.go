package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lib/pq"
)

// sharedConn is a connection to a pooler, behind which each transaction may have another server connection. Nothing lasts
// longer than a transaction: its time-outs come with its BEGIN, and statements are not prepared.
type sharedConn struct {
	*conn
	setLocal string
}

// PrepareContext implements driver.ConnPrepareContext. The server learns of the statement when it is used.
func (c *sharedConn) PrepareContext(_ context.Context, query string) (driver.Stmt, error) {
	return &sharedStmt{c, query}, nil
}

// BeginTx implements driver.ConnBeginTx, with the time-outs in the same round trip.
func (c *sharedConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	begin := "BEGIN"
	if level := sql.IsolationLevel(options.Isolation); level != sql.LevelDefault {
		begin += " ISOLATION LEVEL " + strings.ToUpper(level.String())
	}
	if options.ReadOnly {
		begin += " READ ONLY"
	}
	if _, err := c.ExecContext(ctx, begin+c.setLocal, nil); err != nil {
		c.link.ended.Store(true) // it may be in a transaction
		return nil, err
	}
	return &driverTx{c.driverConn.(driver.Tx), c.conn, ctx}, nil
}

// setLocal returns the statements that give parameters to the transaction that has begun.
func setLocal(parameters map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		if name == timezone {
			continue
		}
		values := []string{parameters[name]}
		if name == "search_path" { // a list
			values = strings.Split(parameters[name], ",")
		}
		for i, value := range values {
			values[i] = pq.QuoteLiteral(strings.TrimSpace(value))
		}
		fmt.Fprintf(&b, "; SET LOCAL %s = %s", parameterName(name), strings.Join(values, ", "))
	}
	return b.String()
}

// parameterName quotes the name of a parameter, which may have parts.
func parameterName(name string) string {
	parts := strings.Split(name, ".")
	for i, part := range parts {
		parts[i] = pq.QuoteIdentifier(strings.ToLower(part))
	}
	return strings.Join(parts, ".")
}

// sharedStmt is a statement that is sent whole each time, in one round trip.
type sharedStmt struct {
	conn  *sharedConn
	query string
}

// Close implements driver.Stmt.
func (s *sharedStmt) Close() error { return nil }

// NumInput implements driver.Stmt: the server counts.
func (s *sharedStmt) NumInput() int { return -1 }

// Exec implements driver.Stmt, which database/sql does not call.
func (s *sharedStmt) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }

// Query implements driver.Stmt, which database/sql does not call.
func (s *sharedStmt) Query([]driver.Value) (driver.Rows, error) { return nil, driver.ErrSkip }

// QueryContext implements driver.StmtQueryContext.
func (s *sharedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.conn.QueryContext(ctx, s.query, args)
}

// ExecContext implements driver.StmtExecContext.
func (s *sharedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.conn.ExecContext(ctx, s.query, args)
}
