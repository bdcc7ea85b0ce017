package rush

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// costs are what an installation has used up to a moment; NaN where that is not known.
type costs struct {
	redisCommands           float64
	turns                   float64 // served at all instances
	server, redis, postgres float64 // processor time in seconds, of all instances together
	bytes                   *Bytes  // nil: not known
	own                     time.Duration
	handoff                 histogram          // of all instances
	events                  map[string]float64 // in the lines of all instances
}

// pings is how many idle round trips to Redis give the unit of hand-offs.
const pings = 300

// beginCosts takes what was used before the rush, and the time of an idle round trip to Redis.
func (g *monitor) beginCosts(ctx context.Context) {
	if g.target.Meter != nil {
		var took []float64
		for range pings {
			one, err := g.target.Meter.Ping(ctx)
			if err != nil {
				break
			}
			took = append(took, one.Seconds())
		}
		if len(took) == pings {
			slices.Sort(took)
			g.idlePing = percentile(took, 50)
		}
	}
	g.before = g.readCosts(ctx)
}

func (g *monitor) readCosts(ctx context.Context) costs {
	c := costs{redisCommands: math.NaN(), redis: math.NaN(), postgres: math.NaN(), own: cpuTime(), handoff: histogram{},
		events: map[string]float64{}}
	if len(g.servers) == 0 {
		c.server, c.turns = math.NaN(), math.NaN()
	}
	for _, s := range g.servers {
		found, err := readMetrics(ctx, g.client, s.base)
		used, ok := found.values[metricCPU]
		if err != nil || !ok {
			c.server = math.NaN()
			continue
		}
		c.server += used
		c.turns += found.values[metricTurns]
		for bound, count := range found.handoff {
			c.handoff[bound] += count
		}
		for event, count := range found.events {
			c.events[event] += count
		}
	}
	meter := g.target.Meter
	if meter == nil {
		return c
	}
	if n, err := meter.RedisCommands(ctx); err == nil {
		c.redisCommands = float64(n)
	}
	if used, err := meter.RedisCPU(ctx); err == nil {
		c.redis = used.Seconds()
	}
	if used, err := meter.PostgresCPU(ctx); err == nil {
		c.postgres = used.Seconds()
	}
	if used, err := meter.Bytes(ctx); err == nil {
		c.bytes = &used
	}
	return c
}

// noteEvents says what happened in the lines besides turns that were given and ended.
func (r *Report) noteEvents(g *monitor) {
	for _, event := range slices.Sorted(maps.Keys(g.after.events)) {
		if n := g.after.events[event] - g.before.events[event]; n > 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("in the lines: %s %.0f times", event, n))
		}
	}
}

// setCosts fills in what the rush has used, of all a diner and a reservation.
func (r *Report) setCosts(g *monitor, all result) {
	diners, reservations := float64(r.Diners), float64(r.Reserved)
	milli := func(before, after float64, n float64) *float64 { return knownTo(4, 1000*(after-before)/n) }
	r.Turns = known(g.after.turns - g.before.turns)
	r.RedisCommandsPerDiner = known((g.after.redisCommands - g.before.redisCommands) / diners)
	if before, after := g.before.bytes, g.after.bytes; before != nil && after != nil {
		each := func(before, after int64) *float64 { return known(float64(after-before) / diners) }
		r.WALBytesPerDiner = each(before.WAL, after.WAL)
		r.DatabaseBytesPerDiner = each(before.Database, after.Database)
		r.RedisMemoryBytesPerDiner = each(before.RedisMemory, after.RedisMemory)
		r.RedisNetworkBytesPerDiner = each(before.RedisNetwork, after.RedisNetwork)
	}
	r.ServerCPUMsPerDiner = milli(g.before.server, g.after.server, diners)
	r.RedisCPUMsPerDiner = milli(g.before.redis, g.after.redis, diners)
	r.PostgresCPUMsPerDiner = milli(g.before.postgres, g.after.postgres, diners)
	r.ServerCPUMsPerReservation = milli(g.before.server, g.after.server, reservations)
	r.RedisCPUMsPerReservation = milli(g.before.redis, g.after.redis, reservations)
	r.PostgresCPUMsPerReservation = milli(g.before.postgres, g.after.postgres, reservations)
	own := g.after.own - g.before.own + all.CPU
	r.RushCPUMsPerDiner = rounded(own.Seconds() * 1000 / diners)
	handoffs := g.after.handoff.since(g.before.handoff)
	pingsOf := func(p float64) *float64 {
		took, ok := handoffs.percentile(p)
		if !ok {
			return nil
		}
		return known(took / g.idlePing)
	}
	r.HandoffP50Pings, r.HandoffP99Pings = pingsOf(50), pingsOf(99)
}
