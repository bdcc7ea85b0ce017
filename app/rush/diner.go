package rush

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
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

// answer is what became of one diner. Times count from the moment of the rush. It travels as JSON from the process of
// the diner to that of the report.
type answer struct {
	UserID        string
	Slot          int    // index in the stage
	Ticket        string // empty for an answer that names none
	AtOnce        bool   // the press was answered with the result: the diner followed no ticket
	Outcome       outcome
	Code          string // why, for other
	ReservationID string
	Due           time.Duration // when the press was to go out
	Answered      time.Duration // when the answer was there

	Estimated bool          // a time was named
	Estimate  time.Duration // the first that was
	Low, High time.Duration // the range that was named with it; 0: none was
	Waited    time.Duration // from then to the answer

	Sent time.Duration // when the press was about to go out for the first time
	// when the head of the answer was read that gave a place in the line, or the result; 0: none did
	Placed time.Duration
	Moved  []int32 // when the diner was shown another position, in ms
	Later  int     // answers that asked to come back later
	Errors int     // broken connections, and answers outside the contract
	Trace  trace   // what happened, of those who got no answer and of those with errors
}

// diner presses once and holds on until there is an answer, as a browser with the waiting page open does: a stream that
// breaks is opened again, a server that asks to come back later is obeyed, always with the same idempotency key.
type diner struct {
	client   client
	draft    draft
	token    string
	key      string // idempotency key
	servers  []server
	at       int    // index of the server in use
	source   string // address to connect from; empty: any
	conn     *connection
	press    []byte // the press as it goes to that server, where it is encoded
	counters *counters
	pressed  time.Time // the moment of the rush; on the machine's clock in step with other processes'
	position []byte    // the one that was shown last, as it was written
	trace    trace
	retry    Retry
	retried  int
	answer   answer
}

// Pauses after something went wrong; they double with each failure in a row.
const (
	firstPause = 250 * time.Millisecond
	lastPause  = 4 * time.Second
)

// followed says whether the diner stood in a line and followed the ticket.
func (a answer) followed() bool { return a.Ticket != "" && !a.AtOnce }

// took is how long the diner waited for the answer, from the moment at which the press was to go out. So a press that
// goes out late, because the machine is busy, takes longer.
func (a answer) took() time.Duration { return a.Answered - a.Due }

// since is the time since the moment of the rush.
func (d *diner) since() time.Duration { return time.Since(d.pressed) }

func (d *diner) record(what string) { d.trace.add(d.since(), what) }

// run holds on from the press to the answer, or until ctx ends.
func (d *diner) run(ctx context.Context) {
	wait(ctx, d.answer.Due-d.since())
	pause := firstPause
	for d.answer.Outcome == unanswered && ctx.Err() == nil {
		again, err := d.step(ctx)
		if err == nil {
			pause = firstPause
		} else if ctx.Err() == nil {
			d.noteFailure(err)
			d.close()
			d.at, d.press = (d.at+1)%len(d.servers), nil // as behind a load balancer
			again, pause = pause, min(2*pause, lastPause)
		}
		if d.answer.Outcome == unanswered && again > 0 {
			wait(ctx, again)
		}
	}
	if d.answer.Outcome != unanswered {
		d.answer.Answered = d.since()
		d.answer.Waited += d.answer.Answered
	}
	if d.answer.Errors > 0 || d.answer.Outcome == unanswered || d.answer.Outcome == other {
		d.answer.Trace = d.trace
	}
	d.trace = nil
	d.counters.close(d.answer)
}

func (d *diner) noteFailure(err error) {
	d.answer.Errors++
	d.record("error: " + err.Error())
	d.counters.note(err)
}

// step presses, or follows the ticket once there is one. It returns how long to wait before the next step.
func (d *diner) step(ctx context.Context) (again time.Duration, err error) {
	if d.conn == nil {
		if d.conn, err = dial(ctx, d.servers[d.at], d.source); err != nil {
			return 0, err
		}
		d.record("connected from " + d.conn.conn.LocalAddr().String())
	}
	if d.answer.Ticket != "" || d.answer.ReservationID != "" {
		return d.follow()
	}
	if err := d.encodePress(); err != nil {
		return 0, err
	}
	d.record("pressed")
	if d.answer.Sent == 0 {
		d.answer.Sent = max(d.since(), 1)
	}
	response, err := d.conn.send(d.press)
	if err != nil {
		return 0, err
	}
	began := d.since()
	again, err = d.take(response)
	if d.answer.Ticket != "" || d.answer.ReservationID != "" || d.answer.Outcome == soldOut {
		d.answer.Placed = began
	}
	return again, err
}

// take reads an answer that is not a stream, and returns how long to wait before the next step.
func (d *diner) take(response *http.Response) (again time.Duration, err error) {
	body, usable, err := readAll(response)
	if err != nil {
		return 0, err
	}
	if !usable {
		d.close()
	}
	return d.client.read(d, response, body)
}

// encodePress encodes the press for the server in use, where that is not done yet.
func (d *diner) encodePress() (err error) {
	if d.press == nil {
		d.press, err = d.encode(d.client.press(d))
	}
	return err
}

func (d *diner) encode(r request) ([]byte, error) {
	return encode(r.method, d.servers[d.at].base+r.path, "", r.body, r.header)
}

// follow asks for what comes after the press, and reads it: a page, or a stream until the answer or until the server
// ends it.
func (d *diner) follow() (again time.Duration, err error) {
	request, err := d.encode(d.client.follow(d))
	if err != nil {
		return 0, err
	}
	d.record("follows")
	response, err := d.conn.send(request)
	if err != nil {
		return 0, err
	}
	if response.StatusCode != http.StatusOK || !isStream(response) {
		return d.take(response)
	}
	defer d.close() // what is left of a stream cannot be skipped
	d.record("stream is open")
	return d.listen(newStream(response.Body))
}

func isStream(response *http.Response) bool {
	return strings.HasPrefix(response.Header.Get("Content-Type"), eventStream)
}

func (d *diner) ticketURL() string { return d.servers[d.at].base + "/api/tickets/" + d.answer.Ticket }

// leave takes a diner who is still waiting out of the line, so that no turn comes to somebody who is gone. Where that
// fails, the ticket ends by itself when its longest wait is over.
func (d *diner) leave(ctx context.Context) {
	if d.answer.Outcome != unanswered || d.answer.Ticket == "" {
		return
	}
	request, err := encode(http.MethodDelete, d.ticketURL(), d.token, nil, nil)
	if err != nil {
		return
	}
	d.close() // it may be in the middle of a stream
	if d.conn, err = dial(ctx, d.servers[d.at], d.source); err == nil {
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
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// errNoTicket says that a press was accepted without a ticket.
var errNoTicket = errors.New("a press was accepted without a ticket")

func answeredWith(status int, later time.Duration) string {
	return fmt.Sprintf("answer %d, come back in %s", status, later)
}
