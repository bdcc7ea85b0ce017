package e2e_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
)

// productAt starts an installation on a database that is there, with a Redis of its own that knows nothing.
func productAt(t *testing.T, databaseURL string, settings ...string) *product {
	t.Helper()
	p := newProduct(t, append(settings, "DATABASE_URL="+databaseURL)...)
	dbtest.Must(t, p.db.Close())
	p.databaseURL = databaseURL
	var err error
	p.db, err = sql.Open("postgres", databaseURL)
	dbtest.Must(t, err)
	return p
}

// tool runs a command of PostgreSQL.
func tool(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// contents are a line for each table, with its rows' number and a hash of all of them, and for each sequence.
func (p *product) contents() (lines []string) {
	p.t.Helper()
	tables := p.texts(`SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`)
	for _, table := range tables {
		lines = append(lines, p.texts(fmt.Sprintf(`
			SELECT '%[1]s ' || count(*) || ' ' || COALESCE(md5(string_agg(md5(r::text), '' ORDER BY r::text)), '') FROM %[1]s r`,
			table))...)
	}
	return append(lines,
		p.texts(`SELECT sequencename || ' ' || COALESCE(last_value, 0) FROM pg_sequences ORDER BY 1`)...)
}

// texts asks the database for one column of texts.
func (p *product) texts(query string, args ...any) (found []string) {
	p.t.Helper()
	rows, err := p.db.QueryContext(p.t.Context(), query, args...)
	dbtest.Must(p.t, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		dbtest.Must(p.t, rows.Scan(&text))
		found = append(found, text)
	}
	dbtest.Must(p.t, rows.Err())
	return found
}

// A dump restored into an empty database is the same installation: every row and sequence, the guards, the people who
// are signed in. What is booked then goes on from there.
func TestBackup_DumpRestoresTheInstallation(t *testing.T) {
	skipShort(t)
	t.Parallel()
	p := newProduct(t)
	d := p.newDiner(500_000)
	booked := d.reserve(p.freeSlot("sotbul", 2), true)
	held := d.reserve(p.freeSlot("sotbul", 2), false)
	p.kill()
	file, restored := filepath.Join(t.TempDir(), "lunchgo.dump"), dbtest.PostgresURL(t)
	tool(t, "pg_dump", "--format=custom", "--file="+file, "--dbname="+p.databaseURL)
	tool(t, "pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", "--dbname="+restored, file)

	before := p.contents()
	dbtest.Must(t, p.db.Close())
	p.databaseURL = restored
	var err error
	p.db, err = sql.Open("postgres", restored)
	dbtest.Must(t, err)
	after := p.contents()
	if len(before) < 50 || len(before) != len(after) {
		t.Fatalf("%d tables and sequences became %d", len(before), len(after))
	}
	for i := range before {
		if before[i] != after[i] {
			t.Errorf("%q became %q", before[i], after[i])
		}
	}
	p.expectGuards()
	if next := p.number(`SELECT setval(pg_get_serial_sequence('outbox', 'id'),
		(SELECT COALESCE(max(id), 0) FROM outbox) + 1000000)`); next < 1_000_000 {
		t.Errorf("the next event has the number %d", next)
	}
	p.run("migrate")
	p.run("audit")
	dbtest.Must(t, p.redis.FlushAll(t.Context()).Err())
	p.restart()
	d.call(http.MethodGet, "/api/reservations/"+booked, http.StatusOK, nil, nil)
	d.call(http.MethodPost, "/api/reservations/"+held+"/payment", http.StatusOK, body{"kind": "deposit"}, nil)
	d.reserve(p.freeSlot("sotbul", 2), true)
	p.run("audit")
}

// expectGuards changes what nobody may change: the database has to refuse.
func (p *product) expectGuards() {
	p.t.Helper()
	for statement, guard := range map[string]string{
		`UPDATE ledger_entries SET amount = amount + 1`: "append-only",
		`TRUNCATE audit_log`:                            "append-only",
		`UPDATE accounts SET balance = balance + 1`:     "ledger",
		`UPDATE accounts SET balance = -1`:              "accounts_balance_not_negative",
		`INSERT INTO slots (restaurant_id, service_date, service_time, capacity) VALUES (-1, now(), now(), 1)`: "slots_restaurant",
	} {
		if _, err := p.db.Exec(statement); err == nil || !strings.Contains(err.Error(), guard) {
			p.t.Errorf("%s ends with %v, want an error about %q", statement, err, guard)
		}
	}
}

// archived is a server of PostgreSQL that archives its WAL.
type archived struct {
	*embedded.Server
	db            *sql.DB
	data, archive string
}

func newArchived(t *testing.T) archived {
	t.Helper()
	a := archived{Server: dbtest.PrivatePostgres(t)}
	var err error
	a.db, err = sql.Open("postgres", a.URL)
	dbtest.Must(t, err)
	t.Cleanup(func() { dbtest.Must(t, a.db.Close()) })
	dbtest.Must(t, a.db.QueryRow(`SHOW data_directory`).Scan(&a.data))
	a.archive = filepath.Join(filepath.Dir(a.data), "archive")
	// the server may run as another user
	dbtest.Must(t, errors.Join(os.Mkdir(a.archive, 0o777), os.Chmod(a.archive, 0o777)))
	for _, setting := range []string{"archive_mode = 'on'",
		fmt.Sprintf("archive_command = 'test ! -f %[1]s/%%f && cp %%p %[1]s/%%f'", a.archive)} {
		_, err = a.db.Exec(`ALTER SYSTEM SET ` + setting)
		dbtest.Must(t, err)
	}
	a.Kill()
	dbtest.Must(t, a.Revive(t.Context()))
	return a
}

// awaitArchive ends the present segment of the WAL and waits until it is in the archive.
func (a archived) awaitArchive(t *testing.T) {
	t.Helper()
	var segment string
	dbtest.Must(t, a.db.QueryRow(`SELECT pg_walfile_name(pg_switch_wal())`).Scan(&segment))
	dbtest.Eventually(t, "the WAL is in the archive", func() bool {
		_, err := os.Stat(filepath.Join(a.archive, segment))
		var last sql.NullString
		return err == nil && a.db.QueryRow(`SELECT last_archived_wal FROM pg_stat_archiver`).Scan(&last) == nil &&
			last.String >= segment
	})
}

// restore replaces the server's data by a base backup and has it recover to a moment, as docs/backup.md says.
func (a archived) restore(t *testing.T, base, moment string) {
	t.Helper()
	a.Kill()
	settings := fmt.Sprintf(`
restore_command = 'cp %s/%%f %%p'
recovery_target_time = '%s'
recovery_target_action = 'promote'
hot_standby = 'off'
`, a.archive, moment) // nobody connects before it is done
	conf, err := os.OpenFile(filepath.Join(base, "postgresql.auto.conf"), os.O_APPEND|os.O_WRONLY, 0)
	dbtest.Must(t, err)
	_, err = conf.WriteString(settings)
	dbtest.Must(t, errors.Join(err, conf.Close(), os.WriteFile(filepath.Join(base, "recovery.signal"), nil, 0o600)))
	tool(t, "chown", "-R", "--reference="+a.data, base)
	tool(t, "chmod", "0700", base)
	dbtest.Must(t, errors.Join(os.Rename(a.data, a.data+".broken"), os.Rename(base, a.data)))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	dbtest.Must(t, a.Revive(ctx))
}

// Somebody empties a table. The server goes back to the moment before: what was booked until then is there and nothing
// else.
func TestSoak_Backup_RestoresToAMoment(t *testing.T) {
	skipUnlessSoak(t)
	t.Parallel()
	a := newArchived(t)
	path, err := binary()
	dbtest.Must(t, err)
	dbtest.Must(t, seedDemo(t, path, a.URL))
	p := productAt(t, a.URL)
	d := p.newDiner(500_000)
	base := filepath.Join(filepath.Dir(a.data), "base")
	tool(t, "pg_basebackup", "--pgdata="+base, "--checkpoint=fast", "--wal-method=none", "--dbname="+a.URL)
	var kept, lost []string
	for range 3 {
		kept = append(kept, d.reserve(p.freeSlot("sotbul", 2), true))
	}
	var moment string
	dbtest.Must(t, p.db.QueryRow(`SELECT clock_timestamp()::text`).Scan(&moment))
	hours := p.number(`SELECT count(*) FROM opening_hours`)
	lost = append(lost, d.reserve(p.freeSlot("ppuri", 2), true))
	_, err = p.db.Exec(`DELETE FROM opening_hours`)
	dbtest.Must(t, err)
	p.kill()
	a.awaitArchive(t)

	began := time.Now()
	a.restore(t, base, moment)
	p.run("migrate")
	p.run("audit")
	dbtest.Must(t, p.redis.FlushAll(t.Context()).Err())
	p.restart()
	t.Logf("from the stop of the server to the service of the instance: %s", time.Since(began).Round(time.Millisecond))
	if n := p.number(`SELECT count(*) FROM opening_hours`); n != hours || n == 0 {
		t.Errorf("%d opening hours are back, want %d", n, hours)
	}
	for _, id := range kept {
		d.call(http.MethodGet, "/api/reservations/"+id, http.StatusOK, nil, nil)
	}
	for _, id := range lost {
		d.call(http.MethodGet, "/api/reservations/"+id, http.StatusNotFound, nil, nil)
	}
	if n := p.number(`SELECT count(*) FROM reservations WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
		d.email); n != 3 {
		t.Errorf("the diner has %d reservations, want 3", n)
	}
	d.reserve(p.freeSlot("sotbul", 2), true)
	p.run("audit")
}
