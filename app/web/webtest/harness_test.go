// Package webtest holds the JSON API, the staff's pages and the operators' view to their contract, from the outside:
// real requests to a real server on real PostgreSQL and Redis.
package webtest

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lunchgo/app/booking"
	"lunchgo/app/program/programtest"
	"lunchgo/app/reserve"
	"lunchgo/db/dbtest"
)

// The servers of the tests live as long as the test process, and fasthttp's workers for some seconds after their work;
// nothing else may be left.
func TestMain(m *testing.M) {
	dbtest.WaitTogether()
	goleak.VerifyTestMain(programtest.Main{M: m},
		goleak.IgnoreAnyFunction("lunchgo/db/embedded.startChild.func1"),
		goleak.IgnoreAnyFunction("lunchgo/db/embedded.(*Server).supervise"),
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.updateServerDate.func1"),
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2"),
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp/stackless.funcWorker"))
}

var quiet = slog.New(slog.DiscardHandler)

// harness is a server of the test's own with one restaurant.
type harness struct {
	*programtest.Server
	clock      atomic.Pointer[time.Time] // what the bookings take for now, if not the time
	rivals     atomic.Int32              // who hold a line
	reads      atomic.Int64              // how often the occupancy of slots was read from the database
	restaurant booking.Restaurant
	menu       []booking.MenuItem
}

func newHarness(t testing.TB) *harness {
	t.Helper()
	setup := programtest.Setup{}
	return newHarnessWith(t, setup)
}

func newHarnessWith(t testing.TB, setup programtest.Setup) *harness {
	t.Helper()
	r := &harness{}
	setup.Config.Web.Zone = dbtest.ZoneAtNoon(t)
	setup.Config.Paces.Offer = 300 * time.Millisecond
	r.serve(t, setup)
	r.restaurant, r.menu = r.newRestaurant(t, "damdam")
	return r
}

// twin is a second server of the same installation, with nothing in common but the database, Redis and the secret.
func (r *harness) twin(t testing.TB) *harness {
	t.Helper()
	second := &harness{restaurant: r.restaurant, menu: r.menu}
	second.serve(t, r.Setup)
	return second
}

func (r *harness) serve(t testing.TB, setup programtest.Setup) {
	t.Helper()
	setup.Config.Now = r.now
	setup.Config.Web.FormPatience = programtest.FormPatience(&r.rivals)
	setup.Config.WrapSlots = func(s reserve.SlotStore) reserve.SlotStore { return countedSlots{s, &r.reads} }
	r.Server = programtest.Start(t, setup)
}

// balances fails unless the auditor finds nothing wrong.
func (r *harness) balances(t *testing.T) {
	t.Helper()
	report, err := r.Stores.Audits.Audit(t.Context())
	dbtest.Must(t, err)
	for _, wrong := range report.Wrong() {
		t.Errorf("%s: %d wrong: %+v", wrong.Check, wrong.Found, wrong.Examples)
	}
}

// countedSlots counts readings.
type countedSlots struct {
	reserve.SlotStore
	reads *atomic.Int64
}

func (s countedSlots) ListOccupancy(ctx context.Context, restaurantID int64,
	first, last booking.Date) (map[booking.SlotKey]booking.Occupancy, error) {
	s.reads.Add(1)
	return s.SlotStore.ListOccupancy(ctx, restaurantID, first, last)
}

func (r *harness) now() time.Time {
	if at := r.clock.Load(); at != nil {
		return *at
	}
	return time.Now()
}
