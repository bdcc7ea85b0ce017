package pg

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/jmoiron/sqlx/reflectx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// sessionMark is a parameter that PostgreSQL keeps for a session and that means nothing to it. What stands between may
// refuse or ignore it.
const sessionMark = "lunchgo.session"

// timezone is a parameter that poolers keep for each of their clients.
const timezone = "timezone"

// connector opens connections to PostgreSQL itself, whose sessions are ours, or to a pooler that gives a server
// connection to each transaction (PgBouncer's pool_mode = transaction). It finds out which it is by asking for a
// session with parameters.
type connector struct {
	own           driver.Connector // asks for a session with parameters
	ofTransaction driver.Connector // asks for nothing that has to last longer than a transaction
	statementTime time.Duration
	mark          string
	setLocal      string // sets the parameters of a transaction
	servers       *servers
	full          func()      // is called when the server has no connection to give; nil: nobody
	shared        atomic.Bool // a pooler is there; for good, because what is right with a pooler is right without
}

// CheckURL returns an error unless Open takes a text as the address of a database.
func CheckURL(address string) error {
	_, err := pq.NewConfig(address)
	return err
}

// newConnector returns the connector of sessions whose statements end after statementTime.
func newConnector(config Config, statementTime time.Duration) (*connector, error) {
	dsn, err := pq.NewConfig(config.URL)
	if err != nil {
		return nil, fmt.Errorf("pg: url: %w", err)
	}
	dsn.ApplicationName = cmp.Or(dsn.ApplicationName, defaultApplicationName)
	dsn.ConnectTimeout = cmp.Or(dsn.ConnectTimeout, connectTimeout)
	parameters := config.parameters(statementTime)
	maps.Copy(parameters, dsn.Runtime)
	c := &connector{statementTime: statementTime, mark: rand.Text(), setLocal: setLocal(parameters),
		servers: newServers()}
	dsn.Runtime = map[string]string{timezone: parameters[timezone]}
	dsn.BinaryParameters = true // one round trip for a statement that is not prepared
	if c.ofTransaction, err = newDriver(dsn, config.Dial); err != nil {
		return nil, err
	}
	parameters[sessionMark] = c.mark
	dsn.Runtime, dsn.BinaryParameters = parameters, false
	c.own, err = newDriver(dsn, config.Dial)
	return c, err
}

func newDriver(dsn pq.Config, dial dialFunc) (*pq.Connector, error) {
	made, err := pq.NewConnectorConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("pg: url: %w", err)
	}
	made.Dialer(dialer{dial})
	return made, nil
}

// parameters are those of a session.
func (c Config) parameters(statementTime time.Duration) map[string]string {
	return map[string]string{
		// Statements are prepared once and written so that one plan serves for all arguments. Left to itself the server
		// plans those with arrays anew each time, because it knows their length then: one took 1.7 ms
		// instead of 0.4.
		"plan_cache_mode":                     "force_generic_plan",
		timezone:                              "UTC",
		"statement_timeout":                   milliseconds(statementTime),
		"lock_timeout":                        milliseconds(c.LockTimeout),
		"idle_in_transaction_session_timeout": milliseconds(c.IdleInTxTimeout),
	}
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// pool returns a pool of connections. Rows are scanned into the types that the product works with: a field UserID has
// the column user_id, and Ko of a field Name the column "name.ko". Other names stand in tags.
func (c *connector) pool() *sqlx.DB {
	pool := sqlx.NewDb(sql.OpenDB(c), "postgres")
	pool.Mapper = columns
	return pool
}

var columns = reflectx.NewMapperFunc("db", columnOf)

// columnOf is the column of a field: CheckoutURL has checkout_url.
func columnOf(field string) string {
	field = strings.ReplaceAll(field, "IDs", "Ids")
	field = afterShort.ReplaceAllString(field, "${1}_${2}")
	return strings.ToLower(afterWord.ReplaceAllString(field, "${1}_${2}"))
}

var (
	afterShort = regexp.MustCompile(`([A-Z])([A-Z][a-z])`) // URL in URLOfHook
	afterWord  = regexp.MustCompile(`([a-z0-9])([A-Z])`)
)

// Driver implements driver.Connector.
func (c *connector) Driver() driver.Driver { return c.own.Driver() }

// Connect implements driver.Connector.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.connect(ctx)
	if isFull(err) && c.full != nil {
		c.full()
	}
	return opened, err
}

func (c *connector) connect(ctx context.Context) (driver.Conn, error) {
	if !c.shared.Load() {
		opened, err := openLink(ctx, c.own, c.statementTime)
		if err == nil {
			var ours bool
			if ours, err = c.isOurs(ctx, opened); ours {
				return opened, nil
			}
			_ = opened.Close()
		}
		if err != nil && !isRefusedByPooler(err) {
			return nil, err
		}
	}
	opened, err := openLink(ctx, c.ofTransaction, c.statementTime)
	if err != nil {
		return nil, err
	}
	c.shared.Store(true)
	return &sharedConn{conn: opened, servers: c.servers, setLocal: c.setLocal}, nil
}

// isOurs says whether the session on a connection has what was asked for when it was opened.
func (c *connector) isOurs(ctx context.Context, opened *conn) (bool, error) {
	rows, err := opened.QueryContext(ctx, `SELECT current_setting('`+sessionMark+`', true)`, nil)
	if err != nil {
		return false, err
	}
	defer func() { _ = rows.Close() }()
	mark := make([]driver.Value, 1)
	if err := rows.Next(mark); err != nil {
		return false, err
	}
	kept, _ := mark[0].(string)
	return kept == c.mark, nil
}

// isRefusedByPooler says whether an error of connecting may be a pooler's that does not know the parameters of a
// session. PostgreSQL has another code for a parameter that it does not know.
func isRefusedByPooler(err error) bool {
	var server *pq.Error
	return errors.As(err, &server) && server.Code == pqerror.ProtocolViolation
}
