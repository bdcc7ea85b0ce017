package webtest

import (
	"database/sql"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/identity"
	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/app/web"
	"lunchgo/app/web/ops"
	"lunchgo/app/web/ratelimit"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// limitedTo is a server with limits of a test's own, and a ping soon.
func limitedTo(t *testing.T, limits ratelimit.Limits, ping time.Duration) *harness {
	t.Helper()
	return newHarnessWith(t, programtest.Setup{Config: program.Config{Web: web.Config{Limits: limits, Ping: ping},
		Options: program.Options{Paces: program.Paces{Revoked: ping}}}})
}

// A form that comes too often comes back as it was filled in.
func TestLimits_FormsStayFilled(t *testing.T) {
	t.Parallel()
	r := limitedTo(t, ratelimit.Limits{Presses: 1, Changes: 1}, 0)
	who, slot := r.diner(t, 100_000), r.slot("19:00")
	forms := map[string]url.Values{
		views.ReserveURL(r.restaurant.Slug): {views.FieldDate: {string(slot.Date)},
			views.FieldTime: {string(slot.Time)}, views.FieldParty: {"99"}, views.FieldNote: {"창가 자리"}},
		views.ChargeURL(): {views.FieldAmount: {"12345678901"}},
	}
	kept := map[string]string{views.ReserveURL(r.restaurant.Slug): "창가 자리", views.ChargeURL(): "12345678901"}
	for path, form := range forms {
		form.Set(views.FieldIdempotencyKey, "key-1")
		r.send(t, who, path, form).is(t, 422)
		form.Set(views.FieldIdempotencyKey, "key-2")
		page := r.send(t, who, path, form).is(t, 429)
		page.has(t, "짧은 시간에 너무 많이 누르셨습니다.", kept[path])
		if wait, err := strconv.Atoi(page.header.Get("Retry-After")); err != nil || wait < 1 || wait > 60 {
			t.Errorf("%s: Retry-After %q", path, page.header.Get("Retry-After"))
		}
		form.Set(views.FieldIdempotencyKey, "key-1")
		r.send(t, who, path, form).is(t, 422) // a repeat does not count
	}
}

// What staff change is counted, by account; what they read is not.
func TestLimits_OfStaff(t *testing.T) {
	t.Parallel()
	r := limitedTo(t, ratelimit.Limits{Staff: 2}, 0)
	host, another := r.staff(t, r.restaurant.ID), r.staff(t, r.restaurant.ID)
	slot := r.slot("19:00")
	open := func(who person) answer { return r.control(t, who, slot, url.Values{"part": {"open"}}) }
	open(host).is(t, 303)
	open(host).is(t, 303)
	open(host).is(t, 429)
	open(another).is(t, 303)
	r.page(t, host, views.StaffSlotURL(r.restaurant.ID, r.start(t, slot))).is(t, 200)
}

// The limit of diners does not bind what staff change, on any of their pages and calls; it binds what they do as
// diners.
func TestLimits_OfDinersAreNotForStaff(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	manager := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	of := func(format string) string { return fmt.Sprintf(format, r.restaurant.ID) }
	for n := range 10 { // forty changes
		r.delete(t, manager, of("/api/staff/restaurants/%d/invitations/unknown")).want(t, 404, "not_found")
		r.post(t, manager, of("/api/staff/restaurants/%d/coupons"), "", map[string]any{}).want(t, 422, "invalid")
		r.send(t, manager, of("/staff/restaurants/%d/setup/coupons"), nil).is(t, 422)
		r.send(t, manager, of("/staff/restaurants/%d/team/invitations"), url.Values{"email": {fmt.Sprint(n)}}).is(t,
			422)
	}
	var last answer
	for n := 0; n < 90 && last.status != 429; n++ { // thirty, and one more every two seconds
		if last = r.delete(t, manager, "/api/reservations/unknown"); n < 30 {
			last.want(t, 404, "not_found")
		}
	}
	last.want(t, 429, "too_many_requests")
}

// A stream ends when its viewer's session is revoked, or when they do not work there any more; others' streams go on.
func TestStreams_EndWithTheViewersRight(t *testing.T) {
	t.Parallel()
	r := limitedTo(t, ratelimit.Limits{}, 200*time.Millisecond)
	board := views.EveningAddress{RestaurantID: r.restaurant.ID, Day: r.start(t, r.slot("19:00")),
		Tab: views.TabGuests}.EventsURL()
	removed, leaves, stays := r.staff(t, r.restaurant.ID), r.staff(t, r.restaurant.ID), r.staff(t, r.restaurant.ID)
	ends := map[string]<-chan event{}
	for name, who := range map[string]person{"removed": removed, "leaves": leaves, "stays": stays} {
		events, _ := r.stream(t, who, board)
		nextEvent(t, events)
		ends[name] = events
	}
	session, err := r.Identity.Sessions.Verify(leaves.token)
	dbtest.Must(t, err)
	dbtest.Must(t, r.Identity.Sessions.Revoke(t.Context(), session))
	pool, err := sql.Open("postgres", r.Setup.Database)
	dbtest.Must(t, err)
	defer pool.Close()
	if _, err := pool.ExecContext(t.Context(), `DELETE FROM staff_members WHERE user_id = $1`, removed.id); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"removed", "leaves"} {
		if e, more := nextEvent(t, ends[name]); more {
			t.Errorf("the stream of who %s goes on: %+v", name, e)
		}
	}
	r.seat(t, r.diner(t, 0), r.slot("19:00"), 5) // the control
	if e, more := nextEvent(t, ends["stays"]); !more || !strings.Contains(e.data, "5명") {
		t.Errorf("the stream of who stays: %+v", e)
	}
}

// However many watch the seats of a slot, Redis is asked as often.
func TestStreams_ManyViewersCostWhatOneCosts(t *testing.T) {
	t.Parallel()
	server := dbtest.PrivateRedis(t)
	r := newHarnessWith(t, programtest.Setup{Redis: server.URL})
	r.openRoom(t)
	slot := r.slot("19:00")
	path := "/restaurants/" + r.restaurant.Slug + "/seats/events?date=" + string(slot.Date) + "&time=" +
		string(slot.Time) + "&party=2"
	watch := func(viewers int) {
		for range viewers {
			events, _ := r.stream(t, person{}, path)
			nextEvent(t, events)
		}
	}
	watch(1)
	one := commandsIn(t, r.Redis, 3*time.Second)
	watch(199)
	many := commandsIn(t, r.Redis, 3*time.Second)
	if many > one+one/4+10 {
		t.Errorf("200 viewers cost %d commands in 3 s, one costs %d", many, one)
	}
	t.Logf("200 viewers cost %d commands in 3 s, one costs %d; %v streams", many, one, r.gauge(t, ops.MetricStreams))
}

// commandsIn counts the commands that Redis executes in a time.
func commandsIn(t *testing.T, rdb redis.UniversalClient, in time.Duration) int {
	t.Helper()
	count := func() int {
		info, err := rdb.Info(t.Context(), "stats").Result()
		dbtest.Must(t, err)
		_, rest, _ := strings.Cut(info, "total_commands_processed:")
		n, _, _ := strings.Cut(rest, "\r\n")
		total, err := strconv.Atoi(n)
		dbtest.Must(t, err)
		return total
	}
	before := count()
	<-time.After(in)
	return count() - before
}
