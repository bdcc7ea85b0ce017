package waiting

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/locks"
)

//go:embed admit.lua
var admitLua string

//go:embed finish.lua
var finishLua string

var (
	admitScript  = redis.NewScript(admitLua)
	finishScript = redis.NewScript(finishLua)
)

// Fields of a ticket's hash, as admit.lua and finish.lua write them.
const (
	fieldRequest = "wish"
	fieldOutline = "outline"
	fieldArrival = "arrival"
	fieldResult  = "result"
)

// ticketStore keeps the records of tickets in Redis: the request, the place to return to, then the
// result and an outline of the request. Everything expires.
type ticketStore struct {
	rdb       redis.UniversalClient
	prefix    string
	userLock  time.Duration // how long a second request with another key is "in progress"
	life      time.Duration // of a ticket that waits
	repeats   time.Duration // of a ticket with a result
	maxLines  int           // that a person may wait in at once, a partition
	admission *redis.Script
}

// storedTicket is a ticket's record as read from Redis.
type storedTicket struct {
	Request Request // of a ticket with a result only Request.settled
	Arrival int64   // 0 until it was in the line
	Result  *Result // nil while it waits
}

// verdict is what admit.lua answers.
type verdict int

const (
	admittedNew verdict = iota + 1
	admittedSame
	refusedInProgress
	refusedTooMany
)

func (t *ticketStore) ticketKey(partition, id string) string {
	return t.prefix + "{" + partition + "}:ticket:" + id
}

func (t *ticketStore) personKey(partition, userID string) string {
	return t.prefix + "{" + partition + "}:person:" + userID
}

// admit finds the ticket of a request or makes one with the given id. Returns ErrInProgress (with the
// ticket in progress) or ErrTooMany.
func (t *ticketStore) admit(ctx context.Context, req Request, id string) (ticket string, isNew bool, err error) {
	raw, err := json.Marshal(req)
	if err != nil {
		return "", false, fmt.Errorf("waiting: admit: %w", err)
	}
	short, err := json.Marshal(req.settled())
	if err != nil {
		return "", false, fmt.Errorf("waiting: admit: %w", err)
	}
	keys := []string{t.personKey(req.Line.Partition, req.UserID), t.ticketKey(req.Line.Partition, id)}
	reply, err := t.admission.Run(ctx, t.rdb, keys, req.Line.Key, id, req.IdempotencyKey, raw,
		t.userLock.Milliseconds(), t.life.Milliseconds(), t.maxLines, short).Slice()
	if err != nil {
		return "", false, fmt.Errorf("waiting: admit: %w", err)
	}
	ticket, _ = reply[1].(string)
	code, _ := reply[0].(int64)
	switch verdict(code) {
	case refusedInProgress:
		return ticket, false, ErrInProgress
	case refusedTooMany:
		return "", false, ErrTooMany
	default:
		return ticket, verdict(code) == admittedNew, nil
	}
}

// findByPerson returns the ticket of a person's latest request in a line, and whether its idempotency
// key is the same.
func (t *ticketStore) findByPerson(ctx context.Context, req Request) (string, bool, error) {
	raw, err := t.rdb.HGet(ctx, t.personKey(req.Line.Partition, req.UserID), req.Line.Key).Bytes()
	if err == redis.Nil {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("waiting: find request: %w", err)
	}
	var latest personRecord
	if err := json.Unmarshal(raw, &latest); err != nil {
		return "", false, fmt.Errorf("waiting: find request: %w", err)
	}
	return latest.Ticket, latest.Key == req.IdempotencyKey, nil
}

// storeArrival stores the arrival number of a ticket that has to wait, so that it can return to its
// place.
func (t *ticketStore) storeArrival(ctx context.Context, line locks.Name, id string, arrival int64) error {
	key := t.ticketKey(line.Partition, id)
	_, err := t.rdb.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.HSet(ctx, key, fieldArrival, arrival)
		pipe.ExpireNX(ctx, key, t.life) // a result that came meanwhile has set a shorter life
		return nil
	})
	return err
}

// delete undoes admit for a ticket that got no place.
func (t *ticketStore) delete(ctx context.Context, req Request, id string) error {
	_, err := t.rdb.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.HDel(ctx, t.personKey(req.Line.Partition, req.UserID), req.Line.Key)
		pipe.Del(ctx, t.ticketKey(req.Line.Partition, id))
		return nil
	})
	return err
}

// ticketRecord is a ticket's record as its process remembers it.
type ticketRecord struct {
	ticket    string
	request   Request
	enteredAt time.Time
	arrival   int64
	result    *Result // nil while it waits
}

