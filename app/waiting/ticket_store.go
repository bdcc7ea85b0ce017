package waiting

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/group"
)

//go:embed admit.lua
var admitLua string

//go:embed settle.lua
var settleLua string

//go:embed keep.lua
var keepLua string

var (
	keepScript   = redis.NewScript(keepLua)
	admitScript  = redis.NewScript(admitLua)
	settleScript = redis.NewScript(settleLua)
)

// ticketStore keeps the records of tickets in Redis, in one hash a person: the request, then the result and an outline
// of the request. Everything expires. Admissions that come while some are under way go together, and so do readings.
type ticketStore struct {
	rdb        redis.UniversalClient
	prefix     string
	userLock   time.Duration // how long a second request with another key is "in progress"
	life       time.Duration // of a ticket that waits
	repeats    time.Duration // of a ticket with a result
	maxLines   int           // of a partition, that a person may wait in at once
	perCall    int           // people in one run of a script
	admission  *redis.Script
	admissions group.ServerQueues[*admitCall]
	readings   group.ServerQueues[*readCall]
}

// Bounds of the calls of a ticketStore.
const (
	mostPeople   = 128 // in a call
	storeTimeout = 2 * time.Second
)

func newTicketStore(rdb redis.UniversalClient, cfg Config) *ticketStore {
	t := &ticketStore{rdb: rdb, prefix: cfg.Prefix, userLock: cfg.UserLock, life: 2 * cfg.MaxWait, repeats: cfg.Repeats,
		maxLines: cfg.MaxLines, perCall: mostPeople, admission: admitScript}
	if _, isCluster := rdb.(*redis.ClusterClient); isCluster {
		t.perCall = 1 // the people of a script have to be on one server
	}
	t.admissions = group.ServerQueues[*admitCall]{Redis: rdb, Key: func(c *admitCall) string { return c.person.key },
		Send: t.sendAdmissions, Most: mostPeople, Calls: 1}
	t.readings = group.ServerQueues[*readCall]{Redis: rdb, Key: func(c *readCall) string { return c.key },
		Send: t.sendReadings, Most: mostPeople, Calls: 1}
	return t
}

// key is where a person's tickets are.
func (t *ticketStore) key(userID string) string { return t.prefix + "{" + userID + "}:tickets" }

// runScript runs a script for many people: keys has one for each of them, args so many for each. Of each run of the
// script it hands the answer to read, with the place of its first person.
func (t *ticketStore) runScript(ctx context.Context, script *redis.Script, common []any, people []scriptPerson,
	read func(from int, answer *redis.Cmd)) {
	var calls []group.Call
	for part := range slices.Chunk(people, t.perCall) {
		c := group.Call{Script: script, Args: slices.Clone(common)}
		for _, person := range part {
			c.Keys = append(c.Keys, person.key)
			c.Args = append(c.Args, person.args...)
		}
		calls = append(calls, c)
	}
	for i, answer := range group.RunScripts(ctx, t.rdb, calls) {
		read(i*t.perCall, answer)
	}
}

// scriptPerson is what a script that works for many people needs for one of them.
type scriptPerson struct {
	key  string
	args []any
}

// admitCall is an admission under way. Code, found and err are set when done closes.
type admitCall struct {
	person scriptPerson
	done   chan struct{}
	code   verdict
	found  string
	err    error
}

// verdict is what admit.lua answers.
type verdict int

const (
	admittedNew verdict = iota + 1
	admittedSame
	refusedInProgress
	refusedTooMany
	admittedServed
)

// admit finds the ticket of a request or makes one with the given id. Returns ErrInProgress (with the
// ticket in progress) or ErrTooMany.
func (t *ticketStore) admit(ctx context.Context, req Request, id string) (admission, error) {
	fields, err := storedTicket{Request: req}.fields()
	if err != nil {
		return admission{}, err
	}
	c := &admitCall{person: scriptPerson{key: t.key(req.UserID), args: []any{id}}, done: make(chan struct{})}
	for _, field := range fields {
		c.person.args = append(c.person.args, field)
	}
	t.admissions.Add(c)
	select {
	case <-c.done:
	case <-ctx.Done():
		return admission{}, ctx.Err()
	}
	switch {
	case c.err != nil:
		return admission{}, fmt.Errorf("waiting: admit: %w", c.err)
	case c.code == refusedInProgress:
		return admission{ticket: c.found}, ErrInProgress
	case c.code == refusedTooMany:
		return admission{}, ErrTooMany
	}
	return admission{ticket: c.found, isNew: c.code != admittedSame, wasServed: c.code == admittedServed}, nil
}

// sendAdmissions admits many people in one round trip.
func (t *ticketStore) sendAdmissions(calls []*admitCall) {
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	people := make([]scriptPerson, len(calls))
	for i, c := range calls {
		people[i] = c.person
	}
	common := []any{t.userLock.Milliseconds(), t.life.Milliseconds(), t.repeats.Milliseconds(), t.maxLines}
	t.runScript(ctx, t.admission, common, people, func(from int, answer *redis.Cmd) {
		values, err := answer.Slice()
		for i, c := range calls[from:min(from+t.perCall, len(calls))] {
			c.err = err
			if err == nil && 2*i+1 < len(values) {
				code, _ := values[2*i].(int64)
				c.code = verdict(code)
				c.found, _ = values[2*i+1].(string)
			}
			close(c.done)
		}
	})
}

// delete undoes admit for a ticket that got no place.
func (t *ticketStore) delete(ctx context.Context, req Request, id string) error {
	return t.rdb.HDel(ctx, t.key(req.UserID), id).Err()
}

// restore stores records of tickets that wait again, after Redis has lost them. Their times are by this process' clock.
func (t *ticketStore) restore(ctx context.Context, tickets []storedTicket) error {
	if len(tickets) == 0 {
		return nil
	}
	now, err := t.rdb.Time(ctx).Result()
	if err != nil {
		return fmt.Errorf("waiting: restore: %w", err)
	}
	_, err = t.rdb.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		for _, rec := range tickets {
			rec.At = now.Add(-time.Since(rec.At))
			text, err := rec.text()
			if err != nil {
				return err
			}
			key := t.key(rec.Request.UserID)
			pipe.HSetNX(ctx, key, rec.Ticket, text)
			pipe.PExpire(ctx, key, t.life)
		}
		return nil
	})
	return err
}

// ending is how tickets ended.
type ending int

const (
	unserved ending = iota // without a turn: a result that is stored already counts more
	served                 // by a turn
)

// settle stores the results of tickets and returns those that count. A ticket of which Redis knows nothing is stored
// with its result.
func (t *ticketStore) settle(ctx context.Context, results []ticketResult, how ending) ([]ticketResult, error) {
	people := make([]scriptPerson, len(results))
	for i, r := range results {
		fields, err := r.record().fields()
		if err != nil {
			return nil, err
		}
		people[i] = scriptPerson{key: t.key(r.request.UserID), args: []any{r.ticket, strings.Join(fields, "\n")}}
	}
	counting := slices.Clone(results)
	var failed error
	common := []any{t.repeats.Milliseconds(), int(how)}
	t.runScript(ctx, settleScript, common, people, func(from int, answer *redis.Cmd) {
		stored, err := answer.Slice()
		if err != nil {
			failed = fmt.Errorf("waiting: settle: %w", err)
			return
		}
		for _, other := range pairs(stored) {
			r := &counting[from+other.index]
			rec, err := readRecord(r.request.UserID, r.ticket, other.text)
			if err != nil {
				failed = err
				return
			}
			r.result = *rec.Result
		}
	})
	if failed != nil {
		return nil, failed
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
