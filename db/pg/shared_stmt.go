package pg

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/hex"
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
// poolers do not touch, and have the same names in all instances: PostgreSQL plans the large ones five times as long as
// it runs them.
type servers struct {
	mu       sync.Mutex
	prepared map[string]map[string]bool // by server connection and name
	// something takes statements away and leaves the marks: each transaction asks what is prepared
	doubted bool
	// of the names: counts how often statements had other columns than when they were prepared
	edition int
}

func newServers() *servers { return &servers{prepared: map[string]map[string]bool{}} }

// name names a new server connection.
func (s *servers) name() string { return rand.Text() }

// begin says that a transaction begins on a server connection.
func (s *servers) begin(server string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.doubted {
		delete(s.prepared, server)
	}
}

// learnFailure learns from the failure of a statement, so that the next attempt does not fail for the same reason.
func (s *servers) learnFailure(edition int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case isNotPrepared(err):
		s.doubted = true
	case isChanged(err) && s.edition == edition:
		s.edition++
	}
}

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

// name returns the name under which a statement is prepared now, and its edition.
func (s *sharedStmt) name() (name string, edition int) {
	s.conn.servers.mu.Lock()
	defer s.conn.servers.mu.Unlock()
	if edition = s.conn.servers.edition; edition == 0 {
		return s.base, 0
	}
	return s.base + "_" + strconv.Itoa(edition), edition
}

// sharedStmt is a statement that is prepared on each server connection that meets it.
type sharedStmt struct {
	conn        *sharedConn
	base, query string
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
	var rows driver.Rows
	err := s.run(ctx, args, func(text string, last bool) (err error) {
		if rows, err = s.conn.QueryContext(ctx, text, nil); err == nil && last {
			rows, err = readAll(rows)
		}
		return err
	})
	return rows, err
}

// ExecContext implements driver.StmtExecContext.
func (s *sharedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	var result driver.Result
	err := s.run(ctx, args, func(text string, _ bool) (err error) {
		result, err = s.conn.ExecContext(ctx, text, nil)
		return err
	})
	return result, err
}

// run sends the text that runs the statement: in the transaction under way, or else alone. Where its server connection
// does not know the statement, that is prepared and runs in a transaction of its own, which is committed before run
// returns: then send has to read what comes, because its text is the last one of the transaction.
func (s *sharedStmt) run(ctx context.Context, args []driver.NamedValue, send func(text string, last bool) error) error {
	name, edition := s.name()
	text, err := execute(name, args)
	if err != nil {
		return err
	}
	if s.conn.server != "" {
		if err = s.prepare(ctx, name); err == nil {
			err = send(text, false)
		}
	} else if err = send(s.conn.alone(text), false); isNotPrepared(err) {
		err = s.inTx(ctx, func() error {
			if err := s.prepare(ctx, name); err != nil {
				return err
			}
			return send(text, true)
		})
	}
	if err != nil {
		s.conn.servers.learnFailure(edition, err)
	}
	return err
}

// InTx does something in a transaction.
func (s *sharedStmt) inTx(ctx context.Context, work func() error) error {
	tx, err := s.conn.BeginTx(ctx, driver.TxOptions{})
	if err != nil {
		return err
	}
	if err := work(); err != nil {
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}

// alone is a statement with the time-outs before it, in one round trip: what comes in one message is one transaction.
func (c *sharedConn) alone(text string) string {
	return strings.TrimPrefix(c.setLocal, "; ") + "; " + text
}

// prepare makes sure that the server connection of the transaction knows the statement. Nobody else can prepare it
// meanwhile.
func (s *sharedStmt) prepare(ctx context.Context, name string) error {
	c := s.conn
	if c.servers.has(c.server, name) {
		return nil
	}
	known, err := c.column(ctx, `SELECT name FROM pg_prepared_statements`)
	if err != nil {
		return err
	}
	if c.servers.add(c.server, known...); c.servers.has(c.server, name) {
		return nil
	}
	if _, err := c.ExecContext(ctx, `PREPARE `+name+` AS `+s.query, nil); err != nil {
		return err
	}
	c.servers.add(c.server, name)
	return nil
}

// execute writes the statement that runs a prepared one. Arguments are written as the driver sends them in text: the
// server reads them as values of the types that the prepared statement has.
func execute(name string, args []driver.NamedValue) (string, error) {
	if len(args) == 0 {
		return "EXECUTE " + name, nil
	}
	literals := make([]string, len(args))
	for i, arg := range args {
		var err error
		if literals[i], err = literal(arg.Value); err != nil {
			return "", err
		}
	}
	return "EXECUTE " + name + "(" + strings.Join(literals, ", ") + ")", nil
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
		return ` E'\\x` + hex.EncodeToString(v) + `'`, nil // the same whatever standard_conforming_strings is
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
	return "", fmt.Errorf("pg: a %T is no argument", value)
}
