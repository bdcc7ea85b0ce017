package locks

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// reply is what every operation answers; promote.lua says how it is built.
type reply struct {
	status int64
	now    int64 // µs of Redis' clock
	reaped int64
	lapsed int64  // 1 a lease, 2 a claim window ended
	turn   *grant // set when the calling node has the turn
	rest   []any  // the operation's own values
	local  bool   // it comes from memory, because Redis is away
}

// grant is a turn that Redis says this node has.
type grant struct {
	ticket                   string
	fence, arrival, acquired int64
	left                     time.Duration // until it ends, when the script ran
	fresh                    bool          // granted by the very call that reports it
	work                     string        // of an orphan, which this node serves instead of its own
	alone                    bool          // nobody waits behind it
	local                    bool          // in memory, not by Redis
}

// command is an operation with its arguments.
type command struct {
	op      operation
	session string // the key of the line, or those of a joint one
	request string // the same however often it is sent
	args    []any  // the operation's own arguments
	expiry  int64  // µs of Redis' clock, after which it must not be carried out any more (Config.Fallback); 0: never
	// commands of the caller's that go to Redis in the same round trip; nil: none
	along func(redis.Pipeliner)
}

func (s *session) newCommand(op operation, own []any) command {
	return command{op: op, session: s.name.Key, request: s.client.requestID(), args: own}
}

// call runs an operation. Whatever it is, its answer may carry a turn for this node, which is handed on here.
// Repeating a call with the same arguments changes nothing: go-redis does so when a connection breaks.
func (s *session) call(ctx context.Context, op operation, args ...any) (reply, error) {
	return s.callWith(ctx, s.newCommand(op, args))
}

// callWith is call for a command.
func (s *session) callWith(ctx context.Context, c command) (reply, error) {
	op, sent := c.op, s.client.clock()
	values, local, err := s.run(ctx, c)
	if err != nil {
		return reply{}, err
	}
	r, err := decode(values)
	if err != nil {
		return reply{}, fmt.Errorf("line %s: %w", s.name, err)
	}
	r.local = local
	if !local {
		s.learnClock(sent, r.now)
	}
	s.observe(DeadReaped, int(r.reaped))
	switch r.lapsed {
	case 1:
		s.observe(LeaseLapsed, 1)
	case 2:
		s.observe(ClaimTimeout, 1)
	}
	if r.turn != nil {
		r.turn.local, r.turn.alone = local, isAlone(op, r)
		s.onGrant(*r.turn, grantSource{path: grantPath(op, r.turn), sent: sent, now: r.now})
	}
	return r, nil
}

// isAlone reports whether an answer that grants a turn says that nobody waits behind it.
func isAlone(op operation, r reply) bool {
	return (op == opEnter || op == opRelease) && r.turn.fresh && r.integer(1) == 0
}

// run carries an operation out and returns its answer as it comes, and whether it comes from memory.
func (s *session) run(ctx context.Context, c command) (values []any, local bool, err error) {
	if s.partition != nil {
		return s.partition.run(ctx, s, c)
	}
	values, err = s.send(ctx, c)
	return values, false, err
}

// send carries an operation out in Redis.
func (s *session) send(ctx context.Context, c command) ([]any, error) {
	args := s.arguments(c, s.client.publishCommand())
	if s.client.cfg.Fallback {
		args = append(args, c.expiry)
	}
	values, err := s.evaluate(ctx, c, args)
	if err != nil {
		s.client.checkServer()
		return nil, fmt.Errorf("line %s: %s: %w", s.name, c.op, err)
	}
	return values, nil
}

// arguments are the ARGV of a call: those that every script gets, then the operation's own.
func (s *session) arguments(c command, publish string) []any {
	cfg := s.client.cfg
	return append([]any{
		cfg.Node, c.request, s.keys.channel, c.session,
		cfg.ClaimWindow.Microseconds(), s.client.keyLife.Milliseconds(), publish,
		s.client.nodeLife(), settleTime(cfg).Microseconds(),
	}, c.args...)
}

// grantSource is how and when this node got to know of a grant.
type grantSource struct {
	path Path
	sent time.Time // when the call was sent whose answer brought the grant
	now  int64     // Redis' clock when it ran
}

// grantPath returns how this node learnt of a grant: only a push is followed by hold, and a beat that finds a grant
// made by somebody else makes up for a lost push.
func grantPath(op operation, g *grant) Path {
	switch {
	case op == opHold:
		return ByPush
	case op == opBeat && !g.fresh:
		return ByBeat
	}
	return ByReply
}

func decode(values []any) (reply, error) {
	if len(values) < 5 {
		return reply{}, fmt.Errorf("unexpected answer %v", values)
	}
	r := reply{
		status: integer(values[0]), now: integer(values[1]),
		reaped: integer(values[2]), lapsed: integer(values[3]), rest: values[5:],
	}
	if turn, _ := values[4].([]any); len(turn) == 7 {
		r.turn = &grant{
			ticket: text(turn[0]), fence: integer(turn[1]), arrival: integer(turn[2]), acquired: integer(turn[3]),
			left: micros(integer(turn[4])), fresh: integer(turn[5]) == 1, work: text(turn[6]),
		}
	}
	return r, nil
}

// integer reads the i-th of the operation's own values.
func (r reply) integer(i int) int64 {
	if i >= len(r.rest) {
		return 0
	}
	return integer(r.rest[i])
}

func (r reply) text(i int) string {
	if i >= len(r.rest) {
		return ""
	}
	return text(r.rest[i])
}

// list reads the i-th of the operation's own values.
func (r reply) list(i int) []any {
	if i >= len(r.rest) {
		return nil
	}
	values, _ := r.rest[i].([]any)
	return values
}

// texts reads the i-th of the operation's own values as a list.
func (r reply) texts(i int) []string {
	values := r.list(i)
	out := make([]string, len(values))
	for k, v := range values {
		out[k] = text(v)
	}
	return out
}

// integer accepts the forms in which scripts and callers of operations write whole numbers.
func integer(v any) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case int:
		return int64(v)
	case string:
		n, _ := strconv.ParseInt(v, 10, 64) // they are written with %.0f only
		return n
	}
	return 0
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

func micros(us int64) time.Duration { return time.Duration(us) * time.Microsecond }
