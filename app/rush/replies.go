package rush

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// listen reads a stream's events until the answer, or until the server ends it and says when to come back.
func (d *diner) listen(events *stream) (again time.Duration, err error) {
	for {
		e, err := events.next(func() error { return d.conn.expect(silence) })
		if err == io.EOF {
			d.record("stream ended, come back in " + events.retry.String())
			return events.retry, nil
		}
		if err != nil {
			return 0, err
		}
		if last, err := d.client.hear(d, e); last || err != nil {
			return 0, err
		}
	}
}

// maxMoves bounds how many moves of a diner are kept.
const maxMoves = 4096

// noteMove keeps when the diner was shown another position, which follows a mark. Neither the state of a ticket nor a
// page is decoded for that: there are hundreds of thousands.
func (d *diner) noteMove(data []byte, mark string) {
	_, rest, found := bytes.Cut(data, []byte(mark))
	end := bytes.IndexAny(rest, `,}"`)
	if !found || end < 0 || bytes.Equal(rest[:end], d.position) || len(d.answer.Moved) == maxMoves {
		return
	}
	d.position = append(d.position[:0], rest[:end]...)
	d.answer.Moved = append(d.answer.Moved, int32(d.since().Milliseconds()))
}

func (d *diner) conclude(said reply) {
	switch {
	case said.State == stateReserved:
		d.answer.Outcome, d.answer.ReservationID = reserved, said.ReservationID
	case said.Code == codeSoldOut:
		d.answer.Outcome = soldOut
	default:
		d.answer.Outcome, d.answer.Code = other, said.Code
	}
}

// enter begins to follow a ticket.
func (d *diner) enter(ticket string) {
	if d.answer.Ticket == "" {
		d.record("has a ticket")
		d.counters.waiting.Add(1)
	}
	d.answer.Ticket = ticket
}

// comeBack takes in that the server asks to come back later, and returns how long to wait.
func (d *diner) comeBack(response *http.Response) time.Duration {
	again := later(response)
	d.answer.Later++
	d.record(answeredWith(response.StatusCode, again))
	return again
}

// isWrong says whether a status means that the request is wrong, and would stay so.
func isWrong(status int) bool { return status >= 400 && status < 500 }

// isLater says whether the server asks to come back later.
func isLater(r *http.Response) bool {
	return (r.StatusCode == http.StatusServiceUnavailable || r.StatusCode == http.StatusTooManyRequests) &&
		r.Header.Get("Retry-After") != ""
}

// later is how long the server asks to stay away: seconds or a date (RFC 9110, section 10.2.3).
func later(r *http.Response) time.Duration {
	text := r.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil {
		return max(time.Duration(seconds)*time.Second, firstPause)
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(time.Until(at), firstPause)
	}
	return lastPause
}

// maxQuote bounds what an error quotes of an answer.
const maxQuote = 200

// unexpected is an answer outside the contract.
func unexpected(status int, body []byte) error {
	return fmt.Errorf("unexpected answer %d: %s", status, body[:min(len(body), maxQuote)])
}
