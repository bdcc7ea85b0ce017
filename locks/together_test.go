package locks

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/group"
)

// roundTrips counts the round trips that carry a script, and how often they do, and lets none begin before it is open.
type roundTrips struct {
	script       string // its hash
	open         chan struct{}
	trips, calls atomic.Int64
}

func (r *roundTrips) DialHook(next redis.DialHook) redis.DialHook { return next }

func (r *roundTrips) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		r.begin(cmd)
		return next(ctx, cmd)
	}
}

func (r *roundTrips) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		r.begin(cmds...)
		return next(ctx, cmds)
	}
}

func (r *roundTrips) begin(cmds ...redis.Cmder) {
	calls := 0
	for _, cmd := range cmds {
		if cmd.Name() == "evalsha" && cmd.Args()[1] == r.script {
			calls++
		}
	}
	if calls > 0 {
		r.trips.Add(1)
		r.calls.Add(int64(calls))
	}
	<-r.open
}

// Calls of a partition's lines that meet go together; each gets its own answer, whatever becomes of the others.
func TestCalls_ThatMeetGoTogether(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	const lines = callsAtOnce + 2*callsTogether
	rdb := h.connect(nil)
	c := h.nodeOn(rdb, "a", nil)
	hook := &roundTrips{script: c.scripts[opEnter].Hash(), open: make(chan struct{})}
	h.loadScripts(c)
	c.publishCommand() // asks the server, once
	rdb.AddHook(hook)
	waiting := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		if calls := c.calls[h.name.Partition]; calls != nil {
			return calls.users
		}
		return 0
	}
	places, failed := make([]Place, lines), make([]error, lines)
	gone, leave := context.WithCancel(h.ctx())
	var all sync.WaitGroup
	for i := range lines {
		all.Go(func() {
			ctx := h.ctx()
			if i == lines-1 {
				ctx = gone
			}
			line := c.Line(Name{h.name.Partition, fmt.Sprint(i)})
			places[i], failed[i] = line.Enter(ctx, Entry{Ticket: fmt.Sprint("ticket-", i)})
		})
		eventually(t, "the call waits", func() bool { return waiting() == i+1 })
	}
	leave()
	eventually(t, "somebody has given up", func() bool { return waiting() == lines-1 })
	trips := hook.trips.Load()
	close(hook.open)
	all.Wait()
	for i, place := range places[:lines-1] {
		if failed[i] != nil || place.Ticket != fmt.Sprint("ticket-", i) || !place.Granted {
			t.Errorf("line %d: %+v, %v", i, place, failed[i])
		}
	}
	if failed[lines-1] == nil {
		t.Error("who has given up has an answer")
	}
	if got := hook.trips.Load(); trips != callsAtOnce || got != callsAtOnce+2 || hook.calls.Load() != lines-1 {
		t.Errorf("%d round trips at once, %d in all, for %d calls", trips, got, hook.calls.Load())
	}
}

// Redis that has forgotten its scripts gets the texts of all that went together.
func TestCalls_ThatMeetAreSentAgainWhereScriptsAreForgotten(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	c := h.node("a", nil)
	var calls []scriptCall
	for i := range 3 {
		keys := lineKeys(h.prefix, Name{h.name.Partition, fmt.Sprint(i)})
		s := newSession(c.Line(Name{h.name.Partition, fmt.Sprint(i)}))
		state := s.newCommand(opState, []any{0})
		calls = append(calls, scriptCall{ctx: h.ctx(), AwaitedCall: group.NewAwaitedCall(group.Call{
			Script: redis.NewScript("-- " + h.prefix + "\nreturn {KEYS[1]}"), Keys: keys.names,
			Args: s.arguments(state, "PUBLISH")})})
	}
	c.sendScripts(calls)
	for i, call := range calls {
		<-call.Done
		if values, err := call.Answer.Slice(); err != nil || len(values) != 1 || values[0] != call.Keys[0] {
			t.Errorf("call %d: %v, %v", i, values, err)
		}
	}
}
