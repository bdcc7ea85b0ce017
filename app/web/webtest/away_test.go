package webtest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/app/waiting"
	"lunchgo/app/web/ops"
	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
	"lunchgo/locks"
	"lunchgo/views"
)

// quickLines give a Redis up within two seconds.
var quickLines = waiting.Config{Lines: locks.Config{
	Beat: 200 * time.Millisecond, TTL: 1500 * time.Millisecond, Lease: 1500 * time.Millisecond,
	ClaimWindow: time.Second,
}}

// ending is what a diner got in the end.
type ending struct {
	at      *harness // the server
	who     person
	state   string
	arrival int64
}

// queue presses and asks until there is an answer. Anything but "wait" and an answer is a fault.
func (r *harness) queue(t *testing.T, who person, slot booking.SlotKey) ending {
	t.Helper()
	out := ending{at: r, who: who}
	a := r.press(t, who, "key-1", "respond-async", r.requestFor(slot, 1))
	switch {
	case a.status == http.StatusCreated:
		out.state = "reserved"
		return out
	case a.status == http.StatusConflict && a.json["code"] == "sold_out":
		out.state = "sold_out"
		return out
	case a.status != http.StatusAccepted:
		t.Errorf("a press was answered %d %s", a.status, a.raw)
		return out
	}
	ticket := a.text(t, "ticket")
	pass, err := waiting.NewSigner(r.Setup.Config.Secrets).Read(ticket, who.id)
	if err != nil {
		t.Error(err)
	}
	out.arrival = pass.Arrival
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for limit := time.Now().Add(30 * time.Second); time.Now().Before(limit); <-tick.C {
		now := r.get(t, who, "/api/tickets/"+ticket)
		switch {
		case now.status != http.StatusOK:
			t.Errorf("a ticket was answered %d %s", now.status, now.raw)
			return out
		case now.json["state"] == "reserved":
			out.state = "reserved"
			return out
		case now.json["state"] == "rejected":
			out.state, _ = now.json["code"].(string)
			return out
		}
	}
	t.Error("a diner is not answered")
	return out
}

// byItself says whether a server keeps its lines by itself.
func (r *harness) byItself(t *testing.T) bool { return r.gauge(t, ops.MetricLinesAway) > 0 }

func TestFallback_RushGoesOnWhileRedisDiesAndComesBack(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(testing.TB) *embedded.Server{
		"data lost": dbtest.PrivateRedis, "data kept": dbtest.PrivateDurableRedis,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rushWithoutRedis(t, start(t))
		})
	}
}

// rushWithoutRedis lets diners of two servers press one after the other, the first of them behind a rival.
func rushWithoutRedis(t *testing.T, redis *embedded.Server) {
	const diners, seats = 60, 10
	first := newHarnessWith(t, programtest.Setup{Redis: redis.URL, Config: program.Config{Room: quickLines}})
	servers := []*harness{first, first.twin(t)}
	slot := first.slot("19:00")
	first.rival(t, slot) // dies with Redis
	people := make([]person, diners)
	for i := range people {
		people[i] = first.diner(t, 0)
	}
	var mu sync.Mutex
	var answers []ending
	var all sync.WaitGroup
	for i, who := range people {
		if i == diners/3 {
			redis.Kill()
		}
		if i == 2*diners/3 {
			dbtest.Eventually(t, "both servers go on by themselves",
				func() bool { return servers[0].byItself(t) && servers[1].byItself(t) })
			dbtest.Must(t, redis.Revive(t.Context()))
		}
		all.Go(func() {
			out := servers[i%2].queue(t, who, slot)
			mu.Lock()
			defer mu.Unlock()
			answers = append(answers, out)
		})
	}
	all.Wait()
	reserved := 0
	for _, out := range answers {
		switch out.state {
		case "reserved":
			reserved++
		case "sold_out":
		default:
			t.Errorf("a diner got %q", out.state)
		}
	}
	if n := first.seats(t, slot); len(answers) != diners || reserved != seats || n != seats {
		t.Errorf("%d answers, %d reserved, %d seats taken of %d", len(answers), reserved, n, seats)
	}
	for i, server := range servers {
		if late := overtaken(answers, server); late != nil {
			t.Errorf("server %d: %v were reserved after others were turned away", i, late)
		}
		dbtest.Eventually(t, "the line is common again", func() bool { return !server.byItself(t) })
	}
	for _, out := range answers { // a repeated press finds the same answer, at the other server too
		other := servers[0]
		if out.at == other {
			other = servers[1]
		}
		dbtest.Eventually(t, "who got "+out.state+" gets it at the other server too", func() bool {
			a := other.press(t, out.who, "key-1", "wait=10", other.requestFor(slot, 1))
			return out.state == "reserved" && a.status == http.StatusCreated || out.state == a.json["code"]
		})
	}
}

