package webtest

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/app/web/respond"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
	"lunchgo/db/pg"
)

// How long a request may take in these tests while the database stands still, and what a busy machine adds.
const (
	hungWork  = time.Second
	pressWork = 10 * time.Second       // for a press, which gets its place in a part of it
	hungLock  = 200 * time.Millisecond // for a lock that somebody holds
	hungSlack = 8 * time.Second
)

// hung is a server whose database stands still before anything was read from it.
type hung struct {
	*harness
	first  *harness // the other server, whose database goes on
	relay  *embedded.Relay
	who    person // a diner with everything, and staff
	other  person // a diner with nothing
	values map[string]string
	form   url.Values
	body   map[string]any
}

// newHung makes what the requests are about through one server, and gives them to another one. work is how long that
// one works for a request.
func newHung(t *testing.T, work time.Duration) *hung {
	t.Helper()
	setup := programtest.Setup{Config: program.Config{Room: quickLines}}
	first := newHarnessWith(t, setup)
	slot := first.slot("19:00")
	h := &hung{first: first, who: first.staffAs(t, first.restaurant.ID, identity.RoleOwner), other: first.diner(t, 0)}
	first.rival(t, first.slot("20:00"))
	ticket := first.press(t, h.who, "key-1", "respond-async", first.requestFor(first.slot("20:00"), 2)).want(t, 202, "")
	reservation := first.seat(t, h.who, slot, 2)
	first.seat(t, first.diner(t, 0), first.slot("18:00"), 10)
	entry := first.wait(t, h.who, first.slot("18:00"), 2).want(t, 201, "").text(t, "id")
	h.values = map[string]string{
		"slug": first.restaurant.Slug, "restaurant": fmt.Sprint(first.restaurant.ID), "date": string(slot.Date),
		"time": "19:00", "dish": fmt.Sprint(first.menu[0].ID), "reservation": reservation, "ticket": ticket.text(t, "ticket"),
		"token": first.Offers.Sign(entry), "/restaurants/:id": fmt.Sprint(first.restaurant.ID),
		"/coupons/:id": fmt.Sprint(first.campaign(t, "hung", 5, time.Minute)), "/waitlist/:id": entry, "/reservations/:id": reservation,
		"/c/:id": reservation,
	}
	h.form = url.Values{"date": {string(slot.Date)}, "time": {"19:00"}, "party": {"2"}, "idempotency_key": {"form-1"},
		"kind": {"deposit"}, "amount": {"10000"}, "refund": {"0"}, "quoted": {"0"}, "email": {"new@example.org"},
		"password": {"correct horse battery"}, "name": {"손님"}, "phone": {"010-1234-5678"}, "language": {"en"},
		"capacity": {"12"}, "portions": {"5"}, "state": {"arrived"}}
	h.body = map[string]any{"restaurantId": slot.RestaurantID, "date": slot.Date, "time": "19:00", "partySize": 2,
		"kind": "deposit", "amount": 10_000, "email": "new@example.org", "password": "correct horse battery",
		"name": "손님", "phone": "010-1234-5678"}

	h.relay = dbtest.NewRelay(t, first.Setup.Database)
	pool, err := db.Open(t.Context(), pg.Config{URL: h.relay.URL, LockTimeout: hungLock})
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = pool.Close() })
	second := first.Setup
	second.DB = pool
	second.Config.Web.WorkTimeout, second.Config.Web.UploadTimeout = work, work
	// why an answer is 500
	second.Log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))
	h.harness = &harness{restaurant: first.restaurant, menu: first.menu}
	h.relay.Freeze()
	t.Cleanup(h.relay.Thaw) // before the pool is closed
	h.serve(t, second)
	return h
}

var param = regexp.MustCompile(`:\w+`)

// path fills in the parameters of a route.
func (h *hung) path(route string) string {
	for of, value := range h.values { // in any order
		if base, ok := strings.CutSuffix(of, "/:id"); ok {
			route = strings.Replace(route, of, base+"/"+value, 1)
		} else {
			route = strings.Replace(route, ":"+of, value, 1)
		}
	}
	path := param.ReplaceAllString(strings.ReplaceAll(route, "*", "none"), "1")
	return path + "?date=" + h.values["date"] + "&time=19:00&party=2&partySize=2&stay=1"
}

// ask sends the request of a route and returns the answer's status, its problem's code, and how long it took.
func (h *hung) ask(t *testing.T, route string) (a answer, took time.Duration) {
	t.Helper()
	method, path, _ := strings.Cut(route, " ")
	isAPI := strings.HasPrefix(path, "/api/")
	token, _ := h.Identity.Sessions.Issue(h.who.id) // a session of its own: some routes end it
	c := call{method: method, path: h.path(path), as: person{h.who.id, token},
		headers: map[string]string{"Idempotency-Key": "key-2", "Prefer": "wait=0"}}
	switch {
	case method == http.MethodGet || method == http.MethodDelete:
	case isAPI:
		c.body = h.body
	default:
		c.body = h.form.Encode()
		c.headers["Content-Type"] = "application/x-www-form-urlencoded"
		c.headers["Sec-Fetch-Site"] = "same-origin"
	}
	if !isAPI {
		c.headers["Cookie"] = "session=" + token
	}
	ctx, cancel := context.WithTimeout(t.Context(), dbtest.Patience)
	defer cancel()
	begun := time.Now()
	response, err := agent.Do(h.request(t, c).WithContext(ctx))
	took = time.Since(begun)
	if err != nil {
		t.Errorf("%s: no answer: %v", route, err)
		return a, took
	}
	defer response.Body.Close()
	a.status, a.header = response.StatusCode, response.Header
	if !strings.HasPrefix(a.header.Get("Content-Type"), "text/event-stream") { // its start is what matters here
		a.raw, _ = io.ReadAll(response.Body)
		took = time.Since(begun)
	}
	return a, took
}

