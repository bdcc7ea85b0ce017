package rush

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// installation is a tiny one that keeps the contract of the API, unless a test has it break a promise: only so can it
// be shown that a rush notices. It decides each press at once, and sends the result at the end of the ticket's stream.
type installation struct {
	capacity int // of each slot
	// true: it has answered instead of the installation
	answer func(h *installation, w http.ResponseWriter, r *http.Request) bool
	decide func(l *line, arrival int64) bool // instead of: while seats are left
	forget bool                              // what was promised is not written down
	shut   bool                              // boards end at once
	refuse error                             // what Prepare fails with, halfway
	// the second of each slot is written down before the first
	swap bool
	// whose press is answered with the result at once; nil: nobody's
	atOnce func(arrival int64) bool

	mu      sync.Mutex
	party   int
	opened  []int64 // restaurants
	lines   map[Slot]*line
	results map[string]string // tickets, by idempotency key
	freed   bool              // all restaurants that were opened
	calls   []string
	boards  []string // what the open ones look at
}

// line is the line of one slot, and what was decided for it.
type line struct {
	capacity int
	held     int
	arrived  int64
	book     []Decision
}

// open serves the installation and returns what a rush needs of it.
func (h *installation) open(t *testing.T) Target {
	t.Helper()
	h.results, h.lines = map[string]string{}, map[Slot]*line{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, metricMemory, 1<<20)
		fmt.Fprintln(w, metricConnections, 3)
	})
	mux.HandleFunc("GET /api/wallet", func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer token-") {
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	mux.HandleFunc("POST /api/reservations", h.press)
	mux.HandleFunc("GET /api/tickets/{ticket}/events", h.events)
	mux.HandleFunc("GET /staff/restaurants/{id}/events", h.board)
	h.pages(mux)
	mux.HandleFunc("DELETE /api/tickets/{ticket}", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.note(r)
		if h.answer == nil || !h.answer(h, w, r) {
			mux.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return Target{URLs: []string{server.URL}, Ops: []string{server.URL}, Installation: h}
}

func (h *installation) note(r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls = append(h.calls, r.Method+" "+r.URL.Path+" "+r.Header.Get("Idempotency-Key"))
}

// called is what was asked for with that method, in order.
func (h *installation) called(method string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(h.calls), func(c string) bool { return !strings.HasPrefix(c, method+" ") })
}

func (h *installation) press(w http.ResponseWriter, r *http.Request) {
	ticket := h.enterByJSON(r)
	w.Header().Set("Location", "/api/tickets/"+ticket)
	w.WriteHeader(http.StatusAccepted)
	if arrival, ok := h.Arrival(ticket, ""); ok && h.atOnce != nil && h.atOnce(arrival) {
		_, _ = w.Write(resultOf(ticket))
		return
	}
	fmt.Fprint(w, `{"state":"waiting","position":1,"waitingCount":1,"estimatedSeconds":1}`)
}

func (h *installation) enterByJSON(r *http.Request) string {
	var slot Slot
	if err := json.NewDecoder(r.Body).Decode(&slot); err != nil {
		return ""
	}
	return h.enter(slot, r.Header.Get("Idempotency-Key"))
}

// enter has the diner of a press stand in the line of the slot, once for a key, and decides at once. It returns the
// ticket.
func (h *installation) enter(slot Slot, key string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.results[key] == "" {
		l := h.lines[slot]
		if l == nil {
			l = &line{capacity: h.capacity}
			h.lines[slot] = l
		}
		h.results[key] = h.decideNext(slot, l)
	}
	return h.results[key]
}

// resultOf is the final state of a ticket.
func resultOf(ticket string) []byte {
	said := map[string]string{"ticket": ticket, "state": stateRejected, "code": codeSoldOut}
	if strings.HasPrefix(ticket, "yes-") {
		said = map[string]string{"ticket": ticket, "state": stateReserved, "reservationId": ticket}
	}
	data, _ := json.Marshal(said)
	return data
}

// decideNext decides over the next press for a slot. The ticket says all: yes or no, the number in the line, and of
// which slot.
func (h *installation) decideNext(slot Slot, l *line) string {
	l.arrived++
	wins := l.held+h.party <= l.capacity
	if h.decide != nil {
		wins = h.decide(l, l.arrived)
	}
	ticket := fmt.Sprintf("%d-%d-%s", l.arrived, slot.RestaurantID, slot.Time)
	if !wins {
		return "no-" + ticket
	}
	l.held += h.party
	id := "yes-" + ticket
	if !h.forget {
		l.book = append(l.book, Decision{ReservationID: id, Arrival: l.arrived, At: time.Now()})
	}
	if n := len(l.book); h.swap && n == 2 {
		l.book[0], l.book[1] = l.book[1], l.book[0]
	}
	return id
}

func (h *installation) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "retry: 20\n\nevent: waiting\ndata: {\"estimatedSeconds\":1}\n\n: ping\n\nevent: done\ndata: %s\n\n",
		resultOf(r.PathValue("ticket")))
}

