package rush

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// reply is what the answers of the API to a press have in common, and the data of a ticket's events.
type reply struct {
	ID               string `json:"id"` // of the reservation, where the answer is one
	State            string `json:"state"`
	Code             string `json:"code"`
	Ticket           string `json:"ticket"`
	ReservationID    string `json:"reservationId"`
	EstimatedSeconds *int   `json:"estimatedSeconds"`
}

// Words of the API's contract.
const (
	codeSoldOut   = "sold_out"
	stateReserved = "reserved"
	stateRejected = "rejected"
	stateLeft     = "left"
	eventDone     = "done"
)

// isFinal says whether a ticket in that state has its result.
func (r reply) isFinal() bool {
	return r.State == stateReserved || r.State == stateRejected || r.State == stateLeft
}

// read takes in an answer that is not a stream, and returns how long to wait before the next step. An answer outside
// the contract is an error; one that says that the request is wrong ends the diner's wait too, since it would stay
// wrong.
func (d *diner) read(response *http.Response, body []byte) (again time.Duration, err error) {
	status := response.StatusCode
	var said reply
	if err := json.Unmarshal(body, &said); err != nil && !isLater(response) {
		return 0, unexpected(status, body)
	}
	d.noteMove(body)
	switch {
	case status == http.StatusCreated && said.ID != "":
		d.answer.Outcome, d.answer.ReservationID = reserved, said.ID
	case status == http.StatusAccepted:
		return 0, d.admit(ticketIn(response.Header.Get("Location")), said)
	case status == http.StatusTooManyRequests && said.Ticket != "":
		return 0, d.admit(said.Ticket, said)
	case status == http.StatusConflict && said.Code == codeSoldOut:
		d.answer.Outcome = soldOut
	case said.Code == CodeBusy:
		return d.giveWay(), nil
	case isLater(response):
		again = later(response)
		d.answer.Later++
		d.record(answeredWith(status, again))
		return again, nil
	default:
		if status >= 400 && status < 500 {
			d.answer.Outcome, d.answer.Code = other, said.Code
		}
		return 0, unexpected(status, body)
	}
	return 0, nil
}

// admit begins to follow a ticket. Where the press was answered with the ticket's result, that is the diner's answer,
// and there is nothing to follow.
func (d *diner) admit(ticket string, said reply) error {
	if ticket == "" {
		return errNoTicket
	}
	d.answer.Ticket = ticket
	if said.isFinal() {
		d.record("has the result at once")
		d.answer.AtOnce = true
		d.conclude(said)
		return nil
	}
	d.record("has a ticket")
	d.counters.waiting.Add(1)
	d.noteEstimate(said)
	return nil
}

func (d *diner) noteEstimate(said reply) {
	if said.EstimatedSeconds != nil && !d.answer.Estimated {
		d.answer.Waited = -d.since() // the answer's time is added to it
		d.answer.Estimate, d.answer.Estimated = time.Duration(*said.EstimatedSeconds)*time.Second, true
	}
}

// listen reads a ticket's events until the answer, or until the server ends the stream and says when to come back.
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
		if e.name != eventDone {
			d.noteMove(e.data)
		}
		if e.name != eventDone && d.answer.Estimated {
			continue // of those on the way only the first is read in full: there are tens of thousands
		}
		var said reply
		if err := json.Unmarshal(e.data, &said); err != nil {
			return 0, fmt.Errorf("an event that is no JSON: %w", err)
		}
		if e.name == eventDone {
			d.conclude(said)
			return 0, nil
		}
		d.noteEstimate(said)
	}
}

// maxMoves bounds how many moves of a diner are kept.
const maxMoves = 4096

// noteMove keeps when the diner was shown another position. The state of a ticket is not decoded for that: there are
// hundreds of thousands.
func (d *diner) noteMove(data []byte) {
	_, rest, found := bytes.Cut(data, []byte(`"position":`))
	end := bytes.IndexAny(rest, ",}")
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

// ticketIn is the ticket in the path of a Location, as it stands there.
func ticketIn(location string) string {
	_, ticket, _ := strings.Cut(location, "/api/tickets/")
	return ticket
}

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