// askAll sends the requests of all routes, some at a time, and returns how many were answered with which status.
func (h *hung) askAll(t *testing.T, check func(route string, a answer, took time.Duration)) map[int]int {
	t.Helper()
	statuses := map[int]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	turns := make(chan struct{}, 20)
	for _, route := range h.Site.Routes() {
		all.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			a, took := h.ask(t, route)
			mu.Lock()
			defer mu.Unlock()
			statuses[a.status]++
			check(route, a, took)
		})
	}
	all.Wait()
	return statuses
}

// While the database stands still and nothing is cached, each route is answered in its time: with what needs no
// database, or with 503 and when to come back. Afterwards all goes on, and nothing is held any more.
func TestDatabaseHangs_EveryRouteIsAnswered(t *testing.T) {
	t.Parallel()
	h := newHung(t, hungWork)
	statuses := h.askAll(t, func(route string, a answer, took time.Duration) {
		if took > hungWork+hungSlack {
			t.Errorf("%s is answered after %v", route, took)
		}
		if a.status == 500 || a.status == 503 && a.header.Get("Retry-After") == "" &&
			!strings.HasSuffix(route, "/readyz") {
			t.Errorf("%s is answered %d %v", route, a.status, a.header)
		}
	})
	if len(h.Site.Routes()) < 80 || statuses[503] < 50 {
		t.Errorf("%d routes, answered %v: they do not ask the database", len(h.Site.Routes()), statuses)
	}

	h.relay.Thaw()
	dbtest.Eventually(t, "it is ready again", func() bool { return h.get(t, person{}, "/readyz").json["status"] == "ok" })
	statuses = h.askAll(t, func(route string, a answer, _ time.Duration) {
		for tries := 0; a.status == 503 && tries < 10; tries++ { // its time is short on a busy machine
			a, _ = h.ask(t, route)
		}
		if a.status >= 500 {
			t.Errorf("afterwards %s is answered %d", route, a.status)
		}
	})
	if statuses[200] < 30 {
		t.Errorf("afterwards the routes are answered %v", statuses)
	}
	dbtest.Eventually(t, "no connection is held", func() bool { return h.DB.Stats().InUse == 0 })
	h.placesAreFree(t)
}

// placesAreFree lets the database stand still once more. As many requests as the load shedder admits wait for it.
func (h *hung) placesAreFree(t *testing.T) {
	t.Helper()
	h.relay.Freeze()
	codes := map[string]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for range respond.MaxAdmitted + 6 {
		all.Go(func() {
			a := h.get(t, h.other, "/api/wallet")
			mu.Lock()
			defer mu.Unlock()
			codes[a.text(t, "code")]++
		})
	}
	all.Wait()
	h.relay.Thaw()
	if codes[respond.Unavailable.Code] < respond.MaxAdmitted {
		t.Errorf("%v: not all of %d places are free", codes, respond.MaxAdmitted)
	}
}

// A press whose restaurant is not known yet is refused, in the time of the catalogue's reading. One whose restaurant is
// known gets a place in the line, where it waits for the database: also of a day that nobody has looked at, and with a
// coupon of somebody who was served lately, whom a limit may concern.
func TestDatabaseHangs_Press(t *testing.T) {
	t.Parallel()
	h := newHung(t, pressWork)
	h.first.press(t, h.other, "key-1", "wait=20", h.requestFor(h.slot("17:00"), 2)).want(t, 201, "")
	campaign := h.first.campaign(t, "deposit", 5, time.Minute)
	h.first.give(t, campaign, h.other)
	coupons := map[person]any{h.other: campaign}
	slot := h.slot("19:00")
	press := func(who person) answer {
		body := h.requestFor(slot, 2)
		body["couponId"] = coupons[who]
		begun := time.Now()
		a := h.press(t, who, "key-2", "wait=0", body)
		if took := time.Since(begun); took > hungWork+hungSlack {
			t.Errorf("answered after %v", took)
		}
		return a
	}
	if a := press(h.who).want(t, 503, "unavailable"); a.header.Get("Retry-After") == "" {
		t.Error("503 without Retry-After")
	}
	h.relay.Thaw()
	dbtest.Eventually(t, "the catalogue is known", func() bool {
		return h.get(t, h.who, "/api/restaurants/"+h.values["restaurant"]+"/menu?date="+h.values["date"]).status == 200
	})
	slot.Date = h.day(2)
	h.relay.Freeze()
	press(h.who).want(t, 429, "waiting")
	press(h.other).want(t, 429, "waiting")
	h.relay.Thaw()
	dbtest.Eventually(t, "who waits gets the table", func() bool {
		return press(h.who).status == http.StatusCreated && press(h.other).status == http.StatusCreated
	})
	if made := press(h.other); made.number(t, "couponId") != int(campaign) {
		t.Errorf("made: %s", made.raw)
	}
}
