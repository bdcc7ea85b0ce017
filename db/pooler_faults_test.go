package db

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

	"github.com/lib/pq"

	"lunchgo/db/dbtest"
)

// pooledAt opens a database through a PgBouncer of the test's own, and that PgBouncer's console.
func pooledAt(t *testing.T, address string, settings ...string) (db *DB, console func(command string)) {
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

// What PgBouncer does with server connections between transactions changes nothing: it keeps them for a client, takes
// away what was set, or only the statements that were prepared.
func TestPooler_ResetsServerConnections(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string][]string{
		"session":        {"pool_mode = session"},
		"discard all":    {"pool_mode = transaction", "server_reset_query_always = 1"},
		"deallocate all": {"pool_mode = transaction", "server_reset_query_always = 1", "server_reset_query = DEALLOCATE ALL"},
		"short lives":    {"pool_mode = transaction", "server_lifetime = 0", "server_idle_timeout = 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, _ := pooledAt(t, dbtest.Template(t, "schema", migrated), append(settings, "default_pool_size = 10")...)
			h := newHarness(db, "")
			h.open(t, testRestaurant())
			bookPooled(t, h)
			bookPooled(t, h)
			checkBalances(t, h)
		})
	}
}

// The control: without doubt, a server connection that lost its statements and kept its mark fails.
func TestPooler_LostStatementsAreNoticed(t *testing.T) {
	t.Parallel()
	db, _ := pooledAt(t, dbtest.PostgresURL(t), "pool_mode = transaction", "default_pool_size = 1")
	read := func() (n int, err error) {
		err = db.inTx(t.Context(), func(ctx context.Context, t *tx) error {
			return t.get(ctx, &n, `SELECT $1::int`, 1)
		})
		return n, err
	}
	for range 2 { // the second time it is prepared
		if _, err := read(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.pool.ExecContext(t.Context(), `DEALLOCATE ALL`); err != nil {
		t.Fatal(err)
	}
	if err := db.tryTx(t.Context(), sql.TxOptions{}, func(ctx context.Context, t *tx) error {
		var n int
		return t.get(ctx, &n, `SELECT $1::int`, 1)
	}); !isNotPrepared(err) {
		t.Errorf("one attempt: %v", err)
	}
	if n, err := read(); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// PgBouncer reads its settings again, lets everybody wait, ends all connections: calls end in their time with an answer
// or with ErrUnavailable, and go on afterwards.
func TestPooler_IsOperated(t *testing.T) {
	t.Parallel()
	h := setup(t)
	db, console := pooledAt(t, h.url, "pool_mode = transaction", "default_pool_size = 2", "server_login_retry = 1")
	var name string
	dbtest.Must(t, db.get(t.Context(), &name, `SELECT current_database()`))
	console(`RELOAD`)
	console(`RECONNECT`)
	if err := db.inTx(t.Context(), selectOne); err != nil {
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
			if err := db.inTx(ctx, func(ctx context.Context, t *tx) error {
				_, err := t.exec(ctx, `SELECT pg_sleep(9)`)
				return err
			}); !errors.Is(err, ErrUnavailable) {
				t.Errorf("a call that is ended: %v", err)
			}
		})
	}
	dbtest.Eventually(t, "calls are under way", func() bool {
		return h.count(t, `SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(9)%' AND state = 'active'
			AND pid <> pg_backend_pid() AND datname = current_database()`) == 2
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
	if _, err := direct.pool.ExecContext(t.Context(), `CREATE TABLE dishes AS SELECT 1 AS id, 2 AS price`); err != nil {
		t.Fatal(err)
	}
	read := func(db *DB, query string) {
		t.Helper()
		for range 4 {
			var one, other int64
			if err := db.get(t.Context(), &one, query); err != nil {
				t.Error(query, err)
			}
			if err := db.inTx(t.Context(), func(ctx context.Context, t *tx) error {
				return t.get(ctx, &other, query)
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
		for _, db := range []*DB{older, newer, direct} {
			read(db, both)
		}
		read(older, own)
	}
	everybody()
	for _, change := range []string{
		`ALTER TABLE dishes ADD COLUMN portions integer NOT NULL DEFAULT 0`, `ALTER TABLE dishes ALTER COLUMN price TYPE bigint`,
		`ALTER TABLE dishes ALTER COLUMN price TYPE integer`,
	} {
		if _, err := newer.pool.ExecContext(t.Context(), change); err != nil {
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
			if _, err := direct.pool.ExecContext(t.Context(), `DO $$ BEGIN EXECUTE format(
				'ALTER DATABASE %I SET standard_conforming_strings = `+standard+`', current_database()); END $$`); err != nil {
				t.Fatal(err)
			}
			pooled, _ := pooledAt(t, address, "pool_mode = transaction")
			for name, db := range map[string]*DB{"direct": openTest(t, Config{URL: address, QueryTimeout: time.Minute}),
				"pooled": pooled} {
				t.Run(name, func(t *testing.T) { quoted(t, db) })
			}
		})
	}
}

func quoted(t *testing.T, db *DB) {
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
		err := db.get(t.Context(), &got,
			`SELECT $1::text AS text, $2::text[] AS list, $3::bytea AS bytes, to_jsonb($1::text) #>> '{}' AS doc`, text,
			pq.StringArray{text, "", text}, []byte(text+"\x00\xff"))
		if err != nil || got.Text != text || got.Doc != text || string(got.Bytes) != text+"\x00\xff" ||
			!slices.Equal(got.List, []string{text, "", text}) {
			t.Errorf("%.40q: %.200v, %v", text, got, err)
		}
	}
}

// A statement that fails in the middle of a transaction undoes all of it, and the next one has a connection that works.
func TestPooler_AStatementFails(t *testing.T) {
	t.Parallel()
	h := setupPooled(t)
	diner := h.diners(t, 1, 0)[0]
	for range 2 * serverConns {
		err := h.inTx(t.Context(), func(ctx context.Context, t *tx) error {
			if _, err := t.exec(ctx, `UPDATE users SET name = 'changed' WHERE id = $1`, diner); err != nil {
				return err
			}
			if _, err := t.exec(ctx, `SELECT 1 / $1::int`, 0); err == nil {
				return errors.New("division by zero")
			}
			_, err := t.exec(ctx, `UPDATE users SET name = 'changed again' WHERE id = $1`, diner)
			return err
		})
		if err == nil {
			t.Error("it is committed")
		}
		if u, err := h.users.FindUser(t.Context(), diner); err != nil || strings.HasPrefix(u.Name, "changed") {
			t.Errorf("%+v, %v", u, err)
		}
	}
	if n := h.Stats().InUse; n != 0 {
		t.Errorf("%d connections are held", n)
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
		if _, err := db.pool.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		var ids []int64
		if err := db.list(t.Context(), &ids, `INSERT INTO second VALUES (7), (8) RETURNING id`); err == nil {
			t.Errorf("%v are returned that are not there", ids)
		}
	}
}
