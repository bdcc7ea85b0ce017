package dbtest_test

import (
	"context"
	"database/sql"
	"testing"

	"lunchgo/db/dbtest"
)

func numbered(url string) error {
	pool, err := sql.Open("postgres", url)
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = pool.ExecContext(context.Background(), `
		CREATE TABLE parents (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY);
		CREATE TABLE children (parent_id bigint NOT NULL REFERENCES parents);
		CREATE TABLE rounds (n int); INSERT INTO rounds VALUES (1)`)
	return err
}

func newKeeper(t *testing.T) *dbtest.Keeper[*sql.DB] {
	keeper := &dbtest.Keeper[*sql.DB]{Prepare: numbered,
		Open: func(url string) (*sql.DB, error) { return sql.Open("postgres", url) }}
	t.Cleanup(func() {
		if err := keeper.Close(); err != nil {
			t.Errorf("close what is kept: %v", err)
		}
	})
	return keeper
}

// borrow takes a database, uses it, and returns its address.
func borrow(t *testing.T, keeper *dbtest.Keeper[*sql.DB], use func(t *testing.T, db *sql.DB)) (url string) {
	t.Helper()
	t.Run("borrower", func(t *testing.T) {
		var db *sql.DB
		db, url = keeper.Database(t)
		use(t, db)
	})
	if testing.Short() {
		t.Skip("there is no database")
	}
	return url
}

func run(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func TestKeeper_GivesANewDatabaseThatIsOpen(t *testing.T) {
	t.Parallel()
	keeper := newKeeper(t)
	var first, second *sql.DB
	at := borrow(t, keeper, func(t *testing.T, db *sql.DB) {
		first = db
		run(t, db, `INSERT INTO parents DEFAULT VALUES; INSERT INTO children VALUES (1); UPDATE rounds SET n = 2`)
	})
	again := borrow(t, keeper, func(t *testing.T, db *sql.DB) {
		second = db
		var children, parent, round int
		if err := db.QueryRowContext(t.Context(), `
			WITH made AS (INSERT INTO parents DEFAULT VALUES RETURNING id)
			SELECT (SELECT count(*) FROM children), (SELECT id FROM made), (SELECT n FROM rounds)`).
			Scan(&children, &parent, &round); err != nil {
			t.Fatal(err)
		}
		if children != 0 || parent != 1 || round != 1 {
			t.Errorf("%d children, parent %d, round %d, want 0, 1, 1", children, parent, round)
		}
	})
	if at != again || first != second {
		t.Errorf("the second test has %s, want %s, still open", again, at)
	}
}

func TestKeeper_KeepsNothingThatIsNotAsBefore(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T, db *sql.DB){ // in any order
		"a table is changed": func(t *testing.T, db *sql.DB) { run(t, db, `ALTER TABLE children ADD note text`) },
		"a trigger is off": func(t *testing.T, db *sql.DB) {
			run(t, db, `ALTER TABLE children DISABLE TRIGGER ALL`)
		},
		"an index is dropped": func(t *testing.T, db *sql.DB) {
			run(t, db, `ALTER TABLE parents DROP CONSTRAINT parents_pkey CASCADE`)
		},
		"a setting is changed": func(t *testing.T, db *sql.DB) {
			run(t, db, `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET work_mem = 64', current_database()); END $$`)
		},
		"a session holds a lock": func(t *testing.T, db *sql.DB) { run(t, db, `SELECT pg_advisory_lock(1)`) },
		"it is closed":           func(t *testing.T, db *sql.DB) { _ = db.Close() },
		"a transaction is open": func(t *testing.T, db *sql.DB) {
			if _, err := db.BeginTx(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			keeper := newKeeper(t)
			spoilt := borrow(t, keeper, spoil)
			next := borrow(t, keeper, func(t *testing.T, db *sql.DB) { run(t, db, `INSERT INTO rounds VALUES (2)`) })
			if next == spoilt {
				t.Errorf("the next test has %s too", spoilt)
			}
		})
	}
}
