package webtest

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/app/reserve"
	"lunchgo/app/show"
	"lunchgo/app/team"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

const showHost = "host@lunchgo.example"

// newShow is a demo whose restaurant shows rushes, and the member of staff who opens it.
func newShow(t *testing.T) (r *harness, host team.Staff) {
	t.Helper()
	r = newHarnessWith(t, programtest.Setup{Config: program.Config{Show: show.Place{Slug: "damdam", Host: showHost}}})
	r.rivals.Add(1) // the crowd
	err := r.Stores.Seeds.AddDemoUser(t.Context(),
		identity.User{ID: "host", Email: showHost, Name: "이담", PasswordHash: "!"})
	dbtest.Must(t, err)
	r.addStaff(t, person{id: "host"}, r.restaurant.ID, identity.RoleManager)
	if host, err = team.Find(t.Context(), r.Stores.Users, "host", r.restaurant.ID); err != nil {
		t.Fatal(err)
	}
	return r, host
}

// joinRush presses as a visitor without an account, and returns who that became and the ticket.
func (r *harness) joinRush(t *testing.T, key string) (visitor person, ticket string) {
	t.Helper()
	a := r.do(t, call{method: http.MethodPost, path: views.RushURL(),
		body: url.Values{views.FieldIdempotencyKey: {key}}.Encode(),
		headers: map[string]string{"Content-Type": "application/x-www-form-urlencoded",
			"Sec-Fetch-Site": "same-origin"}}).want(t, 303, "")
	for _, cookie := range (&http.Response{Header: a.header}).Cookies() {
		if cookie.Name == "session" {
			visitor.token = cookie.Value
		}
	}
	at, ok := strings.CutPrefix(a.header.Get("Location"), "/tickets/")
	if visitor.token == "" || !ok {
		t.Fatalf("leads to %s, signed in by %q", a.header.Get("Location"), visitor.token)
	}
	ticket, _, _ = strings.Cut(at, "?")
	return visitor, ticket
}

// A visitor stands behind the first of the crowd. A second one joins the same rush, behind those who came meanwhile,
// and whoever presses again keeps their place. When the line opens, the seats go to those at its head.
func TestShow_VisitorsStandInTheCrowd(t *testing.T) {
	t.Parallel()
	r, host := newShow(t)
	r.page(t, person{}, "/").has(t, `href="/rush"`)
	r.page(t, person{}, views.RushURL()).has(t, "시작하고 줄 서기", "1,000명")
	planned := r.planOpening(t, host)
	one, first := r.joinRush(t, "key-1")
	place := r.get(t, one, "/api/tickets/"+first).want(t, 200, "").number(t, "position")
	if place < 6 || place > 10 {
		t.Errorf("the first visitor is number %v, want about 9", place)
	}
	r.page(t, person{}, views.RushURL()).has(t, "이 줄에 서기", "팀이 줄에 서 있고")
	two, second := r.joinRush(t, "key-2")
	if behind := r.get(t, two, "/api/tickets/"+second).number(t, "position"); behind <= place {
		t.Errorf("the second visitor is number %v, the first %v", behind, place)
	}
	r.send(t, one, views.RushURL(), url.Values{views.FieldIdempotencyKey: {"key-1"}}).has(t, "번째")

	is, on, err := r.Show.Running(t.Context())
	if err != nil || !on || is.Slot == planned {
		t.Fatalf("%+v %v %v", is.Slot, on, err)
	}
	now := reserve.SlotChange{ClearOpening: true}
	if _, err := r.Bookings.ChangeSlot(t.Context(), host, is.Slot, now, false); err != nil {
		t.Fatal(err)
	}
	dbtest.Eventually(t, "both have an answer", func() bool {
		a, b := r.get(t, one, "/api/tickets/"+first), r.get(t, two, "/api/tickets/"+second)
		return a.text(t, "state") != "waiting" && b.text(t, "state") != "waiting"
	})
	known, err := r.Bookings.Slots.ListOccupancy(t.Context(), r.restaurant.ID, is.Slot.Date, is.Slot.Date)
	if o := known[is.Slot]; err != nil || o.Held == 0 || o.Held > o.Capacity {
		t.Errorf("%+v %v", o, err)
	}
	r.balances(t)
}

// Without a demo there is no such page.
func TestShow_IsOfDemos(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	r.page(t, person{}, views.RushURL()).want(t, 404, "")
	if strings.Contains(string(r.page(t, person{}, "/").raw), views.RushURL()) {
		t.Error("the home page leads to a rush")
	}
}

// planOpening has staff plan the opening of the slot that would be the next to show a rush in.
func (r *harness) planOpening(t *testing.T, host team.Staff) booking.SlotKey {
	t.Helper()
	now := r.now()
	for day := range r.restaurant.HorizonDays {
		date := booking.DateOf(now, r.restaurant.Location).AddDays(day)
		for _, at := range r.restaurant.Times(date) {
			start, err := r.restaurant.Start(date, at)
			if err != nil || start.Sub(now) < 3*time.Hour {
				continue
			}
			slot, opens := booking.SlotKey{RestaurantID: r.restaurant.ID, Date: date, Time: at}, now.Add(time.Hour)
			change := reserve.SlotChange{OpensAt: &opens}
			if _, err := r.Bookings.ChangeSlot(t.Context(), host, slot, change, false); err != nil {
				t.Fatal(err)
			}
			return slot
		}
	}
	t.Fatal("no slot can be planned")
	return booking.SlotKey{}
}
