// Package availability answers from Redis how full slots are, so that lists of slots and requests for a slot that is
// sold out cost no query. An answer may be a moment old; it never gives a seat away.
//
// The cache has one hash for each restaurant and date. After every commit that changed a slot, it reads the date again,
// or after a turn of a line that turn's slots: it draws a version from Redis first, then reads the database, then stores
// each slot unless the hash has a newer version of it. Whoever overwrites a version drew a later one, and so read after
// the commit for which that version was drawn: an older reading never replaces a newer one. The cache rebuilds a hash
// that is missing. Every hash expires, so the cache recovers from a lost write by itself.
package availability

import (
	"context"
	_ "embed"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/booking"
	"lunchgo/app/cache"
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
	ttl            = time.Minute            // of a hash in Redis: a lost write is seen for so long at most
	freshFor       = 200 * time.Millisecond // how long this process uses what it read of a day as it is
	usableFor      = 2 * time.Second        // how long it uses that while it reads again
	loadTimeout    = 3 * time.Second        // of one reading, which all wait for who ask
	refreshPause   = 100 * time.Millisecond // between two refreshes: a rush changes a slot faster than anyone can see
	refreshTimeout = 5 * time.Second        // of one refresh
	redisTimeout   = time.Second / 2        // of one call to Redis: the database answers as well
	// until what Redis did not take is read and stored again, for as long as a lost write is seen
	storeAgain  = time.Second
	lastTimeout = time.Second // of the one that is under way, or begins, when the cache is closed
)

// builtMarker marks a hash that was built; it tells a date without any slot row from one that is not known. Its value is
// waitedMark where somebody waits for seats in a slot.
const (
	builtMarker = "-"
	waitedMark  = "waited"
)

// Source is the database of slots.
type Source interface {
	ListOccupancy(ctx context.Context, restaurantID int64,
		first, last booking.Date) (map[booking.SlotKey]booking.Occupancy, error)
	// ListSlots returns those of some slots of a date that have a row; false if somebody waits for seats in one of them,
	// since what is promised to them there depends on the other slots of the date.
	ListSlots(ctx context.Context, restaurantID int64, date booking.Date,
		times []booking.TimeOfDay) (map[booking.TimeOfDay]booking.Occupancy, bool, error)
}

// Cache implements reserve.Availability. Close it.
type Cache struct {
	rdb    redis.Cmdable
	prefix string
	source Source
	log    *slog.Logger
	write  *redis.Script
	// onFull is called after a change with each slot that is closed, has no seat left, has seats with names taken, or
	// seats promised to its waitlist: its line may have to be closed, or the seats be offered. May be nil.
	onFull func(ctx context.Context, slot booking.SlotKey, o booking.Occupancy)

	days cache.Cache[day, slots] // what this process last read

	mu      sync.Mutex
	pending map[day]changes // not refreshed yet
	wake    chan struct{}
	stop    context.CancelFunc
	done    chan struct{}
}

type day struct {
	restaurantID int64
	date         booking.Date
}

type slots = map[booking.TimeOfDay]booking.Occupancy

// Open starts a cache. It calls onFull after a change with each slot that is closed, full or promised to its waitlist;
// onFull may be nil.
func Open(rdb redis.Cmdable, prefix string, source Source, log *slog.Logger,
	onFull func(context.Context, booking.SlotKey, booking.Occupancy)) *Cache {
	ctx, stop := context.WithCancel(context.Background())
	c := &Cache{
		rdb: rdb, prefix: prefix, source: source, log: log, onFull: onFull, write: writeScript,
		days: cache.Cache[day, slots]{Life: freshFor, Most: maxDays, Patience: loadTimeout,
			Stale: &cache.Stale{For: usableFor - freshFor}},
		pending: map[day]changes{},
		wake:    make(chan struct{}, 1),
		stop:    stop,
		done:    make(chan struct{}),
	}
	go c.refreshLoop(ctx)
	return c
}

// Close writes what is still to be written, if that takes no longer than a moment, and ends.
func (c *Cache) Close() {
	c.stop()
	<-c.done
}

// maxDays is how many days of restaurants one process remembers: a crawler must not fill the memory.
const maxDays = 4096

// List implements reserve.Availability. A crowd that asks for a day costs one reading, and all get the same map: nobody
// changes it.
func (c *Cache) List(ctx context.Context, restaurantID int64,
	date booking.Date) (map[booking.TimeOfDay]booking.Occupancy, error) {
	d := day{restaurantID, date}
	return c.days.Load(ctx, d, func(ctx context.Context) (slots, error) { return c.load(ctx, d) })
}

// load reads a day from Redis; from the database where Redis does not know it, or does not answer.
func (c *Cache) load(ctx context.Context, d day) (map[booking.TimeOfDay]booking.Occupancy, error) {
	raw, err := c.read(ctx, d)
	if _, built := raw[builtMarker]; built && err == nil {
		return decode(raw)
	}
	if err != nil {
		c.log.WarnContext(ctx, "read availability from cache failed; reading the database", "error", err)
		return c.fromSource(ctx, d)
	}
	slots, unstored, err := c.rebuild(ctx, d)
	if unstored != nil {
		c.log.WarnContext(ctx, "store availability failed", "error", unstored)
	}
	return slots, err
}

func (c *Cache) read(ctx context.Context, d day) (map[string]string, error) {
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()
	return c.rdb.HGetAll(ctx, c.key(d)).Result()
}

// draw draws a version of a day.
func (c *Cache) draw(ctx context.Context, d day) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()
	return drawScript.Run(ctx, c.rdb, []string{c.key(d) + ":version"}, (2 * ttl).Milliseconds()).Int64()
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

// rebuild reads a day from the database and stores it. It answers also when Redis does not take it; unstored says why.
func (c *Cache) rebuild(ctx context.Context, d day) (known slots, unstored, err error) {
	version, unstored := c.draw(ctx, d)
	if known, err = c.fromSource(ctx, d); err != nil {
		return nil, nil, err
	}
	if unstored == nil {
		unstored = c.store(ctx, d, version, known)
	}
	return known, unstored, nil
}

func (c *Cache) store(ctx context.Context, d day, version int64, slots map[booking.TimeOfDay]booking.Occupancy) error {
	mark := ""
	for _, o := range slots {
		if o.Promised > 0 || o.Waitlisted > 0 {
			mark = waitedMark
		}
	}
	life := max(lifetime(slots, time.Now()), time.Millisecond)
	_, err := c.send(ctx, d, slots, version, life.Milliseconds(), builtMarker, mark)
	return err
}

// send has slots of a day stored after what args begins with. Returns what the script does.
func (c *Cache) send(ctx context.Context, d day, slots slots, args ...any) (stored int, err error) {
	for at, o := range slots { // in any order
		args = append(args, string(at), encode(o))
	}
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()
	return c.write.Run(ctx, c.rdb, []string{c.key(d)}, args...).Int()
}

// lifetime returns how long a day is stored: not after seats stop being kept for an entry of a waitlist, because then
// they are free without that anything changes in the database.
func lifetime(slots map[booking.TimeOfDay]booking.Occupancy, now time.Time) time.Duration {
	life := ttl
	for _, o := range slots {
		if !o.KeptUntil.IsZero() {
			life = min(life, o.KeptUntil.Sub(now))
		}
	}
	return life
}

func (c *Cache) key(d day) string {
	return fmt.Sprintf("%s{r%d:%s}:availability", c.prefix, d.restaurantID, d.date)
}
