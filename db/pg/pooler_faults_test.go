package pg

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"lunchgo/app/refusal"
	"lunchgo/db/dbtest"
)

// pooledAt opens a database through a PgBouncer of the test's own, and that PgBouncer's console.
func pooledAt(t *testing.T, address string, settings ...string) (db *Pool, console func(command string)) {
	t.Helper()
	pooled := dbtest.PgBouncer(t, address, settings...).URL
	u, err := url.Parse(pooled)
	dbtest.Must(t, err)
	u.Path = "/pgbouncer"
	admin, err := sql.Open("postgres", u.String())
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = admin.Close() })
	console = func(command string) {
		t.Helper()
		if _, err := admin.ExecContext(t.Context(), command); err != nil {
			t.Fatal(command, err)
		}
	}
	return openTest(t, Config{URL: pooled, MaxConns: 4, QueryTimeout: time.Minute}), console
}

// Without transactions nothing works: a pooler that has none is refused when the database is opened.
func TestPooler_OfStatementsIsRefused(t *testing.T) {
	t.Parallel()
	address := dbtest.PgBouncer(t, dbtest.PostgresURL(t), "pool_mode = statement").URL
	if _, err := Open(t.Context(), Config{URL: address}); !errors.Is(err, ErrStatementPooling) {
		t.Errorf("got %v, want %v", err, ErrStatementPooling)
	}
}

// The control: without doubt, a server connection that lost its statements and kept its mark fails.
func TestPooler_LostStatementsAreNoticed(t *testing.T) {
	t.Parallel()
	db, _ := pooledAt(t, dbtest.PostgresURL(t), "pool_mode = transaction", "default_pool_size = 1")
	read := func() (n int, err error) {
		err = db.InTx(t.Context(), func(ctx context.Context, t *Tx) error {
			return t.Get(ctx, &n, `SELECT $1::int`, 1)
		})
		return n, err
	}
	for range 2 { // the second time it is prepared
		if _, err := read(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.sql.ExecContext(t.Context(), `DEALLOCATE ALL`); err != nil {
		t.Fatal(err)
	}
	if err := db.tryTx(t.Context(), sql.TxOptions{}, func(ctx context.Context, t *Tx) error {
		var n int
		return t.Get(ctx, &n, `SELECT $1::int`, 1)
	}); !isNotPrepared(err) {
		t.Errorf("one attempt: %v", err)
	}
	if n, err := read(); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// PgBouncer reads its settings again, lets everybody wait, ends all connections: calls end in their time with an answer
// or with refusal.ErrUnavailable, and go on afterwards.
func TestPooler_IsOperated(t *testing.T) {
	t.Parallel()
	address := dbtest.PostgresURL(t)
	direct := openTest(t, Config{URL: address})
	db, console := pooledAt(t, address, "pool_mode = transaction", "default_pool_size = 2", "server_login_retry = 1")
	var name string
	dbtest.Must(t, db.Get(t.Context(), &name, `SELECT current_database()`))
	console(`RELOAD`)
	console(`RECONNECT`)
	if err := db.InTx(t.Context(), selectOne); err != nil {
		t.Errorf("after RECONNECT: %v", err)
	}
	console(`PAUSE`)
	hangs(t, db)
	console(`RESUME`)
	goesOn(t, db)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			if err := db.InTx(ctx, func(ctx context.Context, t *Tx) error {
				_, err := t.Exec(ctx, `SELECT pg_sleep(9)`)
				return err
			}); !errors.Is(err, refusal.ErrUnavailable) {
				t.Errorf("a call that is ended: %v", err)
			}
		})
	}
	dbtest.Eventually(t, "calls are under way", func() bool {
		n, err := One[int](t.Context(), direct, `SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(9)%'
			AND state = 'active' AND pid <> pg_backend_pid() AND datname = current_database()`)
		return err == nil && n == 2
	})
	console(`KILL ` + name)
	all.Wait()
	hangs(t, db) // refused at once
	console(`RESUME ` + name)
	goesOn(t, db)
}

