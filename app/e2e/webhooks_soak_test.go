package e2e_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"lunchgo/app/seed"
)

// arrivals counts how often each message came to a restaurant's program.
type arrivals struct {
	mu    sync.Mutex
	times map[string]int
	first chan struct{} // closed when so many different ones have come
	want  int
}

func (a *arrivals) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.times[r.Header.Get("webhook-id")]++
	if len(a.times) == a.want && a.times[r.Header.Get("webhook-id")] == 1 {
		close(a.first)
	}
	a.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

// repeats returns how many messages came, and how many requests were more than one for each.
func (a *arrivals) repeats() (messages, repeats int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, n := range a.times {
		repeats += n - 1
	}
	return len(a.times), repeats
}

// TestSoak_WebhookSenderKilled has two instances send to a quick program and to one that hangs, a thousand events each,
// and kills one of them in the middle. The quick program gets all of its own, whatever waits for the other one.
func TestSoak_WebhookSenderKilled(t *testing.T) {
	skipUnlessSoak(t)
	const events = 1000
	p := newProduct(t, "WEBHOOK_PRIVATE_NETWORKS=true")
	other := p.beside()
	quick := &arrivals{times: map[string]int{}, first: make(chan struct{}), want: events / 3}
	release := make(chan struct{})
	servers := map[string]*httptest.Server{
		"quick": httptest.NewServer(quick),
		"slow":  httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release })),
	}
	t.Cleanup(func() {
		close(release)
		for _, server := range servers {
			server.Close()
		}
	})
	owner := p.account(seed.StaffEmail)
	restaurant := p.number(`SELECT m.restaurant_id FROM staff_members m JOIN users u ON u.id = m.user_id
		WHERE u.email = $1 AND m.role = 'owner' ORDER BY 1 LIMIT 1`, seed.StaffEmail)
	ids := map[string]string{}
	for name, server := range servers {
		var made struct{ ID string }
		owner.call(http.MethodPost, fmt.Sprintf("/api/staff/restaurants/%d/webhooks", restaurant), http.StatusCreated,
			body{"url": server.URL, "types": []string{"lunchgo.slot.closed"}}, &made)
		ids[name] = made.ID
	}
	began := time.Now()
	for _, name := range []string{"slow", "quick"} {
		p.number(`
			WITH added AS (
				INSERT INTO webhook_deliveries (endpoint_id, message_id, type, at, data)
				SELECT $1, 'evt_' || n, 'lunchgo.slot.closed', now(), '{}' FROM generate_series(1, $2::int) n
				RETURNING id
			)
			SELECT count(*) FROM added`, ids[name], events)
	}
	<-quick.first
	killed := time.Since(began)
	p.kill()
	delivered := func() int64 {
		return other.number(`SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'delivered'`,
			ids["quick"])
	}
	var most time.Duration
	for deadline := time.Now().Add(3 * time.Minute); delivered() < events &&
		time.Now().Before(deadline); most = time.Since(began) {
		<-time.After(lookEvery)
	}
	messages, repeats := quick.repeats()
	if n := delivered(); n != events || messages != events || repeats > 8 {
		t.Errorf("%d of %d are delivered, %d arrived, %d of them again", n, events, messages, repeats)
	}
	t.Logf("%d events in %s, one of two senders killed after %s: all arrived, %d twice; %d wait for the one that hangs",
		events,
		most.Round(time.Second), killed.Round(100*time.Millisecond), repeats,
		other.number(`SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'waiting'`,
			ids["slow"]))
}
