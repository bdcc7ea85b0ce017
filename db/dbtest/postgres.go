package dbtest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/lib/pq"
)

// templates are the prepared databases of this process by name.
var templates = struct {
	sync.Mutex
	byName map[string]*template
}{byName: map[string]*template{}}

// template is a database that is made once and then only copied.
type template struct {
	once     sync.Once
	database string
	err      error
}

// make copies a database and has the copy filled, the first time. It returns the copy's name.
func (tmpl *template) make(source string, fill func(url string) error) (database string, err error) {
	tmpl.once.Do(func() {
		var url string
		if tmpl.database, url, tmpl.err = copyOf(source); tmpl.err == nil {
			tmpl.err = fill(url)
		}
	})
	return tmpl.database, tmpl.err
}

// PostgresURL returns the address of an empty database of the test's own, which
// is dropped when the test ends.
func PostgresURL(t testing.TB) string {
	t.Helper()
	return copyFor(t, "template0")
}

// Template returns the address of a database of the test's own that begins as
// prepare left it; it is dropped when the test ends. prepare is called once per
// test process and name, with the address of an empty database, and has to
// close its connections. It is not called for what a prepared server has.
func Template(t testing.TB, name string, prepare func(url string) error) string {
	t.Helper()
	notShort(t)
	database, err := prepared(name, prepare)
	if err != nil {
		t.Fatalf("prepare the template database %q: %v", name, err)
	}
	return copyFor(t, database)
}

// prepared returns the name of the database that prepare left.
func prepared(name string, prepare func(url string) error) (database string, err error) {
	admin, _, err := connect()
	if err != nil {
		return "", err
	}
	defer admin.Close()
	var there bool
	err = admin.QueryRow(`SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, preparedPrefix+name).Scan(&there)
	if there || err != nil {
		return preparedPrefix + name, err
	}
	templates.Lock()
	tmpl, ok := templates.byName[name]
	if !ok {
		tmpl = &template{}
		templates.byName[name] = tmpl
	}
	templates.Unlock()
	return tmpl.make("template0", prepare)
}

// copyFor makes a database for the test out of another one.
func copyFor(t testing.TB, source string) string {
	t.Helper()
	notShort(t)
	name, url, err := copyOf(source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := drop(name); err != nil {
			t.Errorf("drop the test's database: %v", err)
		}
	})
	return url
}

// copyOf makes a database out of another one and returns its name and address.
func copyOf(source string) (name, url string, err error) {
	admin, serverURL, err := connect()
	if err != nil {
		return "", "", err
	}
	defer admin.Close()
	name = strings.ToLower("test_" + rand.Text()[:12])
	return name, withDatabase(serverURL, name), create(admin, name, source)
}

// create copies files: for a small database that takes a fifth of the time that the log of all its pages does.
func create(admin *sql.DB, name, source string) error {
	_, err := admin.ExecContext(context.Background(), "CREATE DATABASE "+pq.QuoteIdentifier(name)+
		" TEMPLATE "+pq.QuoteIdentifier(source)+" STRATEGY file_copy")
	if err != nil {
		return fmt.Errorf("create database %s from %s: %w", name, source, err)
	}
	return nil
}

// drop ends the connections that a test left open along with its database.
func drop(name string) error {
	admin, _, err := connect()
	if err != nil {
		return err
	}
	defer admin.Close()
	_, err = admin.ExecContext(context.Background(), "DROP DATABASE "+pq.QuoteIdentifier(name)+" WITH (FORCE)")
	return err
}

// connect opens the server's own database. A connection is opened for each use,
// so that tests which count goroutines or connections find none of ours.
func connect() (admin *sql.DB, serverURL string, err error) {
	server, err := sharedPostgres()
	if err != nil {
		return nil, "", err
	}
	admin, err = sql.Open("postgres", server.URL)
	return admin, server.URL, err
}

func withDatabase(serverURL, name string) string {
	u, err := url.Parse(serverURL)
	if err != nil {
		panic(err) // it was made by net/url
	}
	u.Path = "/" + name
	return u.String()
}
