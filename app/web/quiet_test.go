package web_test

import (
	"bytes"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/tables"
	"lunchgo/views"
)

// tap passes on what goes to a database, and counts it.
type tap struct {
	sent atomic.Int64 // bytes to the database
	busy sync.WaitGroup
	mu   sync.Mutex
	last bytes.Buffer // what was sent since forget, to be named
}

// forget forgets what was sent.
func (p *tap) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last.Reset()
}

// texts are the statements and parameters that were sent since forget, among PostgreSQL's own signs.
func (p *tap) texts() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return ' '
		}
		return r
	}, p.last.String())
}

// open listens in front of a database and returns the address to use instead.
func (p *tap) open(t *testing.T, database string) string {
	t.Helper()
	u, err := url.Parse(database)
	dbtest.Must(t, err)
	target := u.Host
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	dbtest.Must(t, err)
	t.Cleanup(func() {
		listener.Close()
		p.busy.Wait()
	})
	p.busy.Go(func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			p.busy.Go(func() { p.connect(near, target) })
		}
	})
	u.Host = listener.Addr().String()
	return u.String()
}

func (p *tap) connect(near net.Conn, target string) {
	defer near.Close()
	far, err := net.Dial("tcp", target)
	if err != nil {
		return
	}
	p.busy.Go(func() {
		defer near.Close()
		_, _ = io.Copy(near, far)
	})
	defer far.Close()
	_, _ = io.Copy(io.MultiWriter(far, countBytes{p}), near)
}

type countBytes struct{ *tap }

func (c countBytes) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last.Write(b)
	c.sent.Add(int64(len(b)))
	return len(b), nil
}

// settled is how much was sent once nothing more follows on what was asked before.
func (p *tap) settled() int64 { return p.quietFor(200 * time.Millisecond) }

// quietFor waits until nothing is sent for a while, and returns how much was sent so far.
func (p *tap) quietFor(while time.Duration) int64 {
	for {
		sent := p.sent.Load()
		<-time.After(while)
		if p.sent.Load() == sent {
			return sent
		}
	}
}

// What a rush is made of asks the database nothing: pressing, the page of the line, its stream and a reload.
func TestLine_AsksNoDatabase(t *testing.T) {
	t.Parallel()
	queries := &tap{}
	h := newHarness(t, func(h *harness) { h.setup.Database = queries.open(t, tables.Database(t)) })
	slot := h.slot("19:00")
	release := h.rival(slot)
	b, ahead := h.signedIn(50_000), h.signedIn(50_000)
	ahead.press(slot).must(303)
	form := b.open(views.BookURL("haru", h.start(slot), 2)).form("/restaurants/haru/reservations")
	before := queries.settled()
	if before == 0 {
		t.Fatal("the tap sees nothing")
	}

	pressed := b.post("/restaurants/haru/reservations", form).must(303)
	b.get(pressed.location()).must(200, "Your place now", "김손님")
	ticket, _, _ := strings.Cut(strings.TrimPrefix(pressed.location(), h.URL+"/tickets/"), "?")
	events := b.stream(t.Context(), views.TicketEventsURL(ticket, 2))
	await(t, events, "waiting", "<strong>2</strong>")
	form.Set("party", "0")
	b.post("/restaurants/haru/reservations", form).must(422)
	b.get(pressed.location()).must(200)
	if asked := queries.sent.Load() - before; asked != 0 {
		t.Errorf("%d bytes went to the database", asked)
	}
	release()
	await(t, events, "done", "")
	if queries.sent.Load() == before {
		t.Error("a reservation was made without the database")
	}
}
