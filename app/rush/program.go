package rush

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// program speaks for a diner by the JSON API.
type program struct{}

// reply is what the answers of the API to a press have in common, and the data of a ticket's events.
type reply struct {
	ID               string `json:"id"` // of the reservation, where the answer is one
	State            string `json:"state"`
	Code             string `json:"code"`
	Ticket           string `json:"ticket"`
	ReservationID    string `json:"reservationId"`
	EstimatedSeconds *int   `json:"estimatedSeconds"`
	EstimatedLow     *int   `json:"estimatedSecondsLow"`
	EstimatedHigh    *int   `json:"estimatedSecondsHigh"`
}

// Words of the API's contract.
const (
	codeSoldOut   = "sold_out"
	stateReserved = "reserved"
	stateRejected = "rejected"
	stateLeft     = "left"
	positionKey   = `"position":`
)

// isFinal says whether a ticket in that state has its result.
func (r reply) isFinal() bool {
	return r.State == stateReserved || r.State == stateRejected || r.State == stateLeft
}

func (program) header(d *diner) http.Header {
	return http.Header{"Authorization": {"Bearer " + d.token}, "User-Agent": {"lunchgo-rush"}}
}

// greeting asks for something light.
func (program) greeting(*diner) request { return request{http.MethodGet, "/healthz", nil, nil} }

func (program) greeted(*diner, *http.Response, []byte) error { return nil }

func (p program) press(d *diner) request {
	header := p.header(d)
	header.Set("Content-Type", "application/json")
	header.Set("Idempotency-Key", d.key)
	header.Set("Prefer", "respond-async")
	return request{http.MethodPost, "/api/reservations", header, d.draft.json()}
}

func (p program) follow(d *diner) request {
	header := p.header(d)
	header.Set("Accept", "text/event-stream")
	return request{http.MethodGet, "/api/tickets/" + d.answer.Ticket + "/events", header, nil}
}

// read takes in an answer that is not a stream, and returns how long to wait before the next step. An answer outside
// the contract is an error; one that says that the request is wrong ends the diner's wait too, since it would stay
// wrong.
func (p program) read(d *diner, response *http.Response, body []byte) (again time.Duration, err error) {
	status := response.StatusCode
	var said reply
	if err := json.Unmarshal(body, &said); err != nil && !isLater(response) {
		return 0, unexpected(status, body)
	}
	d.noteMove(body, positionKey)
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
		return d.comeBack(response), nil
	default:
		if isWrong(status) {
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
	if said.isFinal() {
		d.record("has the result at once")
		d.answer.Ticket, d.answer.AtOnce = ticket, true
		d.conclude(said)
		return nil
	}
	d.enter(ticket)
	d.noteEstimate(said)
	return nil
}

func (d *diner) noteEstimate(said reply) {
	if said.EstimatedSeconds != nil && !d.answer.Estimated {
		d.answer.Waited = -d.since() // the answer's time is added to it
		d.answer.Estimate, d.answer.Estimated = time.Duration(*said.EstimatedSeconds)*time.Second, true
		if said.EstimatedLow != nil && said.EstimatedHigh != nil {
			d.answer.Low = time.Duration(*said.EstimatedLow) * time.Second
			d.answer.High = time.Duration(*said.EstimatedHigh) * time.Second
		}
	}
}

// hear takes in an event of a ticket.
func (program) hear(d *diner, e event) (last bool, err error) {
	if e.name != eventDone {
		d.noteMove(e.data, positionKey)
	}
	if e.name != eventDone && d.answer.Estimated {
		return false, nil // of those on the way only the first is read in full: there are tens of thousands
	}
	var said reply
	if err := json.Unmarshal(e.data, &said); err != nil {
		return false, fmt.Errorf("an event that is no JSON: %w", err)
	}
	if e.name == eventDone {
		d.conclude(said)
		return true, nil
	}
	d.noteEstimate(said)
	return false, nil
}

// ticketIn is the ticket in the path of a Location, as it stands there.
func ticketIn(location string) string {
	_, ticket, _ := strings.Cut(location, "/api/tickets/")
	return ticket
}
