package waiting

import (
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/group"
)

// readCall is the reading of a person's records under way. Records and err are set when done closes.
type readCall struct {
	key     string
	done    chan struct{}
	records map[string]string
	err     error
}

// records returns the texts of a person's records by ticket.
func (t *ticketStore) records(ctx context.Context, userID string) (map[string]string, error) {
	c := &readCall{key: t.key(userID), done: make(chan struct{})}
	t.readings.Do(c)
	select {
	case <-c.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c.err != nil {
		return nil, fmt.Errorf("waiting: read tickets: %w", c.err)
	}
	return c.records, nil
}

// sendReadings reads the records of many people in one round trip.
func (t *ticketStore) sendReadings(calls []*readCall) {
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	answers := make([]*redis.MapStringStringCmd, len(calls))
	group.Pipeline(ctx, t.rdb, func(pipe redis.Pipeliner) {
		for i, c := range calls {
			answers[i] = pipe.HGetAll(ctx, c.key)
		}
	})
	for i, c := range calls {
		c.records, c.err = answers[i].Result()
		close(c.done)
	}
}

// findByKey returns the ticket of a person's request in a line by its idempotency key; empty if there is none.
func (t *ticketStore) findByKey(ctx context.Context, req Request) (ticket string, err error) {
	tickets, err := t.list(ctx, req.UserID)
	for _, rec := range tickets {
		if rec.Request.Line == req.Line && rec.Request.IdempotencyKey == req.IdempotencyKey {
			ticket = rec.Ticket
		}
	}
	return ticket, err
}

// find returns the record of a ticket. Returns ErrUnknownTicket, or ErrUnavailable for a ticket that is too young for its
// record to have expired: Redis refused or lost it, and the process where the ticket waits will store it again.
func (t *ticketStore) find(ctx context.Context, token Token) (storedTicket, error) {
	records, err := t.records(ctx, token.UserID)
	if err != nil {
		return storedTicket{}, err
	}
	text, ok := records[token.Ticket]
	switch {
	case !ok && isYounger(token.Ticket, t.repeats):
		return storedTicket{}, ErrUnavailable
	case !ok:
		return storedTicket{}, ErrUnknownTicket
	}
	return readRecord(token.UserID, token.Ticket, text)
}

// list returns the tickets of a person, the oldest first, those that are settled among them. A record that cannot be
// read is passed over.
func (t *ticketStore) list(ctx context.Context, userID string) ([]storedTicket, error) {
	records, err := t.records(ctx, userID)
	var tickets []storedTicket
	for ticket, text := range records {
		if rec, err := readRecord(userID, ticket, text); err == nil {
			tickets = append(tickets, rec)
		}
	}
	slices.SortFunc(tickets, func(a, b storedTicket) int { return a.At.Compare(b.At) })
	return tickets, err
}
