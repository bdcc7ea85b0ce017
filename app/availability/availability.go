// Package availability answers how full slots are from Redis, so that lists of slots and presses on a slot that is sold
// out ask the database nothing. What it says may be a moment old and never gives a seat away.
//
// It keeps one hash a restaurant and date. The date is read again after every commit that changed a slot of it: a version
// is drawn from Redis first, then the database is read, then each slot is stored unless a newer version is there. Who
// stores over a version drew a later one, and so read after the commit which that version was drawn for: an older
// reading never replaces a newer one. A hash that is missing is rebuilt; every hash expires, so a lost write heals by
// itself.
package availability

import (
	"context"
	_ "embed"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/booking"
)

//go:embed write.lua
var writeLua string

//go:embed draw.lua
var drawLua string

var (
	writeScript = redis.NewScript(writeLua)
	drawScript  = redis.NewScript(drawLua)
)

// Times of the cache.
const (
	life      = time.Minute            // of a hash in Redis: how long a lost write can be seen at most
	freshFor  = 200 * time.Millisecond // how long this process goes on with what it read
	usableFor = 2 * time.Second        // how long it does so while it reads again
	pace      = 20 * time.Millisecond  // between two refreshes: a rush changes a slot faster than anyone can see
	timeout   = 5 * time.Second        // of one refresh
)

// present marks a hash that was built; it tells a date without any slot row from one that is not known.
const present = "-"

// Source is where the truth about slots is read.
type Source interface {
	ListOccupancy(ctx context.Context, restaurantID int64, first, last booking.Date) (map[booking.SlotKey]booking.Occupancy, error)
}

// Cache implements booking.Availability. Close it.
type Cache struct {
	rdb    redis.UniversalClient
	prefix string
	source Source
	log    *slog.Logger
	// Full is told of every slot that was found closed, or with no seat left for those who press, or with named ones taken, so
	// that its line can be closed if nobody in it can have what is left, and what is the waitlist's be offered. May be nil.
	full func(ctx context.Context, slot booking.SlotKey, o booking.Occupancy)

	mu      sync.Mutex
	read    map[day]*reading
	pending map[booking.SlotKey]bool // changed, not refreshed yet
	wake    chan struct{}
	stop    context.CancelFunc
	done    chan struct{}
}

type day struct {
	restaurantID int64
	date         booking.Date
}

// reading is what this process last read of a day. One caller at a time reads it again; the others go on with the old one
// meanwhile, and wait only where that is too old: a crowd must not queue up behind one answer.
type reading struct {
	loading sync.Mutex
	kept    atomic.Pointer[kept]
}

type kept struct {
	slots map[booking.TimeOfDay]booking.Occupancy
	since time.Time
}

// within says whether there is something that is not older than age.
func (k *kept) within(age time.Duration) bool { return k != nil && time.Since(k.since) < age }

// Open starts a cache. full is told of every slot that was found closed, full or promised to its waitlist after a change; it may
// be nil.
func Open(rdb redis.UniversalClient, prefix string, source Source, log *slog.Logger,
	full func(context.Context, booking.SlotKey, booking.Occupancy)) *Cache {
	ctx, stop := context.WithCancel(context.Background())
	c := &Cache{
		rdb: rdb, prefix: prefix, source: source, log: log, full: full,
		read:    map[day]*reading{},
		pending: map[booking.SlotKey]bool{},
		wake:    make(chan struct{}, 1),
		stop:    stop,
		done:    make(chan struct{}),
	}
	go c.work(ctx)
	return c
}

// Close writes what is still to be written and ends.
func (c *Cache) Close() {
	c.stop()
	<-c.done
}

// Changed implements booking.Availability: the slot is read and stored soon, once for many changes in a row.
func (c *Cache) Changed(slot booking.SlotKey) {
	c.mu.Lock()
	c.pending[slot] = true
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *Cache) work(ctx context.Context) {
	defer close(c.done)
	for {
		select {
		case <-c.wake:
			c.refreshPending()
			select {
			case <-time.After(pace):
			case <-ctx.Done():
			}
		case <-ctx.Done():
			c.refreshPending()
			return
		}
	}
}

func (c *Cache) refreshPending() {
	c.mu.Lock()
	days := map[day][]booking.TimeOfDay{}
	for slot := range c.pending {
		d := day{slot.RestaurantID, slot.Date}
		days[d] = append(days[d], slot.Time)
	}
	clear(c.pending)
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	for d, changed := range days {
		if err := c.refresh(ctx, d, changed); err != nil {
			c.log.Warn("availability is not refreshed", "restaurant", d.restaurantID, "date", d.date, "error", err)
		}
	}
}

