package main

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/seed"
	"lunchgo/db/dbtest"
)

// demoRows are what instances that load the demo together could store twice, or with gaps.
type demoRows struct {
	Restaurants int   `db:"restaurants"`
	Names       int   `db:"names"`
	LastID      int64 `db:"last_id"`
	People      int   `db:"people"`
	Tables      int   `db:"tables"`
}

func demoOf(t *testing.T, c Config) (rows demoRows) {
	t.Helper()
	pool, err := sqlx.Open("postgres", c.DatabaseURL)
	dbtest.Must(t, err)
	defer pool.Close()
	dbtest.Must(t, pool.GetContext(t.Context(), &rows, `
		SELECT count(*) AS restaurants, count(DISTINCT name_ko) AS names, max(id) AS last_id,
			(SELECT count(*) FROM users) AS people, (SELECT count(*) FROM reservations) AS tables
		FROM restaurants`))
	return rows
}

// Two instances that start at the same moment on an empty database load the demo once: the restaurants are numbered
// without a gap. Without the lock they are not.
func TestServe_InstancesLoadTheDemoOnce(t *testing.T) {
	t.Parallel()
	for name, load := range map[string]func(t *testing.T, c Config){"lock": serveTwo, "control": loadTwiceUnlocked} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := installation(t)
			yes := true
			c.Demo = &yes
			load(t, c)
			rows := demoOf(t, c)
			if rows.Restaurants == 0 || rows.Names != rows.Restaurants || rows.People == 0 || rows.Tables == 0 {
				t.Errorf("%+v", rows)
			}
			if gaps := rows.LastID != int64(rows.Restaurants); gaps != (name == "control") {
				t.Errorf("gaps %t: %+v", gaps, rows)
			}
			audited(t, c)
		})
	}
}

// serveTwo starts two instances at once, and ends them when both serve.
func serveTwo(t *testing.T, c Config) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var serving, ended sync.WaitGroup
	for range 2 {
		serving.Add(1)
		ready := sync.OnceFunc(serving.Done)
		ended.Go(func() {
			defer ready()
			if err := serve(ctx, c, func(addresses) { ready() }); err != nil {
				t.Error(err)
			}
		})
	}
	serving.Wait()
	stop()
	ended.Wait()
}

// loadTwiceUnlocked loads the demo from two instances at once, which open each restaurant at the same moment.
func loadTwiceUnlocked(t *testing.T, c Config) {
	var together sync.WaitGroup
	rivals := meeting{arrived: make(chan struct{})}
	for range 2 {
		b, err := openBackends(t.Context(), c, newLog(c))
		dbtest.Must(t, err)
		defer func() {
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		}()
		dbtest.Must(t, b.DB.Migrate(t.Context()))
		p, err := newProgram(c, b, nil, newLog(c))
		dbtest.Must(t, err)
		defer func() {
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		}()
		stores := seedStores(p)
		stores.Seeds = meetingSeeds{stores.Seeds, &rivals}
		together.Go(func() {
			if err := seed.Demo(t.Context(), stores, time.Now()); err != nil {
				t.Error(err)
			}
		})
	}
	together.Wait()
}

// meetingSeeds opens a restaurant when its rival is about to open one too.
type meetingSeeds struct {
	seed.Store
	rivals *meeting
}

func (o meetingSeeds) AddRestaurant(ctx context.Context, r booking.Restaurant, menu []booking.MenuItem,
	staff map[string]identity.Role) (int64, error) {
	o.rivals.wait()
	return o.Store.AddRestaurant(ctx, r, menu, staff)
}

// meetingTime is how long one waits for a rival.
const meetingTime = 10 * time.Second

// meeting lets two go on together, each time that both are there.
type meeting struct {
	mu      sync.Mutex
	waiting bool
	arrived chan struct{}
}

func (m *meeting) wait() {
	m.mu.Lock()
	arrived := m.arrived
	if m.waiting {
		m.waiting, m.arrived = false, make(chan struct{})
		close(arrived)
	} else {
		m.waiting = true
	}
	m.mu.Unlock()
	select {
	case <-arrived:
	case <-time.After(meetingTime): // the rival has failed
	}
}
