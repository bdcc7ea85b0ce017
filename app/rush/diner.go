package rush

import (
	"context"
	"net/http"
	"time"
)

// outcome is the kind of a diner's final answer.
type outcome int

const (
	unanswered outcome = iota
	reserved
	soldOut
	other // an end that is neither: the rush has failed them
)

// answer is what became of one diner.
type answer struct {
	userID        string
	slot          int    // index in the stage
	ticket        string // empty for an answer without a wait
	outcome       outcome
	code          string // why, for other
	reservationID string
	took          time.Duration // from the press to the answer

	estimated bool          // a time was named
	estimate  time.Duration // the first that was
	waited    time.Duration // from then to the answer
}

// diner presses once and holds on until there is an answer, as a browser with the waiting page open does: a stream that
// breaks is opened again, a server that asks to come back later is obeyed, always with the same idempotency key.
type diner struct {
	token       string
	key         string // idempotency key
	body        []byte // of the request
	servers     []server
	at          int // index of the server in use
	conn        *connection
	press       []byte // the press as it goes to that server
	counters    *counters
	estimatedAt time.Time // when the first estimate came
	answer      answer
}

// Pauses after something went wrong; they double with each failure in a row.
const (
	firstPause = 250 * time.Millisecond
	lastPause  = 4 * time.Second
)

// run holds on from the press to the answer, or until ctx ends.
func (d *diner) run(ctx context.Context, pressed time.Time) {
	pause := firstPause
	for d.answer.outcome == unanswered && ctx.Err() == nil {
		again, err := d.step(ctx)
		if err == nil {
			pause = firstPause
		} else if ctx.Err() == nil {
			d.counters.note(err)
			d.close()
			d.at, d.press = (d.at+1)%len(d.servers), nil // as behind a load balancer
			again, pause = pause, min(2*pause, lastPause)
		}
		if d.answer.outcome == unanswered && again > 0 {
			wait(ctx, again)
		}
	}
	now := time.Now()
	if d.answer.outcome != unanswered {
		d.answer.took = now.Sub(pressed)
		d.answer.waited = now.Sub(d.estimatedAt)
	}
	d.counters.close(d.answer)
}

// step presses, or follows the ticket once there is one. It returns how long to wait before the next step.
func (d *diner) step(ctx context.Context) (again time.Duration, err error) {
	if d.conn == nil {
		if d.conn, err = dial(ctx, d.servers[d.at]); err != nil {
			return 0, err
		}
	}
	if d.answer.ticket != "" {
		return d.follow()
	}
	if err := d.dial(); err != nil {
		return 0, err
	}
	response, body, usable, err := d.conn.ask(d.press)
	if err != nil {
		return 0, err
	}
	if !usable {
		d.close()
	}
	return d.read(response, body)
}

// dial encodes the press for the server in use, where that is not done yet.
func (d *diner) dial() (err error) {
	if d.press == nil {
		d.press, err = encode(http.MethodPost, d.servers[d.at].base+"/api/reservations", d.token, d.body, http.Header{
			"Content-Type":    {"application/json"},
			"Idempotency-Key": {d.key},
			"Prefer":          {"respond-async"},
		})
	}
	return err
}

// follow opens the ticket's stream and reads it until the answer, or until the server ends it.
func (d *diner) follow() (again time.Duration, err error) {
	request, err := encode(http.MethodGet, d.ticketURL()+"/events", d.token, nil, http.Header{"Accept": {"text/event-stream"}})
	if err != nil {
		return 0, err
	}
	response, err := d.conn.send(request)
	if err != nil {
		return 0, err
	}
	defer d.close() // what is left of a stream cannot be skipped
	if response.StatusCode != http.StatusOK {
		body, err := readBody(response)
		if err != nil {
			return 0, err
		}
		return d.read(response, body)
	}
	return d.listen(newStream(response.Body))
}

func (d *diner) ticketURL() string { return d.servers[d.at].base + "/api/tickets/" + d.answer.ticket }

// leave takes a diner who is still waiting out of the line, so that no turn comes to somebody who is gone. Where that
// fails, the server sends the ticket home itself after a while.
func (d *diner) leave(ctx context.Context) {
	if d.answer.outcome != unanswered || d.answer.ticket == "" {
		return
	}
	request, err := encode(http.MethodDelete, d.ticketURL(), d.token, nil, nil)
	if err != nil {
		return
	}
	d.close() // it may be in the middle of a stream
	if d.conn, err = dial(ctx, d.servers[d.at]); err == nil {
		_, _, _, _ = d.conn.ask(request)
		d.close()
	}
}

func (d *diner) close() {
	if d.conn != nil {
		d.conn.close()
		d.conn = nil
	}
}

// wait returns after d, or when ctx ends.
func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
