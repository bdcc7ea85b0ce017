package waiting

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"lunchgo/locks"
)

// ListedTicket is somebody who waits in a line, as those see it who run the line.
type ListedTicket struct {
	ID       string // names the ticket for them; nobody can use it as the ticket
	Request  Request
	Arrival  int64
	Position int // 1 is next; 0 while it is being served
	Since    time.Time
	ticket   string
}

// Serving returns whether the turn of it has begun.
func (s ListedTicket) Serving() bool { return s.Position == 0 }

// listedID names a ticket by its arrival number and a hash: it does not tell the ticket.
func listedID(arrival int64, ticket string) string {
	const hashed = 8 // bytes
	sum := sha256.Sum256([]byte("standing " + ticket))
	return strconv.FormatInt(arrival, 36) + "-" + hex.EncodeToString(sum[:hashed])
}

func newListedTicket(s locks.ListedTicket) ListedTicket {
	known := ListedTicket{ID: listedID(s.Arrival, s.Ticket), Arrival: s.Arrival, Position: s.Position, ticket: s.Ticket}
	_ = json.Unmarshal([]byte(s.Work), &known.Request) // of whom nothing can be read still stands there
	known.Since = time.UnixMicro(s.Arrival)
	if known.Request.Since > 0 {
		known.Since = time.UnixMilli(known.Request.Since)
	}
	return known
}

// ListTickets returns up to n of those who wait in a line, in order, in all processes, from the first whose arrival
// number is above after; from the start, 0, with those who are being served. Who has a drawn place is left out until the
// line opens, also when staff have chosen another order meanwhile: nobody is to know the drawn one before, let alone to
// change it.
func (r *Room) ListTickets(ctx context.Context, line locks.Name, after int64, n int) ([]ListedTicket, error) {
	read, err := r.lines.Line(line).List(ctx, after, n)
	listed := make([]ListedTicket, 0, len(read))
	for _, s := range read {
		if ticket := newListedTicket(s); !r.isDrawn(ctx, line, ticket) {
			listed = append(listed, ticket)
		}
	}
	return listed, err
}

// isDrawn says whether somebody has a drawn place in a line that has not opened yet, alone or joined with others.
func (r *Room) isDrawn(ctx context.Context, line locks.Name, s ListedTicket) bool {
	shut := func(line locks.Name) bool {
		_, ahead := r.handler.Steering(ctx, line).Opens(time.Now())
		return ahead
	}
	return s.Arrival < locks.LotsBelow && (shut(line) || s.Request.Line != line && shut(s.Request.Line))
}

// FindListed finds somebody who waits in a line by their ListedTicket.ID. Returns ErrUnknownTicket if nobody does, and
// locks.ErrServing once the turn has begun.
func (r *Room) FindListed(ctx context.Context, line locks.Name, id string) (ListedTicket, error) {
	number, _, _ := strings.Cut(id, "-")
	arrival, err := strconv.ParseInt(number, 36, 64)
	if err != nil || arrival < 1 {
		return ListedTicket{}, ErrUnknownTicket
	}
	for _, after := range []int64{arrival - 1, 0} { // the second shows those who are being served
		listed, err := r.ListTickets(ctx, line, after, 1)
		if err != nil {
			return ListedTicket{}, err
		}
		for _, s := range listed {
			if s.ID == id && s.Serving() {
				return s, locks.ErrServing
			} else if s.ID == id {
				return s, nil
			}
		}
	}
	return ListedTicket{}, ErrUnknownTicket
}

// Remove takes somebody out of a line for good, whom FindListed found, and tells them why. Returns locks.ErrServing
// once the turn has begun.
func (r *Room) Remove(ctx context.Context, s ListedTicket, reason string) error {
	result := Refused(&RemovedError{Reason: reason})
	return r.leave(ctx, s.Request.Line, ticketResult{s.ticket, s.Request, s.Arrival, result})
}

// EndTurn ends the present turn of a line by force, whichever process has it: turn is who is being served. They stand
// in line again where a live process knows of them, and the next is served.
func (r *Room) EndTurn(ctx context.Context, line locks.Name, turn ListedTicket) error {
	if turn.Request.Line.Partition == line.Partition {
		line = turn.Request.Line // joined with others, all of them
	}
	_, err := r.lines.Line(line).Evict(ctx)
	return err
}
