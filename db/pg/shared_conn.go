package pg

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/lib/pq"
)

// sharedConn is a connection to a pooler, behind which each transaction may have another server connection. Nothing of
// it lasts longer than a transaction: the time-outs come with its beginning.
type sharedConn struct {
	*conn
	servers  *servers
	setLocal string
	server   string // the server connection of the transaction under way; empty outside
}

// PrepareContext implements driver.ConnPrepareContext. Each server connection learns of the statement when it meets it.
func (c *sharedConn) PrepareContext(_ context.Context, query string) (driver.Stmt, error) {
	return &sharedStmt{c, preparedName(query), query}, nil
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
	if err := c.begin(ctx, begin); err != nil {
		c.link.ended.Store(true) // it may be in a transaction
		return nil, err
	}
	return &sharedTx{&driverTx{c.driverConn.(driver.Tx), c.conn, ctx}, c}, nil
}

// begin learns which server connection the transaction has, and marks one that is new.
func (c *sharedConn) begin(ctx context.Context, begin string) error {
	found, err := c.column(ctx, begin+c.setLocal+`; SELECT COALESCE(current_setting('`+serverMark+`', true), '')`)
	if err != nil {
		return err
	}
	if c.server = found[0]; c.server != "" {
		c.servers.begin(c.server)
		return nil
	}
	c.server = c.servers.name()
	_, err = c.ExecContext(ctx, `SET `+serverMark+` = '`+c.server+`'`, nil)
	return err
}

// column reads the texts of a column.
func (c *sharedConn) column(ctx context.Context, query string) (texts []string, err error) {
	rows, err := c.QueryContext(ctx, query, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	value := make([]driver.Value, 1)
	for {
		err := rows.Next(value)
		if errors.Is(err, io.EOF) {
			return texts, nil
		}
		if err != nil {
			return nil, err
		}
		texts = append(texts, fmt.Sprintf("%s", value[0]))
	}
}

// sharedTx is a transaction on a server connection that is given back at its end.
type sharedTx struct {
	driver.Tx
	conn *sharedConn
}

// Commit implements driver.Tx.
func (t *sharedTx) Commit() error {
	t.conn.server = ""
	return t.Tx.Commit()
}

// Rollback implements driver.Tx.
func (t *sharedTx) Rollback() error {
	t.conn.server = ""
	return t.Tx.Rollback()
}

// setLocal returns the statements that give parameters to the transaction under way.
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
