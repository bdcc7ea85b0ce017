package e2e_test

import (
	"context"
	"crypto/rand"
	"testing"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// rivals are people in a line whose turn lasts until the test lets it end. They stand in the product's own line, kept
// alive by a node of their own, as if they had pressed at another server.
type rivals struct {
	t    *testing.T
	line *locks.Line
	turn *locks.Turn // of the one whose turn it is
}

// holdLine takes a slot's turn and has so many others wait for theirs.
func (p *product) holdLine(s slot, waiting int) *rivals {
	p.t.Helper()
	return p.holdLineOf(s.line(), waiting)
}

func (p *product) holdLineOf(name locks.Name, waiting int) *rivals {
	p.t.Helper()
	client := locks.NewClient(p.redis, locks.Config{Prefix: "lunchgo:", MaxHold: 5 * time.Minute,
		Lease: time.Minute, ClaimWindow: time.Minute, TTL: time.Minute}) // a machine that stalls ends no turn of theirs
	p.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		dbtest.Must(p.t, client.Close(ctx))
	})
	r := &rivals{t: p.t, line: client.Line(name)}
	r.join(1 + waiting)
	r.next()
	return r
}

// join has further rivals stand at the end of the line.
func (r *rivals) join(n int) {
	r.t.Helper()
	for range n {
		_, err := r.line.Enter(r.t.Context(), locks.Entry{Ticket: "rival-" + rand.Text()})
		dbtest.Must(r.t, err)
	}
}

// next waits for the turn of the next rival.
func (r *rivals) next() {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	var err error
	r.turn, err = r.line.Next(ctx)
	dbtest.Must(r.t, err)
}

// leave ends the turn: the line moves by one.
func (r *rivals) leave() {
	r.t.Helper()
	dbtest.Must(r.t, r.turn.Release(r.t.Context(), 1))
}
