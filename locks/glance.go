package locks

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// Glance is what is seen of a line from outside, without a place in it.
type Glance struct {
	Waiting   int           // tickets, the holder and those served in its turn among them
	Longest   time.Duration // since the first of those that wait drew its arrival number; 0 if nobody waits, or it has a lot
	PerPerson time.Duration // moving average of the time that a served ticket takes; 0: none was measured
}

// Estimate is how long a ticket that entered now would wait, as Progress.Estimate reckons before more is known.
func (g Glance) Estimate() time.Duration {
	if g.PerPerson == 0 {
		return time.Duration(g.Waiting) * unmeasuredPerson
	}
	return time.Duration(g.Waiting) * g.PerPerson
}

// Glances looks at lines, in the given order. Like Lengths it opens no session: it asks Redis in one pipeline for all
// lengths, and in a second one for the rest of the lines in which somebody waits. Of lines that are in memory it knows
// the length only. Returns Redis's error with what is known all the same: of lines with other masters of a Cluster.
func (c *Client) Glances(ctx context.Context, names []Name) ([]Glance, error) {
	lengths, err := c.Lengths(ctx, names)
	glances := make([]Glance, len(names))
	type line struct {
		first *redis.ZSliceCmd
		pace  *redis.StringCmd
	}
	asked := map[int]line{}
	pipe := c.rdb.Pipeline()
	clock := pipe.Time(ctx)
	for i, name := range names {
		glances[i].Waiting = lengths[i]
		if _, here := c.lengthInMemory(name); here || lengths[i] == 0 {
			continue
		}
		k := lineKeys(c.cfg.Prefix, name)
		asked[i] = line{first: pipe.ZRangeWithScores(ctx, k.waiting(), 0, 0), pace: pipe.HGet(ctx, k.record(), "pace")}
	}
	if len(asked) == 0 {
		return glances, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Beat/2)
	defer cancel()
	_, _ = pipe.Exec(ctx) // each command has its own error; of pace it may be that there is none
	for i, l := range asked {
		if failed := l.first.Err(); failed != nil {
			err = fmt.Errorf("lines at a glance: %w", failed)
			continue
		}
		glances[i].PerPerson = micros(integer(l.pace.Val()))
		if first := l.first.Val(); len(first) > 0 && int64(first[0].Score) >= LotsBelow && clock.Err() == nil {
			// An arrival number is the time by Redis's clock, in microseconds, or a little more.
			glances[i].Longest = max(0, clock.Val().Sub(time.UnixMicro(int64(first[0].Score))))
		}
	}
	return glances, err
}
