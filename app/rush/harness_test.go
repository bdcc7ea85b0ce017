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
	capacity int
	// true: it has answered instead of the installation
	answer func(h *installation, w http.ResponseWriter, r *http.Request) bool
	decide func(h *installation, arrival int64) bool // instead of: while seats are left
	forget bool                                      // what was promised is not written down
	shut   bool                                      // boards end at once
	// the second is written down before the first
	swap bool
	// whose press is answered with the result at once; nil: nobody's
	atOnce func(arrival int64) bool

	mu      sync.Mutex
	party   int
	held    int
	arrived int64
	results map[string]string // by idempotency key
	book    []Decision
	freed   bool
	calls   []string
	boards  []string // what the open ones look at
}

// open serves the installation and returns what a rush needs of it.
func (h *installation) open(t *testing.T) Target {
	t.Helper()
	h.results = map[string]string{}
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
	mux.HandleFunc("GET /staff/restaurants/7/events", h.board)
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
	h.mu.Lock()
	defer h.mu.Unlock()
	key := r.Header.Get("Idempotency-Key")
	if h.results[key] == "" {
		h.arrived++
		h.results[key] = h.outcome(h.arrived)
	}
	w.Header().Set("Location", "/api/tickets/"+h.results[key])
	w.WriteHeader(http.StatusAccepted)
	if h.atOnce != nil {
		if arrival, ok := h.Arrival(h.results[key], ""); ok && h.atOnce(arrival) {
			_, _ = w.Write(resultOf(h.results[key]))
			return
		}
	}
	fmt.Fprint(w, `{"state":"waiting","position":1,"waitingCount":1,"estimatedSeconds":1}`)
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

// outcome decides over a press; the ticket says it all.
func (h *installation) outcome(arrival int64) string {
	wins := h.held+h.party <= h.capacity
	if h.decide != nil {
		wins = h.decide(h, arrival)
	}
	if !wins {
		return fmt.Sprintf("no-%d", arrival)
	}
	h.held += h.party
	id := fmt.Sprintf("yes-%d", arrival)
	if !h.forget {
		h.book = append(h.book, Decision{ReservationID: id, Arrival: arrival, At: time.Now()})
	}
	if n := len(h.book); h.swap && n == 2 {
		h.book[0], h.book[1] = h.book[1], h.book[0]
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
	h.boards = append(h.boards, r.Header.Get("Authorization")+" "+r.Header.Get("Accept-Language")+" "+r.URL.RawQuery)
	h.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, "event: evening\ndata: nobody\n\n")
	_ = http.NewResponseController(w).Flush()
	if !h.shut {
		<-r.Context().Done()
	}
}

func (h *installation) Prepare(_ context.Context, o Options) (Stage, error) {
	h.party = o.Party
	stage := Stage{RestaurantID: 7, Slots: []Slot{{"2030-01-01", "12:00"}}}
	for i := range o.Diners {
		stage.Diners = append(stage.Diners, Diner{UserID: strconv.Itoa(i), Token: "token-" + strconv.Itoa(i)})
	}
	for i := range o.Boards {
		stage.Staff = append(stage.Staff, Diner{UserID: "host", Token: "token-host-" + strconv.Itoa(i)})
	}
	return stage, nil
}

func (h *installation) Seats(context.Context, Stage) ([]Seats, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return []Seats{{Capacity: h.capacity, Held: h.held}}, nil
}

func (h *installation) Decisions(context.Context, Stage, Slot) ([]Decision, error) {
	return h.book, nil
}

func (h *installation) Arrival(ticket, _ string) (int64, bool) {
	_, number, _ := strings.Cut(ticket, "-")
	arrival, err := strconv.ParseInt(number, 10, 64)
	return arrival, err == nil
}

func (h *installation) Free(context.Context, Stage) error {
	h.freed = true
	return nil
}

// options of a small rush.
func options(diners, party int) Options {
	return Options{Diners: diners, Slots: 1, Seats: 10, Party: party, Instances: 1, Timeout: 10 * time.Second}
}
