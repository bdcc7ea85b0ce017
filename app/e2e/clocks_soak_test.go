//go:build linux

package e2e_test

import (
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lib/pq"
	"github.com/redis/go-redis/v9"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// clockHolds are minutes: longer than a clock jumps, so that no hold ends by the jump and each table is sold once.
const clockHolds = 180

// How long the clocks are wrong, how long a line may stand still, and how long after a loss whoever enters may pass.
const (
	clockWrong = 4 * time.Second
	clockStall = 6 * time.Second
	clockPass  = 5 * time.Second // a beat of 2 s, and what a busy machine adds
)

// TestSoak_Clocks moves the clocks of Redis and PostgreSQL in the middle of a rush at two instances, whose own clocks are
// right, and loses Redis' data.
func TestSoak_Clocks(t *testing.T) {
	skipUnlessSoak(t)
	for _, trial := range []struct {
		name   string
		shifts []time.Duration // in turn, clockWrong apart
		loses  bool            // after the last
	}{
		{"calm", nil, false},
		{"an hour forward and back", []time.Duration{time.Hour, 0}, false},
		{"an hour forward and back, then all data lost", []time.Duration{time.Hour, 0}, true},
		{"an hour back and forward", []time.Duration{-time.Hour, 0}, false},
		{"an hour back and forward, then all data lost", []time.Duration{-time.Hour, 0}, true},
	} {
		t.Run(trial.name, func(t *testing.T) {
			clock := dbtest.NewClock(t)
			server := clock.Redis()
			options, err := redis.ParseURL(server.URL)
			dbtest.Must(t, err)
			client := redis.NewClient(options)
			t.Cleanup(func() { dbtest.Must(t, client.Close()) })
			c := &clocks{shaken: newClocked(t, clock, server.URL)}
			c.run(func(*shaken) {
				for i, shift := range trial.shifts {
					if i > 0 {
						<-time.After(clockWrong)
					}
					clock.Shift(shift)
					if shift != 0 {
						c.exhaust()
					}
				}
				if trial.loses {
					c.lost = time.Now()
					dbtest.Must(t, client.FlushAll(t.Context()).Err())
				}
			})
			c.judge()
		})
	}
}

// clocks is a rush whose servers' clocks move.
type clocks struct {
	*shaken
	lost   time.Time // when Redis' data were; zero: never
	eager  *diner    // who has used up the limit of presses while the clock was wrong
	waited time.Time
}

func newClocked(t *testing.T, clock *dbtest.Clock, redisURL string) *shaken {
	p := productAt(t, clock.Postgres().URL, "REDIS_URL="+redisURL, "HOLD_UNSEEN=3h")
	p.exec(`UPDATE restaurants SET hold_minutes = $1 WHERE slug = 'sotbul'`, clockHolds)
	s := &shaken{t: t, instances: []*product{p, p.beside()}, answers: map[string]int{}, over: make(chan struct{})}
	s.line, s.other = p.freeSlot("sotbul", 2), p.freeSlot("sotbul", 2)
	p.setCapacity(s.line, shakenTables*s.line.party)
	p.setCapacity(s.other, booking.MaxCapacity)
	return s
}

// exhaust has an account press until its limit refuses it.
func (c *clocks) exhaust() {
	d := diner{product: c.instances[0].in(c.t), token: c.instances[0].seedDiners(1)[0]}
	for range 60 {
		if c.limited(d) {
			c.eager, c.waited = &d, time.Now()
			return
		}
	}
	c.t.Error("no limit refuses an account")
}

// limited presses once more, and returns whether the limit of presses refuses it.
func (c *clocks) limited(d diner) bool {
	status, answer, err := d.try(http.MethodPost, "/api/reservations", c.other.order(), "Idempotency-Key", rand.Text())
	dbtest.Must(c.t, err)
	return status == http.StatusTooManyRequests && strings.Contains(string(answer), `"too_many_requests"`)
}

// judge holds the answers against the database and what was seen on the wire: the clocks of the database are not right.
func (c *clocks) judge() {
	c.t.Helper()
	if c.answers["reserved"] != shakenTables || c.answers["409 sold_out"] != shakenCrowd-shakenTables {
		c.t.Errorf("the answers were %v, want %d reserved and %d sold out", c.answers, shakenTables,
			shakenCrowd-shakenTables)
	}
	p := c.instances[0]
	if n := p.number(`SELECT count(*) FROM reservations WHERE id = ANY($1)`,
		pq.Array(c.reserved)); int(n) != len(c.reserved) {
		c.t.Errorf("%d reservations were answered, %d of them exist", len(c.reserved), n)
	}
	stall, overtaken := c.onTheWire()
	if c.t.Logf("longest stall %s; %d overtaken; slowest press beside %s; answers %v", stall, len(overtaken),
		c.beside.after, c.answers); stall > clockStall {
		c.t.Errorf("the line stood still for %s", stall)
	}
	for _, by := range overtaken {
		if c.lost.IsZero() || by.Before(c.lost.Add(-clockPass)) || by.After(c.lost.Add(clockPass)) {
			c.t.Errorf("who pressed %s after the fault has passed somebody", by.Sub(c.fault))
		}
	}
	if c.eager != nil {
		dbtest.Within(c.t, time.Until(c.waited.Add(75*time.Second)), "the account may press again", func() bool {
			<-time.After(time.Second)
			return !c.limited(*c.eager)
		})
	}
	p.run("audit")
}

// onTheWire returns the longest time between two answers with a table, and when those pressed who have passed somebody
// that had been answered with a place before.
func (c *clocks) onTheWire() (stall time.Duration, overtaken []time.Time) {
	byID := make(map[string]press, len(c.presses))
	var answered []time.Time
	for _, at := range c.presses {
		if at.line == c.line {
			byID[at.id] = at
			answered = append(answered, at.answered)
		}
	}
	slices.SortFunc(answered, time.Time.Compare)
	for i := 1; i < len(answered); i++ {
		stall = max(stall, answered[i].Sub(answered[i-1]))
	}
	latest := time.Time{}
	for _, id := range c.instances[0].texts(`
		SELECT r.id
		FROM reservations r
		JOIN slots s ON s.id = r.slot_id
		WHERE s.restaurant_id = $1 AND s.service_date = $2 AND s.service_time = $3
		ORDER BY r.ordinal`, c.line.restaurantID, c.line.date, c.line.time) {
		at, ok := byID[id]
		if !ok {
			continue
		}
		if !at.placed.IsZero() && latest.After(at.placed) {
			overtaken = append(overtaken, latest)
		}
		if at.sent.After(latest) {
			latest = at.sent
		}
	}
	return stall, overtaken
}
