package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// usage is what a library has cost up to a moment, or between two.
type usage struct {
	calls    int64   // commands that came over the wire from the library
	commands int64   // commands that Redis carried out: those, and those that scripts called
	cpu      float64 // of Redis, in seconds
	redis    int64   // bytes that Redis holds in keys
	heap     int64   // bytes that this process holds: live heap, and stacks of goroutines
}

func (u usage) plus(v usage) usage {
	return usage{u.calls + v.calls, u.commands + v.commands, u.cpu + v.cpu, u.redis + v.redis, u.heap + v.heap}
}

func (u usage) minus(v usage) usage {
	return usage{u.calls - v.calls, u.commands - v.commands, u.cpu - v.cpu, u.redis - v.redis, u.heap - v.heap}
}

// gauge reads the usage over a connection of its own.
type gauge struct {
	rdb   *redis.Client
	calls atomic.Int64
	own   usage           // of one reading
	pings []time.Duration // round trips
}

// openGauge empties Redis for a contest.
func openGauge(ctx context.Context, url string) (*gauge, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, err
	}
	g := &gauge{rdb: redis.NewClient(options)}
	if err := g.rdb.FlushAll(ctx).Err(); err != nil {
		return nil, err
	}
	return g, g.calibrate(ctx)
}

// readings are enough to know what one costs.
const readings = 100

// calibrate measures what a reading itself costs Redis.
func (g *gauge) calibrate(ctx context.Context) error {
	first, err := g.read(ctx)
	last := first
	for range readings {
		if err == nil {
			last, err = g.read(ctx)
		}
	}
	cost := last.minus(first)
	g.own = usage{commands: cost.commands / readings, cpu: cost.cpu / readings}
	return err
}

func (g *gauge) close() { g.rdb.Close() }

// ping measures round trips to a Redis that has nothing else to do, for so long that the machine's other work counts in
// them as it does in the hand-offs.
func (g *gauge) ping(ctx context.Context, during time.Duration) error {
	for began, now := time.Now(), time.Now(); now.Sub(began) < during; {
		if err := g.rdb.Ping(ctx).Err(); err != nil {
			return err
		}
		sent := now
		now = time.Now()
		g.pings = append(g.pings, now.Sub(sent))
	}
	return nil
}

// median of the round trips.
func (g *gauge) median() time.Duration {
	slices.Sort(g.pings)
	return percentile(g.pings, 50)
}

func (g *gauge) read(ctx context.Context) (usage, error) {
	info, err := g.rdb.Info(ctx).Result()
	if err != nil {
		return usage{}, err
	}
	values := map[string]float64{}
	for _, line := range strings.Split(info, "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		if number, err := strconv.ParseFloat(value, 64); err == nil {
			values[name] = number
		}
	}
	for _, name := range []string{"used_cpu_sys", "used_cpu_user", "total_commands_processed"} {
		if _, ok := values[name]; !ok {
			return usage{}, fmt.Errorf("INFO has no %s", name)
		}
	}
	return usage{
		calls:    g.calls.Load(),
		commands: int64(values["total_commands_processed"]),
		cpu:      values["used_cpu_sys"] + values["used_cpu_user"],
	}, nil
}

// keys adds up the memory of all keys. INFO's used_memory would not do: the buffers of connections come and go in it.
func (g *gauge) keys(ctx context.Context) (int64, error) {
	names, err := g.rdb.Keys(ctx, "*").Result()
	if err != nil {
		return 0, err
	}
	var sum int64
	for _, name := range names {
		bytes, err := g.rdb.MemoryUsage(ctx, name, 0).Result() // 0: look at every element
		if err != nil && !errors.Is(err, redis.Nil) {          // gone in the meantime
			return 0, err
		}
		sum += bytes
	}
	return sum, nil
}

// heap is the memory of this process that is in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// marks are the readings of a round.
type marks struct {
	ctx      context.Context
	gauge    *gauge
	readings []usage
	err      error
}

func newMarks(ctx context.Context, g *gauge) *marks { return &marks{ctx: ctx, gauge: g} }

// setAll takes a reading, and of memory first: that takes its time, and is no part of what happens afterwards.
func (m *marks) setAll() {
	held := heap()
	kept, err := m.gauge.keys(m.ctx)
	m.err = cmp.Or(m.err, err)
	m.set()
	last := &m.readings[len(m.readings)-1]
	last.heap, last.redis = held, kept
}

// set takes a reading, without memory.
func (m *marks) set() {
	u, err := m.gauge.read(m.ctx)
	m.readings, m.err = append(m.readings, u), cmp.Or(m.err, err)
}

// between two readings, without what the first of them cost.
func (m *marks) between(a, b int) usage {
	return m.readings[b].minus(m.readings[a]).minus(m.gauge.own)
}