// Two versions of the product, with statements of their own and of both, share the server connections. A migration of
// the newer one adds to tables, and changes what a statement returns: nobody fails.
func TestPooler_TwoVersions(t *testing.T) {
	t.Parallel()
	address := dbtest.PostgresURL(t)
	older, _ := pooledAt(t, address, "pool_mode = transaction", "default_pool_size = 2")
	newer := openTest(t, Config{URL: older.config.URL, MaxConns: 4})
	direct := openTest(t, Config{URL: address, MaxConns: 1})
	if _, err := direct.sql.ExecContext(t.Context(), `CREATE TABLE dishes AS SELECT 1 AS id, 2 AS price`); err != nil {
		t.Fatal(err)
	}
	read := func(db *Pool, query string) {
		t.Helper()
		for range 4 {
			var one, other int64
			if err := db.Get(t.Context(), &one, query); err != nil {
				t.Error(query, err)
			}
			if err := db.InTx(t.Context(), func(ctx context.Context, t *Tx) error {
				return t.Get(ctx, &other, query)
			}); err != nil {
				t.Error(query, err)
			}
			if one != other || one == 0 {
				t.Errorf("%s: %d and %d", query, one, other)
			}
		}
	}
	const both, own = `SELECT price FROM dishes`, `SELECT id FROM dishes WHERE price > 0`
	everybody := func() {
		t.Helper()
		for _, db := range []*Pool{older, newer, direct} {
			read(db, both)
		}
		read(older, own)
	}
	everybody()
	for _, change := range []string{
		`ALTER TABLE dishes ADD COLUMN portions integer NOT NULL DEFAULT 0`, `ALTER TABLE dishes ALTER COLUMN price TYPE bigint`,
		`ALTER TABLE dishes ALTER COLUMN price TYPE integer`,
	} {
		if _, err := newer.sql.ExecContext(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		everybody()
	}
	read(newer, `SELECT portions + 1 FROM dishes`)
}

// Texts, bytes and lists come through whatever signs they hold, and however long they are, also where backslashes of
// texts mean something to the server.
func TestPooler_QuotesArguments(t *testing.T) {
	t.Parallel()
	for _, standard := range []string{"on", "off"} {
		t.Run("standard_conforming_strings "+standard, func(t *testing.T) {
			t.Parallel()
			address := dbtest.PostgresURL(t)
			direct := openTest(t, Config{URL: address, MaxConns: 1})
			if _, err := direct.sql.ExecContext(t.Context(), `DO $$ BEGIN EXECUTE format(
				'ALTER DATABASE %I SET standard_conforming_strings = `+standard+`', current_database()); END $$`); err != nil {
				t.Fatal(err)
			}
			pooled, _ := pooledAt(t, address, "pool_mode = transaction")
			for name, db := range map[string]*Pool{"pooled": pooled,
				"direct": openTest(t, Config{URL: address, QueryTimeout: time.Minute})} {
				t.Run(name, func(t *testing.T) { quoted(t, db) })
			}
		})
	}
}

func quoted(t *testing.T, db *Pool) {
	for _, text := range []string{
		`\`, `'`, `\'`, `''`, `\\`, `a\`, `\x41`, `\101`, `' || pg_sleep(9) || '`, `'); DROP TABLE users; --`, `$1`, `$$`, `E'`, "\n\r\t\b", "한글'\\",
		"\u2028", "{\"a\": \"\\u0041\\\"\"}", strings.Repeat(`\'"한`, 200_000),
	} {
		var got struct {
			Text  string         `db:"text"`
			List  pq.StringArray `db:"list"`
			Bytes []byte         `db:"bytes"`
			Doc   string         `db:"doc"`
		}
		err := db.Get(t.Context(), &got,
			`SELECT $1::text AS text, $2::text[] AS list, $3::bytea AS bytes, to_jsonb($1::text) #>> '{}' AS doc`, text,
			pq.StringArray{text, "", text}, []byte(text+"\x00\xff"))
		if err != nil || got.Text != text || got.Doc != text || string(got.Bytes) != text+"\x00\xff" ||
			!slices.Equal(got.List, []string{text, "", text}) {
			t.Errorf("%.40q: %.200v, %v", text, got, err)
		}
	}
}

