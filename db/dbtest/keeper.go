package dbtest

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"sync"
	"testing"
	"time"
)

// renewLimit bounds the time of making a database new: who left a lock behind costs no more.
const renewLimit = 10 * time.Second

// Opened is a pool of connections to a database.
type Opened interface {
	Stats() sql.DBStats
	Close() error
}

// Keeper has open databases for tests. A test leaves its database to the next one as Prepare left it, and still open:
// to copy one, to connect to it and to plan its statements costs more than most tests do. A database goes with its test
// where the test failed, changed more than rows, closed it, or left something running.
type Keeper[D Opened] struct {
	Name    string                 // of the Template that Prepare makes
	Prepare func(url string) error // fills an empty database, as of Template
	Open    func(url string) (D, error)

	renewable template
	mu        sync.Mutex
	idle      []*kept[D]
}

// kept is a database of a Keeper.
type kept[D Opened] struct {
	name    string
	url     string
	opened  D
	renewer *sql.DB // its session fires no triggers
}

// Database returns an open database that is the test's own until it ends, and its address.
func (k *Keeper[D]) Database(t testing.TB) (D, string) {
	t.Helper()
	notShort(t)
	db, ok := k.take()
	if !ok {
		var err error
		if db, err = k.add(); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if !t.Failed() && db.renew() {
			k.put(db)
			return
		}
		if err := db.drop(); err != nil {
			t.Errorf("drop the test's database: %v", err)
		}
	})
	return db.opened, db.url
}

// Close closes the databases that nobody has.
func (k *Keeper[D]) Close() (err error) {
	for db, ok := k.take(); ok; db, ok = k.take() {
		err = errors.Join(err, db.close())
	}
	return err
}

func (k *Keeper[D]) take() (*kept[D], bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.idle) == 0 {
		return nil, false
	}
	last := len(k.idle) - 1
	db := k.idle[last]
	k.idle = k.idle[:last]
	return db, true
}

func (k *Keeper[D]) put(db *kept[D]) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.idle = append(k.idle, db)
}

func (k *Keeper[D]) add() (*kept[D], error) {
	source, err := prepared(k.Name, k.Prepare)
	if err != nil {
		return nil, err
	}
	if source, err = k.renewable.make(source, makeRenewable); err != nil {
		return nil, err
	}
	name, url, err := copyOf(source)
	if err != nil {
		return nil, err
	}
	db := &kept[D]{name: name, url: url}
	if db.renewer, err = sql.Open("postgres", url+"&session_replication_role=replica"); err != nil {
		return nil, errors.Join(err, drop(name))
	}
	if db.opened, err = k.Open(url); err != nil {
		return nil, errors.Join(err, db.renewer.Close(), drop(name))
	}
	return db, nil
}

//go:embed keeper.sql
var keeperSQL string

// makeRenewable has the copies of a database know what renews them.
func makeRenewable(url string) error {
	pool, err := sql.Open("postgres", url)
	if err != nil {
		return err
	}
	_, err = pool.ExecContext(context.Background(), keeperSQL)
	return errors.Join(err, pool.Close())
}

// renew makes the database what it was at first. Returns false when it cannot.
func (d *kept[D]) renew() (ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), renewLimit)
	defer cancel()
	if pool := d.opened.Stats(); pool.OpenConnections == 0 || pool.InUse > 0 {
		return false
	}
	err := d.renewer.QueryRowContext(ctx, `SELECT keeper.renew()`).Scan(&ok)
	return ok && err == nil
}

func (d *kept[D]) close() error { return errors.Join(d.opened.Close(), d.renewer.Close()) }

func (d *kept[D]) drop() error { return errors.Join(d.close(), drop(d.name)) }
