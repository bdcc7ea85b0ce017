// Package webtest holds the JSON API, the staff's pages and the operators' view to their contract, from the outside: real
// requests to a real server on real PostgreSQL and Redis.
package webtest

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"lunchgo/app/availability"
	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/identity"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
	"lunchgo/app/wallet"
	"lunchgo/app/web/ops"
	"lunchgo/db"
	"lunchgo/db/dbtest"
)

// The servers of the tests live as long as the test process, and fasthttp's workers for some seconds after their work;
// nothing else may be left.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("lunchgo/db/embedded.startChild.func1"),
		goleak.IgnoreAnyFunction("lunchgo/db/embedded.(*Server).supervise"),
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.updateServerDate.func1"),
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2"),
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp/stackless.funcWorker"))
}

var quiet = slog.New(slog.DiscardHandler)

// rig is a server of the test's own with one restaurant.
type rig struct {
	url          string
	shutdown     func()
	prefix       string
	rdb          redis.UniversalClient
	db           *db.DB
	slots        *db.SlotStore
	reservations *db.ReservationStore
	wallets      *db.WalletStore
	users        *db.UserStore
	seeds        *db.SeedStore
	sessions     *identity.Sessions
	bookings     *reserve.Service
	coupons      *coupon.Service
	waitlists    *reserve.Waitlists
	offerer      *reserve.Offerer
	room         *waiting.Room
	availability *availability.Cache
	line         *ops.LineMetrics
	options      options // with the addresses
	secret       []byte
	clock        atomic.Pointer[time.Time] // what the bookings take for now, if not the time
	reads        atomic.Int64              // how often the occupancy of slots was read from the database
	restaurant   booking.Restaurant
	menu         []booking.MenuItem
}

// options are what a test wants otherwise.
type options struct {
	database, redis string // addresses; the shared servers if empty
	room            waiting.Config
	dependent       bool         // on Redis: the lines have no fallback
	wallets         wallet.Store // instead of the product's
}

func newRig(t testing.TB) *rig {
	t.Helper()
	return newRigWith(t, options{})
}

func newRigWith(t testing.TB, o options) *rig {
	t.Helper()
	r := &rig{prefix: dbtest.KeyPrefix(t)}
	if o.database == "" {
		o.database = dbtest.Template(t, "schema", migrate)
	}
	if o.redis == "" {
		o.redis = dbtest.RedisURL(t)
	}
	r.options, r.secret = o, []byte(rand.Text()+rand.Text())
	r.openStores(t, o)
	r.openParts(t, o)
	r.addRestaurant(t)
	r.serve(t)
	return r
}

// twin is a second server of the same installation, with nothing in common but the database, Redis and the secret.
func (r *rig) twin(t testing.TB) *rig {
	t.Helper()
	second := &rig{prefix: r.prefix, options: r.options, secret: r.secret, restaurant: r.restaurant, menu: r.menu}
	second.openStores(t, r.options)
	second.openParts(t, r.options)
	second.serve(t)
	return second
}

// balances fails unless the auditor finds nothing wrong.
func (r *rig) balances(t *testing.T) {
	t.Helper()
	report, err := db.NewAuditStore(r.db).Audit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range report.Wrong() {
		t.Errorf("%s: %d wrong: %+v", wrong.Check, wrong.Found, wrong.Examples)
	}
}

// countedSlots counts readings.
type countedSlots struct {
	*db.SlotStore
	reads *atomic.Int64
}

func (s countedSlots) ListOccupancy(ctx context.Context, restaurantID int64, first, last booking.Date) (map[booking.SlotKey]booking.Occupancy, error) {
	s.reads.Add(1)
	return s.SlotStore.ListOccupancy(ctx, restaurantID, first, last)
}

func (r *rig) now() time.Time {
	if at := r.clock.Load(); at != nil {
		return *at
	}
	return time.Now()
}

func migrate(url string) error {
	ctx := context.Background()
	d, err := db.Open(ctx, db.Config{URL: url})
	if err != nil {
		return err
	}
	if err := d.Migrate(ctx); err != nil {
		return err
	}
	return d.Close()
}

func (r *rig) openStores(t testing.TB, o options) {
	t.Helper()
	var err error
	if r.db, err = db.Open(t.Context(), db.Config{URL: o.database}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.db.Close() })
	r.slots, r.reservations = db.NewSlotStore(r.db), db.NewReservationStore(r.db)
	r.wallets, r.users, r.seeds = db.NewWalletStore(r.db), db.NewUserStore(r.db), db.NewSeedStore(r.db)

	address, err := redis.ParseURL(o.redis)
	if err != nil {
		t.Fatal(err)
	}
	address.DialerRetries, address.MaxRetries = 1, 1 // a test that ends the Redis need not wait for more
	address.ContextTimeoutEnabled = true
	client := redis.NewClient(address)
	r.rdb = client
	t.Cleanup(func() { _ = client.Close() })
}

func (r *rig) openParts(t testing.TB, o options) {
	t.Helper()
	r.sessions = identity.NewSessions(r.secret, r.users, time.Now, quiet)
	r.bookings = &reserve.Service{Catalog: &reserve.CachedCatalog{Source: db.NewCatalog(r.db), MaxAge: time.Minute},
		Slots: countedSlots{r.slots, &r.reads}, Stocks: db.NewStockStore(r.db), Reservations: r.reservations, Now: r.now, Log: quiet}
	desk := waiting.Reservations{Bookings: r.bookings}
	o.room.Prefix, o.room.Log = r.prefix, quiet
	o.room.Lines.Logger, o.room.Lines.Fallback = quiet, !o.dependent
	r.line = ops.NewLineMetrics()
	o.room.Lines.Observer = r.line
	r.coupons = &coupon.Service{Store: db.NewCouponStore(r.db), Now: r.now}
	desks := waiting.Dispatcher{Slots: desk, Campaigns: waiting.Coupons{Campaigns: r.coupons}}
	r.room = waiting.Open(r.rdb, desks, waiting.NewSigner(r.secret), o.room)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := r.room.Close(ctx); err != nil {
			t.Errorf("close the room: %v", err)
		}
	})
	r.availability = availability.Open(r.rdb, r.prefix, r.slots, quiet, func(ctx context.Context, slot booking.SlotKey, o booking.Occupancy) {
		if answer := desk.Closing(ctx, slot, o); answer != nil {
			_ = r.room.CloseLine(ctx, waiting.LineOf(slot), *answer)
		}
		if o.Promised > 0 {
			r.offerer.Look(slot)
		}
	})
	t.Cleanup(r.availability.Close)
	r.bookings.Availability, r.bookings.Lines = r.availability, waiting.Lines{Room: r.room}
	r.bookings.Coupons, r.bookings.Room = r.coupons, r.room
	r.openWaitlists(t)
}
