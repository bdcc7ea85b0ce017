package db_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
)

// readsAll is the line by which a migration says that it reads all of a table, who waits meanwhile, and for how long.
var readsAll = regexp.MustCompile(`(?m)^-- reads all of (\w+): \S`)

// Who reads all of a table holds its lock for as long, and the table may have ten million rows. PostgreSQL tells which
// those are: it has counted a sequential scan. Migrations before firstExpanding have run everywhere.
func TestMigrations_SayWhatTheyReadWhole(t *testing.T) {
	t.Parallel()
	opened := testkit.OpenAt(t, pg.Config{URL: dbtest.PostgresURL(t)})
	pool, err := opened.OpenOther(time.Minute, time.Minute)
	dbtest.Must(t, err)
	defer pool.Close()
	pool.SetMaxOpenConns(1)
	provider, err := opened.Migrations(pool)
	dbtest.Must(t, err)
	for _, source := range provider.ListSources() {
		before := tablesOf(t, opened.SQL())
		opened.SQL().MustExec(`SELECT pg_stat_reset()`)
		if _, err := provider.ApplyVersion(t.Context(), source.Version, true); err != nil {
			t.Fatal(err)
		}
		pool.MustExec(`SELECT pg_stat_force_next_flush()`)
		if fmt.Sprintf("%05d", source.Version) < firstExpanding {
			continue
		}
		text, err := fs.ReadFile(db.MigrationFiles, "migrations/"+source.Path)
		dbtest.Must(t, err)
		var said []string
		for _, line := range readsAll.FindAllSubmatch(text, -1) {
			said = append(said, string(line[1]))
		}
		if read := readWhole(t, opened.SQL(), before); !slices.Equal(slices.Sorted(slices.Values(said)), read) {
			t.Errorf("%s reads all of %v and says so of %v", source.Path, read, said)
		}
	}
	for statement, want := range map[string][]string{
		`ALTER TABLE users ADD COLUMN a integer NOT NULL DEFAULT 0`:                         nil,
		`ALTER TABLE users ADD CONSTRAINT b CHECK (name <> 'b') NOT VALID`:                  nil,
		`ALTER TABLE users ADD CONSTRAINT c CHECK (name <> 'c')`:                            {"users"},
		`ALTER TABLE audit_log ALTER COLUMN action TYPE varchar(99)`:                        {"audit_log"}, // written anew
		`UPDATE slots SET notice = ''`:                                                      {"slots"},
		`CREATE INDEX d ON reservations (note) WHERE note = 'd'`:                            {"reservations"},
		`ALTER TABLE accounts ADD CONSTRAINT e FOREIGN KEY (user_id) REFERENCES users (id)`: {"accounts"},
	} {
		opened.SQL().MustExec(`SELECT pg_stat_reset()`)
		pool.MustExec(statement)
		pool.MustExec(`SELECT pg_stat_force_next_flush()`)
		if read := readWhole(t, opened.SQL(), tablesOf(t, opened.SQL())); !slices.Equal(read, want) {
			t.Errorf("%s: reads all of %v, want %v", statement, read, want)
		}
	}
}

func tablesOf(t *testing.T, pool *sqlx.DB) (tables []string) {
	t.Helper()
	dbtest.Must(t, pool.Select(&tables, `SELECT relname FROM pg_stat_user_tables`))
	return tables
}

// readWhole returns those of some tables that were read from the first row to the last since the counters were reset,
// by name.
func readWhole(t *testing.T, pool *sqlx.DB, of []string) (tables []string) {
	t.Helper()
	err := pool.Select(&tables, `
		SELECT relname
		FROM pg_stat_user_tables
		WHERE seq_scan > 0 AND relname = ANY ($1) AND relname <> 'goose_db_version'
		ORDER BY relname`, pq.StringArray(of))
	dbtest.Must(t, err)
	return tables
}