func (h *installation) board(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.boards = append(h.boards, r.URL.Path+" "+r.Header.Get("Authorization")+" "+r.Header.Get("Accept-Language")+" "+
		r.URL.RawQuery)
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	known := err == nil && slices.Contains(h.opened, id)
	h.mu.Unlock()
	if !known {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, "event: evening\ndata: nobody\n\n")
	_ = http.NewResponseController(w).Flush()
	if !h.shut {
		<-r.Context().Done()
	}
}

func (h *installation) Prepare(_ context.Context, o Options) (Stage, error) {
	h.party = o.Party
	var stage Stage
	for i := range o.Restaurants {
		slots, boards := o.Share(i)
		open := Restaurant{ID: int64(7 + i)}
		open.Page = fmt.Sprintf("/restaurants/%d", open.ID)
		for j := range slots {
			open.Slots = append(open.Slots, Slot{open.ID, "2030-01-01", fmt.Sprintf("%02d:%02d", j/4, j%4*15)})
		}
		for j := range boards {
			open.Staff = append(open.Staff, Diner{UserID: "host", Token: fmt.Sprintf("token-host-%d-%d", i, j)})
		}
		stage.Restaurants = append(stage.Restaurants, open)
		h.opened = append(h.opened, open.ID)
	}
	if h.refuse != nil {
		return stage, h.refuse
	}
	for i := range o.Diners {
		stage.Diners = append(stage.Diners, Diner{UserID: strconv.Itoa(i), Token: "token-" + strconv.Itoa(i)})
	}
	return stage, nil
}

func (h *installation) Seats(context.Context, Stage) ([]Seats, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var seats []Seats
	for _, l := range h.lines { // in any order
		seats = append(seats, Seats{Capacity: l.capacity, Held: l.held})
	}
	return seats, nil
}

func (h *installation) Decisions(_ context.Context, slot Slot) ([]Decision, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if l := h.lines[slot]; l != nil {
		return l.book, nil
	}
	return nil, nil
}

func (h *installation) Arrival(ticket, _ string) (int64, bool) {
	_, number, _ := strings.Cut(ticket, "-")
	number, _, _ = strings.Cut(number, "-")
	arrival, err := strconv.ParseInt(number, 10, 64)
	return arrival, err == nil
}

func (h *installation) Free(_ context.Context, s Stage) error {
	var ids []int64
	for _, r := range s.Restaurants {
		ids = append(ids, r.ID)
	}
	h.freed = slices.Equal(ids, h.opened)
	return nil
}

// options of a small rush.
func options(diners, party int) Options {
	return Options{Diners: diners, Restaurants: 1, Slots: 1, Seats: 10, Party: party, Instances: 1,
		Timeout: 10 * time.Second}
}
