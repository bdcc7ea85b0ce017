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
	rdb        redis.Cmdable
	handler    Handler
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

func newTicketStore(rdb redis.Cmdable, handler Handler, cfg Config) *ticketStore {
	t := &ticketStore{rdb: rdb, handler: handler, prefix: cfg.Prefix, userLock: cfg.UserLock, life: 2 * cfg.MaxWait,
		repeats: cfg.Repeats, maxLines: cfg.MaxLines, perCall: mostPeople, admission: admitScript}
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

// calls are the runs of a script for many people: keys has one for each of them, args so many for each.
func (t *ticketStore) calls(script *redis.Script, common []any, people []scriptPerson) []group.Call {
	var calls []group.Call
	for part := range slices.Chunk(people, t.perCall) {
		c := group.Call{Script: script, Args: slices.Clone(common)}
		for _, person := range part {
			c.Keys = append(c.Keys, person.key)
			c.Args = append(c.Args, person.args...)
		}
		calls = append(calls, c)
	}
	return calls
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
	t.admissions.Do(c)
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
	for part, answer := range group.RunScripts(ctx, t.rdb, t.calls(t.admission, common, people)) {
		values, err := answer.Slice()
		from := part * t.perCall
		for i, c := range calls[from:min(from+t.perCall, len(calls))] {
			c.err = err
			if err == nil && 2*i+1 < len(values) {
				code, _ := values[2*i].(int64)
				c.code = verdict(code)
				c.found, _ = values[2*i+1].(string)
			}
			close(c.done)
		}
	}
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
	return t.settlement(results, how).finish(ctx)
}

// settlement is settle in two steps: send puts it into a pipeline, if there is one, and finish does the rest.
type settlement struct {
	store   *ticketStore
	results []ticketResult
	how     ending
	calls   []group.Call
	answers []*redis.Cmd // of what was sent
	err     error        // of a result that cannot be written
}

func (t *ticketStore) settlement(results []ticketResult, how ending) *settlement {
	s := &settlement{store: t, results: results, how: how}
	people := make([]scriptPerson, len(results))
	for i, r := range results {
		fields, err := r.record(t.handler).fields()
		if err != nil {
			s.err = err
			return s
		}
		people[i] = scriptPerson{key: t.key(r.request.UserID), args: []any{r.ticket, strings.Join(fields, "\n")}}
	}
	s.calls = t.calls(settleScript, []any{t.repeats.Milliseconds(), int(how)}, people)
	return s
}

// send puts the settlement into a pipeline.
func (s *settlement) send(pipe redis.Pipeliner) {
	s.answers = make([]*redis.Cmd, len(s.calls))
	for i, c := range s.calls {
		s.answers[i] = c.Script.EvalSha(context.Background(), pipe, c.Keys, c.Args...)
	}
}

// finish returns the results that count. What was not sent, or not carried out, is sent now: a repeat stores the same.
func (s *settlement) finish(ctx context.Context) ([]ticketResult, error) {
	if s.err != nil {
		return nil, s.err
	}
	failed := func(answer *redis.Cmd) bool { return answer.Err() != nil || answer.Val() == nil }
	if s.answers == nil || slices.ContainsFunc(s.answers, failed) {
		s.answers = group.RunScripts(ctx, s.store.rdb, s.calls)
	}
	counting := slices.Clone(s.results)
	for part, answer := range s.answers {
		stored, err := answer.Slice()
		if err != nil {
			return nil, fmt.Errorf("waiting: settle: %w", err)
		}
		for _, other := range pairs(stored) {
			r := &counting[part*s.store.perCall+other.index]
			rec, err := readRecord(r.request.UserID, r.ticket, other.text)
			if err != nil {
				return nil, err
			}
			r.result = *rec.Result
		}
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
