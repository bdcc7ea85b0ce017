package locks

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// Estimates before anything was measured.
const (
	unmeasuredPerson = 3 * time.Second
	unmeasuredEmpty  = 5 * time.Second // when nobody is ahead
)

// Progress reads the whole line in one call that changes nothing. Call it once a line and tick, not once a ticket.
func (l *Line) Progress(ctx context.Context) (Progress, error) {
	d, err := l.client.desk(l)
	if err != nil {
		return Progress{}, err
	}
	defer l.client.done(d)
	v, err := l.client.scripts.state.Run(ctx, l.client.rdb, d.keys.names, d.arguments()...).Slice()
	if err != nil {
		return Progress{}, fmt.Errorf("line %s: %w", l.name, err)
	}
	if len(v) != 6 {
		return Progress{}, fmt.Errorf("line %s: unexpected answer of %d values", l.name, len(v))
	}
	share, err := strconv.ParseFloat(text(v[4]), 64)
	if err != nil {
		return Progress{}, fmt.Errorf("line %s: share: %w", l.name, err)
	}
	waiting, _ := v[5].([]any)
	p := Progress{
		Count:         len(waiting),
		Holder:        integer(v[0]) == 1,
		HoldElapsed:   micros(integer(v[1])),
		HoldSize:      int(integer(v[2])),
		HoldPerPerson: micros(integer(v[3])),
		LeaveShare:    share,
		Order:         make([]string, len(waiting)),
	}
	for i, ticket := range waiting {
		p.Order[i] = text(ticket)
	}
	return p, nil
}

// Estimate is how long a ticket at the position (1: next after the current holder) still has to wait: what is left of
// the present turn, and the measured time a person for those ahead who will not leave. Before anything was measured it
// is 3 s a person ahead, and 5 s when nobody is.
func (p Progress) Estimate(position int) time.Duration {
	waiting := time.Duration(max(position-1, 0))
	serving := time.Duration(p.HoldSize)
	if p.HoldPerPerson == 0 {
		if waiting+serving == 0 {
			return unmeasuredEmpty
		}
		return (waiting + serving) * unmeasuredPerson
	}
	left := max(serving*p.HoldPerPerson-p.HoldElapsed, 0)
	return left + time.Duration(float64(waiting*p.HoldPerPerson)*(1-p.LeaveShare))
}

// Lengths says how many tickets stand in each line, in one pipeline: those that wait, the holder, and those served in
// its turn.
func (c *Client) Lengths(ctx context.Context, names []Name) ([]int, error) {
	if len(names) == 0 {
		return nil, nil
	}
	pipe := c.rdb.Pipeline()
	clock := pipe.Time(ctx)
	type sizes struct {
		waiting, taken *redis.IntCmd
		end            *redis.StringCmd
	}
	lines := make([]sizes, len(names))
	for i, name := range names {
		k := lineKeys(c.cfg.Prefix, name)
		lines[i] = sizes{pipe.ZCard(ctx, k.waiting()), pipe.ZCard(ctx, k.taken()), pipe.HGet(ctx, k.holder(), "end")}
	}
	if _, err := pipe.Exec(ctx); err != nil && err != redis.Nil {
		return nil, fmt.Errorf("line lengths: %w", err)
	}
	lengths := make([]int, len(names))
	for i, s := range lines {
		lengths[i] = int(s.waiting.Val() + s.taken.Val())
		if integer(s.end.Val()) > clock.Val().UnixMicro() { // else the holder is dead or there is none
			lengths[i]++
		}
	}
	return lengths, nil
}