// overtaken lists the arrival numbers of a server's diners who got a seat behind one who was turned away.
func overtaken(answers []ending, server *harness) []int64 {
	mine := slices.DeleteFunc(slices.Clone(answers), func(out ending) bool {
		return out.at != server || out.arrival == 0
	})
	slices.SortFunc(mine, func(a, b ending) int { return int(a.arrival - b.arrival) })
	var late []int64
	full := false
	for _, out := range mine {
		full = full || out.state == "sold_out"
		if full && out.state == "reserved" {
			late = append(late, out.arrival)
		}
	}
	return late
}

func TestFallback_SiteGoesOnWithoutRedis(t *testing.T) {
	t.Parallel()
	redis := dbtest.PrivateRedis(t)
	r := newHarnessWith(t, programtest.Setup{Redis: redis.URL, Config: program.Config{Room: quickLines}})
	slot, waits := r.slot("19:00"), r.diner(t, 100_000)
	r.rival(t, slot)
	admitted := r.press(t, waits, "key-1", "respond-async", r.requestFor(slot, 2)).want(t, 202, "")
	page := "/tickets/" + admitted.text(t, "ticket")
	local := `class="status-local"`
	if a := r.page(t, waits, page); a.status != 200 || strings.Contains(string(a.raw), local) {
		t.Errorf("with Redis: %d", a.status)
	}
	redis.Kill()
	dbtest.Eventually(t, "the page tells that places are kept by the server", func() bool {
		return strings.Contains(string(r.page(t, waits, page).is(t, 200).raw), local)
	})
	r.press(t, waits, "key-2", "wait=0", r.requestFor(slot, 2)).want(t, 409, "in_progress")
	leaves := r.diner(t, 0) // while nobody gets a turn yet
	left := r.press(t, leaves, "key-1", "wait=0", r.requestFor(r.slot("20:00"), 2)).want(t, 429, "waiting")
	ticket := left.text(t, "ticket")
	r.delete(t, leaves, "/api/tickets/"+ticket).want(t, 204, "")
	if a := r.get(t, leaves, "/api/tickets/"+ticket).want(t, 200, "left"); a.text(t, "state") != "left" {
		t.Errorf("who left is %s", a.raw)
	}
	who := map[string]any{"email": "new@example.org", "password": "correct horse battery", "name": "새 손님",
		"phone": "010-1234-5678"}
	r.post(t, person{}, "/api/users", "", who).want(t, 201, "")
	r.post(t, person{}, "/api/sessions", "", who).want(t, 200, "")
	for _, path := range []string{
		"/api/restaurants", fmt.Sprintf("/api/restaurants/%d/slots?date=%s", r.restaurant.ID, slot.Date), "/api/wallet",
		"/api/reservations", "/readyz",
	} {
		r.get(t, waits, path).want(t, 200, "")
	}
	for _, path := range []string{"/", views.RestaurantURL(r.restaurant.Slug), "/wallet", "/reservations"} {
		r.page(t, waits, path).is(t, 200)
	}
	r.page(t, r.staff(t, r.restaurant.ID), views.StaffBoardURL(r.restaurant.ID, time.Now())).is(t, 200)
	dbtest.Eventually(t, "who waits gets a table", func() bool {
		return r.page(t, waits, page).status == http.StatusSeeOther
	})
	if !r.byItself(t) {
		t.Error("it does not say that it served by itself")
	}
}

// What the tests above show is the fallback's doing.
func TestFallback_WithoutItPressesAreRefused(t *testing.T) {
	t.Parallel()
	redis := dbtest.PrivateRedis(t)
	r := newHarnessWith(t,
		programtest.Setup{Redis: redis.URL,
			Config: program.Config{Room: quickLines, Options: program.Options{NoFallback: true}}})
	redis.Kill()
	a := r.press(t, r.diner(t, 0), "key-1", "wait=0", r.requestFor(r.slot("19:00"), 2)).want(t, 503, "unavailable")
	if a.header.Get("Retry-After") == "" {
		t.Error("503 without Retry-After")
	}
}
