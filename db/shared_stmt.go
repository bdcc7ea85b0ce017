package db

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// serverMark is a parameter by which a server connection is known again.
const serverMark = "lunchgo.server"

// mostServers is how many server connections are remembered. A pooler opens new ones from time to time.
const mostServers = 1_000

// servers know which statements the server connections of a pooler have prepared. They are prepared by SQL, whose names
// poolers do not touch, and have the same names in all instances: PostgreSQL plans the large ones five times as long as it
// runs them.
type servers struct {
	mu       sync.Mutex
	prepared map[string]map[string]bool // by server connection and name
}

func newServers() *servers { return &servers{prepared: map[string]map[string]bool{}} }

// name names a new server connection.
func (s *servers) name() string { return rand.Text() }

func (s *servers) has(server, statement string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.prepared[server][statement]
}

func (s *servers) add(server string, statements ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.prepared) >= mostServers {
		clear(s.prepared)
	}
	if s.prepared[server] == nil {
		s.prepared[server] = map[string]bool{}
	}
	for _, name := range statements {
		s.prepared[server][name] = true
	}
}

// preparedName is the name of a statement in all instances.
func preparedName(query string) string {
	sum := sha256.Sum256([]byte(query))
	return "lunchgo_" + hex.EncodeToString(sum[:10])
}

// sharedStmt is a statement that is prepared on each server connection that meets it.
type sharedStmt struct {
	conn        *sharedConn
	name, query string
}

// Close implements driver.Stmt: others use the statement.
func (s *sharedStmt) Close() error { return nil }

// NumInput implements driver.Stmt: the server counts.
func (s *sharedStmt) NumInput() int { return -1 }

// Exec implements driver.Stmt, which database/sql does not call.
func (s *sharedStmt) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }

// Query implements driver.Stmt, which database/sql does not call.
func (s *sharedStmt) Query([]driver.Value) (driver.Rows, error) { return nil, driver.ErrSkip }

// QueryContext implements driver.StmtQueryContext.
func (s *sharedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	text, err := s.execute(args)
	if err != nil {
		return nil, err
	}
	if s.conn.server != "" {
		if err := s.prepare(ctx); err != nil {
			return nil, err
		}
		return s.conn.QueryContext(ctx, text, nil)
	}
	rows, err := s.conn.QueryContext(ctx, s.conn.alone(text), nil)
	if !isNotPrepared(err) {
		return rows, err
	}
	tx, err := s.conn.BeginTx(ctx, driver.TxOptions{})
	if err != nil {
		return nil, err
	}
	if err = s.prepare(ctx); err == nil {
		if rows, err = s.conn.QueryContext(ctx, text, nil); err == nil {
			return &lastRows{rows, tx}, nil
		}
	}
	_ = tx.Rollback()
	return nil, err
}

// ExecContext implements driver.StmtExecContext.
func (s *sharedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	text, err := s.execute(args)
	if err != nil {
		return nil, err
	}
	if s.conn.server != "" {
		if err := s.prepare(ctx); err != nil {
			return nil, err
		}
		return s.conn.ExecContext(ctx, text, nil)
	}
	result, err := s.conn.ExecContext(ctx, s.conn.alone(text), nil)
	if !isNotPrepared(err) {
		return result, err
	}
	tx, err := s.conn.BeginTx(ctx, driver.TxOptions{})
	if err != nil {
		return nil, err
	}
	if err = s.prepare(ctx); err == nil {
		if result, err = s.conn.ExecContext(ctx, text, nil); err == nil {
			return result, tx.Commit()
		}
	}
	_ = tx.Rollback()
	return nil, err
}

// alone is a statement with the time-outs before it, in one round trip: what comes in one message is one transaction.
func (c *sharedConn) alone(text string) string {
	return strings.TrimPrefix(c.setLocal, "; ") + "; " + text
}

// prepare makes sure that the server connection of the transaction knows the statement. Nobody else can prepare it meanwhile.
func (s *sharedStmt) prepare(ctx context.Context) error {
	c := s.conn
	if c.servers.has(c.server, s.name) {
		return nil
	}
	known, err := c.column(ctx, `SELECT name FROM pg_prepared_statements`)
	if err != nil {
		return err
	}
	if c.servers.add(c.server, known...); c.servers.has(c.server, s.name) {
		return nil
	}
	if _, err := c.ExecContext(ctx, `PREPARE `+s.name+` AS `+s.query, nil); err != nil {
		return err
	}
	c.servers.add(c.server, s.name)
	return nil
}

// isNotPrepared says whether a server connection did not know a statement.
func isNotPrepared(err error) bool { return pq.As(err, pqerror.InvalidSQLStatementName) != nil }

// lastRows are those of a transaction that ends with them.
type lastRows struct {
	driver.Rows
	tx driver.Tx
}

// Close implements driver.Rows.
func (r *lastRows) Close() error { return errors.Join(r.Rows.Close(), r.tx.Commit()) }

// execute writes the statement that runs a prepared one. Arguments are written as the driver sends them in text: the server
// reads them as values of the types that the prepared statement has.
func (s *sharedStmt) execute(args []driver.NamedValue) (string, error) {
	if len(args) == 0 {
		return "EXECUTE " + s.name, nil
	}
	literals := make([]string, len(args))
	for i, arg := range args {
		var err error
		if literals[i], err = literal(arg.Value); err != nil {
			return "", err
		}
	}
	return "EXECUTE " + s.name + "(" + strings.Join(literals, ", ") + ")", nil
}

// literal writes a value as SQL.
func literal(value driver.Value) (string, error) {
	switch v := value.(type) {
	case nil:
		return "NULL", nil
	case []byte:
		if v == nil {
			return "NULL", nil
		}
		return `'\x` + hex.EncodeToString(v) + `'`, nil
	case string:
		if strings.ContainsRune(v, 0) {
			return "", &pq.Error{Code: pqerror.CharacterNotInRepertoire,
				Message: "a text holds the character that no text can hold"}
		}
		return pq.QuoteLiteral(v), nil
	case int64:
		return "'" + strconv.FormatInt(v, 10) + "'", nil
	case float64:
		return "'" + strconv.FormatFloat(v, 'g', -1, 64) + "'", nil
	case bool:
		return "'" + strconv.FormatBool(v) + "'", nil
	case time.Time:
		return "'" + string(pq.FormatTimestamp(v)) + "'", nil
	}
	return "", fmt.Errorf("db: a %T is no argument", value)
}
