package waiting

import (
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/group"
)

// readCall is the reading of a person's records under way. Records, kept and err are set when done closes.
type readCall struct {
	key       string
	asksEpoch bool // since when the server has kept its data is wanted too
	done      chan struct{}
	records   map[string]string
	kept      epoch
	err       error
}

// records returns the texts of a person's records by ticket.
func (t *ticketStore) records(ctx context.Context, userID string) (map[string]string, error) {
	c := &readCall{key: t.key(userID)}
	if err := t.read(ctx, c); err != nil {
		return nil, err
	}
	return c.records, nil
}

// read reads in one round trip with others.
func (t *ticketStore) read(ctx context.Context, c *readCall) error {
	c.done = make(chan struct{})
	t.readings.Do(c)
	select {
	case <-c.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if c.err != nil {
		return fmt.Errorf("waiting: read tickets: %w", c.err)
	}
	return nil
}

// sendReadings reads the records of many people in one round trip, and behind them, if anybody asks for it, the epochs
// of their servers: data that are lost between the two are noticed.
func (t *ticketStore) sendReadings(calls []*readCall) {
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	answers := make([]*redis.MapStringStringCmd, len(calls))
	epochs := map[string]*redis.Cmd{}
	group.Pipeline(ctx, t.rdb, func(pipe redis.Pipeliner) {
		for i, c := range calls {
			answers[i] = pipe.HGetAll(ctx, c.key)
		}
		for _, c := range calls {
			if !c.asksEpoch {
				continue
			}
			if c.kept.mark = t.epochKey(c.key); epochs[c.kept.mark] == nil {
				epochs[c.kept.mark] = epochScript.EvalSha(ctx, pipe, []string{c.kept.mark}, t.epochArgs("", false)...)
			}
		}
	})
	kept := t.readEpochs(ctx, epochs)
	for i, c := range calls {
		c.records, c.err = answers[i].Result()
		c.kept = kept[c.kept.mark]
		close(c.done)
	}
}

// readEpochs reads epochs by their marks. A server that does not know the script yet gets it.
func (t *ticketStore) readEpochs(ctx context.Context, answers map[string]*redis.Cmd) map[string]epoch {
	kept := make(map[string]epoch, len(answers))
	for mark, answer := range answers { // in any order
		if kept[mark] = readEpoch(mark, answer); redis.HasErrorPrefix(answer.Err(), "NOSCRIPT") {
			kept[mark] = t.epochs(ctx, []string{mark}, "", false)[0]
		}
	}
	return kept
}

// findByKey returns the ticket of a person's request in a line by its idempotency key, empty if there is none, and
// since when the server has kept its data; with an error, that one is unknown.
func (t *ticketStore) findByKey(ctx context.Context, req Request) (ticket string, kept epoch, err error) {
	c := &readCall{key: t.key(req.UserID), asksEpoch: true}
	if err := t.read(ctx, c); err != nil {
		return "", epoch{err: err}, err
	}
	for _, rec := range readRecords(req.UserID, c.records) {
		if rec.Request.Line == req.Line && rec.Request.IdempotencyKey == req.IdempotencyKey {
			ticket = rec.Ticket
		}
	}
	return ticket, c.kept, nil
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

// list returns the tickets of a person, the oldest first, those that are settled among them.
func (t *ticketStore) list(ctx context.Context, userID string) ([]storedTicket, error) {
	records, err := t.records(ctx, userID)
	return readRecords(userID, records), err
}

// readRecords reads the records of a person, the oldest first. One that cannot be read is passed over.
func readRecords(userID string, records map[string]string) (tickets []storedTicket) {
	for ticket, text := range records {
		if rec, err := readRecord(userID, ticket, text); err == nil {
			tickets = append(tickets, rec)
		}
	}
	slices.SortFunc(tickets, func(a, b storedTicket) int { return a.At.Compare(b.At) })
	return tickets
}