// What a statement alone changes is committed before its rows are returned: also the first time, when it is prepared.
func TestPooler_RowsAreCommitted(t *testing.T) {
	t.Parallel()
	db, _ := pooledAt(t, dbtest.PostgresURL(t), "pool_mode = transaction")
	for _, statement := range []string{
		`CREATE TABLE first (id integer PRIMARY KEY)`,
		`CREATE TABLE second (id integer CONSTRAINT second_first REFERENCES first (id) DEFERRABLE INITIALLY DEFERRED)`,
	} {
		if _, err := db.sql.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		var ids []int64
		if err := db.List(t.Context(), &ids, `INSERT INTO second VALUES (7), (8) RETURNING id`); err == nil {
			t.Errorf("%v are returned that are not there", ids)
		}
	}
}

// Values of all kinds are read behind a pooler as they are without one, whatever they hold.
func TestPooler_ReadsArguments(t *testing.T) {
	t.Parallel()
	db, _ := pooledAt(t, dbtest.PostgresURL(t), "pool_mode = transaction")
	hard := `it's \' "$1" 한글`
	at := time.Date(2040, 5, 7, 1, 2, 3, 4_000, time.UTC)
	for range 2 { // the first time the statement is prepared
		var got struct {
			Text  string        `db:"text"`
			List  pq.Int64Array `db:"list"`
			Bytes []byte        `db:"bytes"`
			At    time.Time     `db:"at"`
			None  *string       `db:"none"`
			Yes   bool          `db:"yes"`
			Half  float64       `db:"half"`
		}
		err := db.Get(t.Context(), &got,
			`SELECT $1::text AS text, $2::bigint[] AS list, $3::bytea AS bytes, $4::timestamptz AS at,
			$5::text AS none, $6::boolean AS yes, $7::double precision AS half`,
			hard, pq.Array([]int64{1, 2}), []byte{0, 39, 92}, at, nil, true, 0.5)
		if err != nil || got.Text != hard || len(got.List) != 2 || string(got.Bytes) != "\x00'\\" ||
			!got.At.Equal(at) ||
			got.None != nil || !got.Yes || got.Half != 0.5 {
			t.Errorf("%+v, %v", got, err)
		}
	}
	for _, bad := range []string{"a\x00b", "a\xffb"} {
		if err := db.Exec(t.Context(), `SELECT $1::text`, bad); !isRefused(err) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// A pooler that ignores what it does not know is noticed as well. What is prepared by name is not found behind it.
func TestPooler_ThatIgnoresParameters(t *testing.T) {
	t.Parallel()
	pooled, _ := pooledAt(t, dbtest.PostgresURL(t), "pool_mode = transaction", "default_pool_size = 4",
		"ignore_startup_parameters = plan_cache_mode,statement_timeout,lock_timeout,"+
			"idle_in_transaction_session_timeout,"+sessionMark)
	if !pooled.IsPooled() {
		t.Fatal("the pooler is not noticed")
	}
	named := newNamed(t, pooled.config.URL)
	failed := make(chan error, 100)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				if err := named.Exec(t.Context(), `SELECT $1::int, pg_sleep(0.001)`, 1); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	all.Wait()
	if len(failed) == 0 {
		t.Error("statements with names work behind the pooler: it is not in the way of anything")
	}
}

// newNamed opens a pool that takes a pooler for PostgreSQL.
func newNamed(t *testing.T, address string) *Pool {
	t.Helper()
	connector, err := newConnector(Config{URL: address}.withDefaults(), time.Second)
	dbtest.Must(t, err)
	pool := sqlx.NewDb(sql.OpenDB(connector.own), "postgres")
	pool.SetMaxOpenConns(8)
	t.Cleanup(func() { _ = pool.Close() })
	return &Pool{sql: pool, connector: connector, config: Config{}.withDefaults(), statements: newStatements()}
}
