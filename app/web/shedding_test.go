package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/lineup"
	"lunchgo/db/dbtest/tables"
	"lunchgo/views"
)

// rush is a site at which the lines of a slot and of a campaign stand still, and people in them.
type rush struct {
	*harness
	queries  *tap
	slot     booking.SlotKey
	campaign int64
	visitor  *browser // has asked for nothing yet
	waits    *browser // has a ticket
	ticket   string
	token    string // of a program that has asked for nothing yet
	waiting  string // of a program that has a ticket
	apiTicket
}

type apiTicket struct {
	Ticket string `json:"ticket"`
}

// knownCampaigns reads the campaigns once. The product reads them once a second for everybody.
type knownCampaigns struct {
	coupon.Store
	mu    sync.Mutex
	known []coupon.Campaign
}

func (k *knownCampaigns) List(ctx context.Context) (all []coupon.Campaign, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.known) == 0 {
		k.known, err = k.Store.List(ctx)
	}
	return slices.Clone(k.known), err
}

// call sends a request of a program.
func (r *rush) call(token, method, path, body string) (status int, answer apiTicket) {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), method, r.URL+path, strings.NewReader(body))
	r.must(err)
	for name, value := range map[string]string{"Authorization": "Bearer " + token, "Content-Type": "application/json",
		"Idempotency-Key": "key-1", "Prefer": "wait=0"} {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	r.must(err)
	defer response.Body.Close()
	if strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		return response.StatusCode, answer // its start is what matters here
	}
	_ = json.NewDecoder(response.Body).Decode(&answer)
	return response.StatusCode, answer
}

func (r *rush) reservation() string {
	return fmt.Sprintf(`{"restaurantId": %d, "date": %q, "time": %q, "partySize": 2}`, r.restaurant.ID, r.slot.Date,
		r.slot.Time)
}

func newRush(t *testing.T) *rush {
	queries := &tap{}
	h := newHarness(t, func(h *harness) {
		h.setup.Database = queries.open(t, tables.Database(t))
	})
	h.Coupons.Store = &knownCampaigns{Store: h.Coupons.Store}
	now := time.Now()
	r := &rush{harness: h, queries: queries, slot: h.slot("19:00")}
	var err error
	r.campaign, err = h.Stores.Seeds.PutCampaign(t.Context(), coupon.Campaign{Slug: "rush", Use: coupon.ForDeposit,
		Amount: 1_000, Total: 5, OpensAt: now.Add(-time.Hour), ClosesAt: now.Add(time.Hour),
		ValidUntil: now.Add(time.Hour), Name: booking.Text{Ko: "쿠폰", En: "Coupon"},
		Description: booking.Text{Ko: "쿠폰", En: "Coupon"}})
	h.must(err)
	h.rival(r.slot)
	h.occupy(lineup.OfCampaign(r.campaign))

	r.waits, r.visitor = h.signedIn(50_000), h.signedIn(50_000)
	to := strings.TrimPrefix(r.waits.press(r.slot).must(303).location(), h.URL+"/tickets/")
	r.ticket, _, _ = strings.Cut(to, "?")
	r.visitor.open("/coupons").must(200)
	r.token, _ = h.Identity.Sessions.Issue(h.diner(0).ID)
	r.waiting, _ = h.Identity.Sessions.Issue(h.diner(0).ID)
	status, answer := r.call(r.waiting, http.MethodPost, "/api/reservations", r.reservation())
	if r.apiTicket = answer; status != 429 {
		t.Fatalf("a program that presses is answered %d", status)
	}
	return r
}