// refresh reads a day anew, stores it, and tells about the slots of it that changed and are closed, full or promised now.
func (c *Cache) refresh(ctx context.Context, d day, changed []booking.TimeOfDay) error {
	slots, err := c.rebuild(ctx, d)
	if err != nil {
		return err
	}
	c.keep(d, slots)
	for _, at := range changed {
		if o, ok := slots[at]; ok && c.full != nil && (o.Closed || o.Remaining() == 0 || o.Promised > 0 || len(o.Seats) > 0) {
			c.full(ctx, booking.SlotKey{RestaurantID: d.restaurantID, Date: d.date, Time: at}, o)
		}
	}
	return nil
}

// List implements booking.Availability.
func (c *Cache) List(ctx context.Context, restaurantID int64, date booking.Date) (map[booking.TimeOfDay]booking.Occupancy, error) {
	d := day{restaurantID, date}
	r := c.reading(d)
	k := r.kept.Load()
	switch {
	case k.within(freshFor):
		return maps.Clone(k.slots), nil
	case !k.within(usableFor):
		r.loading.Lock()
	case !r.loading.TryLock():
		return maps.Clone(k.slots), nil
	}
	defer r.loading.Unlock()
	if k = r.kept.Load(); k.within(freshFor) {
		return maps.Clone(k.slots), nil
	}
	slots, err := c.load(ctx, d)
	if err != nil {
		return nil, err
	}
	r.kept.Store(&kept{slots, time.Now()})
	return maps.Clone(slots), nil
}

// reading finds or makes what this process knows of a day, and drops what is old: a crawler must not fill the memory.
func (c *Cache) reading(d day) *reading {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.read[d]
	if r == nil {
		if len(c.read) >= maxDays {
			clear(c.read)
		}
		r = &reading{}
		c.read[d] = r
	}
	return r
}

// maxDays is how many days of restaurants one process remembers.
const maxDays = 4096

// keep remembers what was just read of a day.
func (c *Cache) keep(d day, slots map[booking.TimeOfDay]booking.Occupancy) {
	r := c.reading(d)
	r.loading.Lock() // what is being loaded may be older
	defer r.loading.Unlock()
	r.kept.Store(&kept{slots, time.Now()})
}

// load reads a day from Redis; from the database where Redis does not know it, or does not answer.
func (c *Cache) load(ctx context.Context, d day) (map[booking.TimeOfDay]booking.Occupancy, error) {
	raw, err := c.rdb.HGetAll(ctx, c.key(d)).Result()
	if _, built := raw[present]; built && err == nil {
		return decode(raw)
	}
	if err != nil {
		c.log.Warn("availability is read from the database", "error", err)
		return c.fromSource(ctx, d)
	}
	return c.rebuild(ctx, d)
}

func (c *Cache) fromSource(ctx context.Context, d day) (map[booking.TimeOfDay]booking.Occupancy, error) {
	known, err := c.source.ListOccupancy(ctx, d.restaurantID, d.date, d.date)
	if err != nil {
		return nil, err
	}
	slots := make(map[booking.TimeOfDay]booking.Occupancy, len(known))
	for key, o := range known {
		slots[key.Time] = o
	}
	return slots, nil
}

// rebuild reads a day from the database and stores it. It answers also when Redis does not take it.
func (c *Cache) rebuild(ctx context.Context, d day) (map[booking.TimeOfDay]booking.Occupancy, error) {
	version, drawErr := drawScript.Run(ctx, c.rdb, []string{c.key(d) + ":version"}, (2 * life).Milliseconds()).Int64()
	slots, err := c.fromSource(ctx, d)
	if err != nil {
		return nil, err
	}
	if drawErr == nil {
		drawErr = c.store(ctx, d, version, slots)
	}
	if drawErr != nil {
		c.log.Warn("availability is not stored", "error", drawErr)
	}
	return slots, nil
}

func (c *Cache) store(ctx context.Context, d day, version int64, slots map[booking.TimeOfDay]booking.Occupancy) error {
	args := []any{version, life.Milliseconds(), present, ""}
	for at, o := range slots {
		args = append(args, string(at), encode(o))
	}
	return writeScript.Run(ctx, c.rdb, []string{c.key(d)}, args...).Err()
}

func (c *Cache) key(d day) string {
	return fmt.Sprintf("%s{r%d:%s}:availability", c.prefix, d.restaurantID, d.date)
}
