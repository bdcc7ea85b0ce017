package locks

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// ask sends an operation to Redis and waits a beat at most. Returns errSuspended if Redis gets no calls.
func (p *partition) ask(ctx context.Context, s *session, c command) ([]any, error) {
	ctx, cancel := context.WithTimeout(ctx, p.client.cfg.Beat)
	defer cancel()
	if _, known := p.clock.Read(p.client.clock()); !known {
		if err := p.probe(ctx); err != nil {
			return nil, err
		}
	}
	p.mu.Lock()
	suspended := p.server != nil
	c.expiry = p.expiry(c.op)
	p.mu.Unlock()
	if suspended {
		return nil, errSuspended
	}
	values, r, err := p.exchange(ctx, s, c)
	if err != nil && err != errExpired {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silentSince = time.Time{}
	if r.turn != nil {
		p.highest = max(p.highest, r.turn.fence)
	}
	if c.op == opEnter {
		for state := r.list(0); len(state) >= placeFields; state = state[placeFields:] {
			p.highest = max(p.highest, integer(state[1]), integer(state[2]))
		}
	}
	return values, err
}

// expiry returns when a call expires that is sent now; 0 (never) for one that changes nothing, or before the time of
// Redis is known.
func (p *partition) expiry(name operation) int64 {
	now, known := p.clock.Read(p.client.clock())
	if !known || name == opState {
		return 0
	}
	return now + p.client.cfg.Beat.Microseconds()
}

// exchange sends a call and learns Redis' time from the answer. An answer that cannot be read is left to the caller.
func (p *partition) exchange(ctx context.Context, s *session, c command) ([]any, reply, error) {
	sent := p.client.clock()
	values, err := s.send(ctx, c)
	if err != nil || c.op == opState {
		return values, reply{}, err
	}
	r, err := decode(values)
	if err != nil {
		return values, reply{}, nil
	}
	p.clock.Learn(sent, p.client.clock(), r.now)
	if r.status == expired {
		return nil, r, errExpired
	}
	return values, r, nil
}

// isUnanswered reports whether Redis did not carry out what was asked because it is away. A caller that gives up means
// nothing; one whose time is over does.
func (p *partition) isUnanswered(err error) bool {
	if p.client.ctx.Err() != nil || errors.Is(err, context.Canceled) || errors.Is(err, redis.ErrClosed) {
		return false
	}
	return !isReply(err) || IsAway(err)
}

// isReply reports whether Redis answered, if with an error.
func isReply(err error) bool {
	var reply redis.Error
	return errors.As(err, &reply)
}

// isAway notes a call that Redis did not carry out, first sent at some moment, and reports whether Redis has been away
// for a beat: it is silent, or goes on refusing this call, though it may carry out others, such as those that only
// read. One that answers others, also in other partitions, is not silent but slow.
func (p *partition) isAway(first, sent time.Time, err error) bool {
	if isReply(err) {
		return -p.client.until(first) >= p.client.cfg.Beat
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.silentSince.IsZero() {
		p.silentSince = sent
	}
	if heard := p.clock.Heard(); heard.After(p.silentSince) {
		p.silentSince = heard
	}
	return -p.client.until(p.silentSince) >= p.client.cfg.Beat
}