// probes ask each route that is not shed in the way a rush does, and return the answer's status.
func (r *rush) probes() map[string]func() int {
	get := func(path string) func() int { return func() int { return r.waits.get(path).status } }
	api := func(token, method, path, body string) func() int {
		return func() int {
			status, _ := r.call(token, method, path, body)
			return status
		}
	}
	form := r.visitor.open(views.BookURL("haru", r.start(r.slot), 2)).form("/restaurants/haru/reservations")
	claims := fmt.Sprintf("/coupons/%d/claims", r.campaign)
	claim := r.visitor.open("/coupons").form(claims)
	post := func(b *browser, path string, form map[string][]string) func() int {
		return func() int { return b.post(path, form).status }
	}
	stream := func() int {
		r.waits.stream(r.t.Context(), views.TicketEventsURL(r.ticket, 1))
		return 200
	}
	return map[string]func() int{
		"GET /static/*":             get("/static/none"),
		"GET /favicon.ico":          get("/favicon.ico"),
		"GET /sw.js":                get("/sw.js"),
		"GET /manifest.webmanifest": get("/manifest.webmanifest"),
		"GET /robots.txt":           get("/robots.txt"),
		"GET /healthz":              get("/healthz"),
		"GET /api/openapi.json":     get("/api/openapi.json"),

		"POST /restaurants/:slug/reservations": post(r.visitor, "/restaurants/haru/reservations", form),
		"GET /tickets/:ticket":                 get(views.TicketURL(r.ticket)),
		"GET /tickets/:ticket/events":          stream,
		"GET /tickets/:ticket/receipt":         get(views.TicketReceiptURL(r.ticket)),
		"GET /verify":                          get("/verify"),
		"POST /tickets/:ticket/leave":          post(r.waits, views.TicketURL(r.ticket)+"/leave", map[string][]string{}),
		"POST /coupons/:id/claims":             post(r.visitor, claims, claim),

		"POST /api/reservations":           api(r.token, http.MethodPost, "/api/reservations", r.reservation()),
		"POST /api/coupons/:id/claims":     api(r.token, http.MethodPost, "/api"+claims, ""),
		"GET /api/tickets/:ticket":         api(r.waiting, http.MethodGet, "/api/tickets/"+r.Ticket, ""),
		"GET /api/tickets/:ticket/events":  api(r.waiting, http.MethodGet, "/api/tickets/"+r.Ticket+"/events", ""),
		"GET /api/tickets/:ticket/receipt": api(r.waiting, http.MethodGet, "/api/tickets/"+r.Ticket+"/receipt", ""),
		"DELETE /api/tickets/:ticket":      api(r.waiting, http.MethodDelete, "/api/tickets/"+r.Ticket, ""),
	}
}

// probesDatabase are routes that ask the database and pass no shedder: whether it answers is what they are for.
var probesDatabase = map[string]bool{"GET /readyz": true}

// Every route is either shed, or asks the database nothing while a rush is on.
func TestRoutes_WhatIsNotShedAsksNoDatabase(t *testing.T) {
	t.Parallel()
	r := newRush(t)
	probes := r.probes()
	past, all := r.Site.RoutesPastShedder()
	if all < 80 || len(past) < 10 || len(past) > all/2 {
		t.Fatalf("%d of %d routes are not shed: they are not all seen", len(past), all)
	}
	r.queries.quietFor(time.Second) // what a start and the first presses leave to do comes late on a busy machine
	for _, route := range past {
		probe, ok := probes[route]
		if !ok && !probesDatabase[route] {
			t.Errorf("%s passes no load shedder, and nothing shows that it asks no database", route)
		}
		if !ok {
			continue
		}
		delete(probes, route)
		before := r.queries.settled()
		r.queries.forget()
		status := probe()
		if asked := r.queries.settled() - before; asked != 0 || status >= 400 && status != 429 &&
			route != "GET /static/*" {
			t.Errorf("%s answers %d and sends %d bytes to the database: %s", route, status, asked, r.queries.texts())
		}
	}
	for route := range probes {
		t.Errorf("%s is shed, or is no route", route)
	}
	before := r.queries.settled()
	r.visitor.get("/wallet").must(200)
	if r.queries.settled() == before {
		t.Error("a route that is shed sends nothing either: nothing is counted")
	}
}
