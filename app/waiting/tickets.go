package waiting

import (
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

// tickets keeps in Redis what belongs to a ticket besides its place: the wish, then the result. Everything expires.
type tickets struct {
	rdb       redis.UniversalClient
	prefix    string
	userLock  time.Duration // how long a second press with another key is "in progress"
	life      time.Duration // of a ticket and its result; re-armed by a result
	maxLines  int           // a person may stand in at once, a partition
	admission *redis.Script
}

// record is a ticket as it is stored.
type record struct {
	Wish    Request
	Arrival int64   // 0 until it was in the line
	Result  *Result // nil while it waits
}

// verdict is what a press found.
type verdict int

const (
	admittedNew verdict = iota + 1
	admittedSame
	refusedInProgress
	refusedTooMany
)

func (t *tickets) ticketKey(partition, id string) string {
	return t.prefix + "{" + partition + "}:ticket:" + id
}

func (t *tickets) personKey(partition, userID string) string {
	return t.prefix + "{" + partition + "}:person:" + userID
}

// admit finds the ticket of a press or makes one with the given id. Returns ErrInProgress (with the ticket in progress)
// or ErrTooMany.
func (t *tickets) admit(ctx context.Context, w Request, id string) (ticket string, isNew bool, err error) {
	raw, err := json.Marshal(w)
	if err != nil {
		return "", false, fmt.Errorf("waiting: admit: %w", err)
	}
	keys := []string{t.personKey(w.Line.Partition, w.UserID), t.ticketKey(w.Line.Partition, id)}
	reply, err := t.admission.Run(ctx, t.rdb, keys, w.Line.Key, id, w.IdempotencyKey, raw,
		t.userLock.Milliseconds(), t.life.Milliseconds(), t.maxLines).Slice()
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

// pressed returns the ticket of an earlier press with the same idempotency key, without making one; false if there was
// none.
func (t *tickets) pressed(ctx context.Context, w Request) (string, bool, error) {
	raw, err := t.rdb.HGet(ctx, t.personKey(w.Line.Partition, w.UserID), w.Line.Key).Bytes()
	if err == redis.Nil {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("waiting: find press: %w", err)
	}
	var earlier pressRecord
	if err := json.Unmarshal(raw, &earlier); err != nil {
		return "", false, fmt.Errorf("waiting: find press: %w", err)
	}
	return earlier.Ticket, earlier.Key == w.IdempotencyKey, nil
}

// placed remembers the arrival number of a ticket that has to wait, so that it can return to its place.
func (t *tickets) placed(ctx context.Context, line locks.Name, id string, arrival int64) error {
	key := t.ticketKey(line.Partition, id)
	_, err := t.rdb.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.HSet(ctx, key, "arrival", arrival)
		pipe.PExpire(ctx, key, t.life)
		return nil
	})
	return err
}

// forget undoes admit for a ticket that got no place.
func (t *tickets) forget(ctx context.Context, w Request, id string) error {
	_, err := t.rdb.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.HDel(ctx, t.personKey(w.Line.Partition, w.UserID), w.Line.Key)
		pipe.Del(ctx, t.ticketKey(w.Line.Partition, id))
		return nil
	})
	return err
}

// heldTicket is what a process remembers of a ticket that it lends.
type heldTicket struct {
	ticket  string
	wish    Request
	since   time.Time
	arrival int64
	result  *Result // nil while it waits
}

// restore stores again what belongs to tickets, after Redis has lost it. The result of one comes first: another process that
// finds the ticket without would let it wait once more.
func (t *tickets) restore(ctx context.Context, line locks.Name, held []heldTicket) error {
	_, err := t.rdb.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		for _, s := range held {
			wish, err := json.Marshal(s.wish)
			if err != nil {
				return err
			}
			press, err := json.Marshal(pressRecord{Ticket: s.ticket, Key: s.wish.IdempotencyKey, At: s.since.UnixMilli()})
			if err != nil {
				return err
			}
			ticket, person := t.ticketKey(line.Partition, s.ticket), t.personKey(line.Partition, s.wish.UserID)
			if s.result != nil {
				result, err := json.Marshal(s.result)
				if err != nil {
					return err
				}
				pipe.HSetNX(ctx, ticket, "result", result)
			}
			pipe.HSetNX(ctx, ticket, "wish", wish)
			pipe.HSetNX(ctx, ticket, "arrival", s.arrival)
			pipe.PExpire(ctx, ticket, t.life)
			pipe.HSetNX(ctx, person, line.Key, press)
			pipe.PExpire(ctx, person, t.life)
		}
		return nil
	})
	return err
}

// pressRecord is what a person's hash keeps of a press; admit.lua reads and writes it too.
type pressRecord struct {
	Ticket string `json:"ticket"`
	Key    string `json:"key"`
	At     int64  `json:"at"` // ms
	Done   bool   `json:"done"`
}

// find returns what is stored with a ticket. Returns ErrUnknownTicket.
func (t *tickets) find(ctx context.Context, line locks.Name, id string) (record, error) {
	var row struct {
		Wish    string `redis:"wish"`
		Result  string `redis:"result"`
		Arrival int64  `redis:"arrival"`
	}
	cmd := t.rdb.HGetAll(ctx, t.ticketKey(line.Partition, id))
	if err := cmd.Scan(&row); err != nil {
		return record{}, fmt.Errorf("waiting: find ticket: %w", err)
	}
	if row.Wish == "" {
		return record{}, ErrUnknownTicket
	}
	rec := record{Arrival: row.Arrival}
	if err := json.Unmarshal([]byte(row.Wish), &rec.Wish); err != nil {
		return record{}, fmt.Errorf("waiting: find ticket: %w", err)
	}
	if row.Result != "" {
		rec.Result = new(Result)
		if err := json.Unmarshal([]byte(row.Result), rec.Result); err != nil {
			return record{}, fmt.Errorf("waiting: find ticket: %w", err)
		}
	}
	return rec, nil
}

// finished is the result of one ticket.
type finished struct {
	ticket string
	userID string
	result Result
}

// ending is how tickets ended.
type ending int

const (
	unserved ending = iota // without a turn: a result that is stored already counts more
	served                 // by a turn
)

// finish stores the results of a run of one line's tickets and returns those that count.
func (t *tickets) finish(ctx context.Context, line locks.Name, run []finished, how ending) ([]finished, error) {
	keys := make([]string, 0, 2*len(run))
	args := []any{line.Key, t.life.Milliseconds(), int(how)}
	for _, f := range run {
		raw, err := json.Marshal(f.result)
		if err != nil {
			return nil, fmt.Errorf("waiting: finish: %w", err)
		}
		keys = append(keys, t.ticketKey(line.Partition, f.ticket), t.personKey(line.Partition, f.userID))
		args = append(args, f.ticket, raw)
	}
	stored, err := finishScript.Run(ctx, t.rdb, keys, args...).Slice()
	if err != nil {
		return nil, fmt.Errorf("waiting: finish: %w", err)
	}
	kept := slices.Clone(run)
	for _, other := range pairs(stored) {
		kept[other.index].result = pushedResult(other.text)
	}
	return kept, nil
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