// restore stores records of tickets again after Redis has lost them. A result comes first: another
// process that found the ticket without it would let the ticket wait once more.
func (t *ticketStore) restore(ctx context.Context, line locks.Name, records []ticketRecord) error {
	_, err := t.rdb.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		for _, s := range records {
			request, err := json.Marshal(s.request)
			if err != nil {
				return err
			}
			short, err := json.Marshal(s.request.settled())
			if err != nil {
				return err
			}
			latest, err := json.Marshal(personRecord{Ticket: s.ticket, Key: s.request.IdempotencyKey, At: s.enteredAt.UnixMilli()})
			if err != nil {
				return err
			}
			ticket, person := t.ticketKey(line.Partition, s.ticket), t.personKey(line.Partition, s.request.UserID)
			if s.result != nil {
				result, err := json.Marshal(s.result)
				if err != nil {
					return err
				}
				pipe.HSetNX(ctx, ticket, fieldResult, result)
			} else {
				pipe.HSetNX(ctx, ticket, fieldRequest, request)
			}
			pipe.HSetNX(ctx, ticket, fieldOutline, short)
			pipe.HSetNX(ctx, ticket, fieldArrival, s.arrival)
			pipe.PExpire(ctx, ticket, t.life)
			pipe.HSetNX(ctx, person, line.Key, latest)
			pipe.PExpire(ctx, person, t.life)
		}
		return nil
	})
	return err
}

// personRecord is a person's latest request in a line; admit.lua and finish.lua read and write it too.
type personRecord struct {
	Ticket string `json:"ticket"`
	Key    string `json:"key"`
	At     int64  `json:"at"` // ms
	Done   bool   `json:"done"`
	Till   int64  `json:"till,omitempty"` // ms; how long the result of a ticket that is done is kept
}

// find returns the record of a ticket. Returns ErrUnknownTicket.
func (t *ticketStore) find(ctx context.Context, line locks.Name, id string) (storedTicket, error) {
	var row struct { // names as in admit.lua and finish.lua
		Request string `redis:"wish"`
		Outline string `redis:"outline"`
		Result  string `redis:"result"`
		Arrival int64  `redis:"arrival"`
	}
	cmd := t.rdb.HGetAll(ctx, t.ticketKey(line.Partition, id))
	if err := cmd.Scan(&row); err != nil {
		return storedTicket{}, fmt.Errorf("waiting: find ticket: %w", err)
	}
	request := cmp.Or(row.Request, row.Outline)
	if request == "" {
		return storedTicket{}, ErrUnknownTicket
	}
	rec := storedTicket{Arrival: row.Arrival}
	if err := json.Unmarshal([]byte(request), &rec.Request); err != nil {
		return storedTicket{}, fmt.Errorf("waiting: find ticket: %w", err)
	}
	if row.Result != "" {
		rec.Result = new(Result)
		if err := json.Unmarshal([]byte(row.Result), rec.Result); err != nil {
			return storedTicket{}, fmt.Errorf("waiting: find ticket: %w", err)
		}
	}
	return rec, nil
}

// ending is how tickets ended.
type ending int

const (
	unserved ending = iota // without a turn: a result that is stored already counts more
	served                 // by a turn
)

// storeResults stores the results of tickets of one line and returns those that count.
func (t *ticketStore) storeResults(ctx context.Context, line locks.Name, results []ticketResult, how ending) ([]ticketResult, error) {
	keys := make([]string, 0, 2*len(results))
	args := []any{line.Key, t.repeats.Milliseconds(), int(how)}
	for _, r := range results {
		raw, err := json.Marshal(r.result)
		if err != nil {
			return nil, fmt.Errorf("waiting: finish: %w", err)
		}
		keys = append(keys, t.ticketKey(line.Partition, r.ticket), t.personKey(line.Partition, r.userID))
		args = append(args, r.ticket, raw)
	}
	stored, err := finishScript.Run(ctx, t.rdb, keys, args...).Slice()
	if err != nil {
		return nil, fmt.Errorf("waiting: finish: %w", err)
	}
	counting := slices.Clone(results)
	for _, other := range pairs(stored) {
		counting[other.index].result = pushedResult(other.text)
	}
	return counting, nil
}

// indexed is a text of a list with its place in it.
type indexed struct {
	index int
	text  string
}

// pairs reads {index, text, index, text, …} as scripts answer it.
func pairs(values []any) []indexed {
	var read []indexed
	for i := 0; i+1 < len(values); i += 2 {
		index, _ := values[i].(int64)
		text, _ := values[i+1].(string)
		read = append(read, indexed{int(index), text})
	}
	return read
}
