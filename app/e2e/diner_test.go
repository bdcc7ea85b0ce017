package e2e_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/lineup"
	"lunchgo/app/seed"
	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// password of the diners that tests sign up.
const password = "correct horse battery"

// diner is a person with an account and, through the JSON API, a program that acts for them.
type diner struct {
	*product
	name, email, token string
}

// newDiner signs somebody up, whose address is confirmed, with so much money in the wallet.
func (p *product) newDiner(won int64) diner {
	p.t.Helper()
	d := diner{product: p, name: "한여름", email: strings.ToLower(rand.Text()) + "@example.com"}
	d.call(http.MethodPost, "/api/users", http.StatusCreated,
		body{"email": d.email, "password": password, "name": d.name, "phone": "010-1234-5678"}, nil)
	p.exec(`UPDATE users SET email_confirmed_at = now() WHERE email = $1`, d.email)
	var session struct{ Token string }
	d.call(http.MethodPost, "/api/sessions", http.StatusOK, body{"email": d.email, "password": password}, &session)
	d.token = session.Token
	if won > 0 {
		d.call(http.MethodPost, "/api/wallet/charges", http.StatusCreated, body{"amount": won}, nil)
	}
	return d
}

// body is a JSON object.
type body map[string]any

// call sends a request and reads its answer, which must have that status, into out unless that is nil.
func (d diner) call(method, path string, status int, in body, out any) {
	d.t.Helper()
	got, answer, err := d.try(method, path, in, "Idempotency-Key", rand.Text())
	dbtest.Must(d.t, err)
	if got != status {
		d.t.Fatalf("%s %s: %d %s, want %d", method, path, got, answer, status)
	}
	if out != nil {
		dbtest.Must(d.t, json.Unmarshal(answer, out))
	}
}

// try sends a request with further headers and returns whatever comes back.
func (d diner) try(method, path string, in body, headers ...string) (status int, answer []byte, err error) {
	content, err := json.Marshal(in)
	if err != nil {
		return 0, nil, err
	}
	r, err := http.NewRequestWithContext(d.t.Context(), method, d.url+path, bytes.NewReader(content))
	if err != nil {
		return 0, nil, err
	}
	if in != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if d.token != "" {
		r.Header.Set("Authorization", "Bearer "+d.token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := clients.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}

// clients are the connections of all programs.
var clients = &http.Client{Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: 1_000}}

// reserve books a table at once and returns the reservation's id; with pay, its deposit is paid.
func (d diner) reserve(s slot, pay bool) string {
	d.t.Helper()
	var reservation struct{ ID string }
	d.call(http.MethodPost, "/api/reservations", http.StatusCreated, s.order(), &reservation)
	if pay {
		d.call(http.MethodPost, "/api/reservations/"+reservation.ID+"/payment", http.StatusOK,
			body{"kind": "deposit"}, nil)
	}
	return reservation.ID
}

// slot is a bookable time that belongs to one test.
type slot struct {
	restaurantID int64
	slug         string
	party        int // the size of the parties that want it
	deposit      int64
	capacity     int
	date, time   string
	at           time.Time
}

func (s slot) key() booking.SlotKey {
	return booking.SlotKey{RestaurantID: s.restaurantID, Date: booking.Date(s.date), Time: booking.TimeOfDay(s.time)}
}

// order is the body of a request for a table in the slot.
func (s slot) order() body {
	return body{"restaurantId": s.restaurantID, "date": s.date, "time": s.time, "partySize": s.party}
}

// line is the line of the slot.
func (s slot) line() locks.Name { return lineup.OfSlot(s.key()) }

// slotBook remembers which slots are given out.
type slotBook struct {
	mu    sync.Mutex
	given []string
}

// take gives a slot out that nobody has; false if somebody does.
func (b *slotBook) take(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if slices.Contains(b.given, id) {
		return false
	}
	b.given = append(b.given, id)
	return true
}

// The days on which tests book: far enough ahead for a full refund, and not those for which the demo seats guests.
const (
	firstDay = 5
	lastDay  = 25
)

// freeSlot finds an empty slot of a restaurant that no other test has.
func (p *product) freeSlot(slug string, party int) slot { return p.freeSlotFrom(slug, party, firstDay) }

// freeSlotFrom is freeSlot so many days ahead, or later.
func (p *product) freeSlotFrom(slug string, party, first int) slot {
	p.t.Helper()
	anybody := diner{product: p}
	var found struct {
		Restaurants []struct {
			ID               int64
			Slug             string
			DepositPerPerson int64
		}
	}
	anybody.call(http.MethodGet, "/api/restaurants", http.StatusOK, nil, &found)
	for _, r := range found.Restaurants {
		if r.Slug != slug {
			continue
		}
		s := slot{restaurantID: r.ID, slug: slug, party: party, deposit: r.DepositPerPerson}
		for day := first; day < lastDay; day++ {
			if p.fill(&s, time.Now().In(seoul).AddDate(0, 0, day).Format(time.DateOnly)) {
				return s
			}
		}
	}
	p.t.Fatalf("%s has no free slot", slug)
	return slot{}
}

// fill takes the first empty slot of a day.
func (p *product) fill(s *slot, date string) bool {
	p.t.Helper()
	var day struct {
		Slots []struct {
			Date, Time, State   string
			StartsAt            time.Time
			Capacity, Remaining int
		}
	}
	path := fmt.Sprintf("/api/restaurants/%d/slots?date=%s&partySize=%d", s.restaurantID, date, s.party)
	diner{product: p}.call(http.MethodGet, path, http.StatusOK, nil, &day)
	for _, o := range day.Slots {
		id := strconv.FormatInt(s.restaurantID, 10) + o.Date + o.Time
		if o.State == "open" && o.Remaining == o.Capacity && p.slots.take(id) {
			s.date, s.time, s.at, s.capacity = o.Date, o.Time, o.StartsAt.In(seoul), o.Capacity
			return true
		}
	}
	return false
}

// seoul is where the demo's restaurants are.
var seoul = func() *time.Location {
	zone, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		panic(err) // the zones come with the test binary
	}
	return zone
}()

// account is one of the demo's, signed in.
func (p *product) account(email string) diner {
	p.t.Helper()
	d := diner{product: p, email: email}
	var session struct{ Token string }
	d.call(http.MethodPost, "/api/sessions", http.StatusOK, body{"email": email, "password": seed.DemoPassword},
		&session)
	d.token = session.Token
	return d
}

// send posts a form of the pages and fails the test unless it leads to a page, as one that did what it should does.
func (d diner) send(path string, form url.Values) {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodPost, d.url+path, strings.NewReader(form.Encode()))
	dbtest.Must(d.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+d.token)
	answer, err := clients.Transport.RoundTrip(r)
	dbtest.Must(d.t, err)
	dbtest.Must(d.t, answer.Body.Close())
	if answer.StatusCode != http.StatusSeeOther {
		d.t.Fatalf("POST %s: %s, want a redirect", path, answer.Status)
	}
}
