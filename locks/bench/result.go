package main

import (
	"slices"
	"time"
)

// Result is a row of the table: one library with one number of waiters at one number of nodes. Times are µs.
type Result struct {
	Library string `json:"library"`
	Version string `json:"version,omitempty"`
	Nodes   int    `json:"nodes"`
	Waiters int    `json:"waiters"` // that wait at the same time; each has one turn a round
	Rounds  int    `json:"rounds"`

	Turns      int     `json:"turns"`          // that were to be had
	HandOffs   int     `json:"handOffs"`       // that there were before the time was up
	Seconds    float64 `json:"seconds"`        // that they took
	Stalled    float64 `json:"stalledSeconds"` // how long the hand-off under way had lasted when the time was up
	OutOfOrder float64 `json:"outOfOrder"`     // share of the hand-offs that passed somebody over who had asked earlier
	InOrder    int     `json:"askedInTurn"`
	Errors     int     `json:"errors"` // that the library returned, after which the waiter asked again
	Error      string  `json:"error,omitempty"`

	Ping       float64 `json:"pingP50Micros"` // a round trip to an idle Redis, measured before and after
	P50        float64 `json:"handOffP50Micros"`
	P99        float64 `json:"handOffP99Micros"`
	RoundTrips float64 `json:"handOffP50RoundTrips"`
	PerSecond  float64 `json:"handOffsPerSecond"`

	RedisMicros float64 `json:"redisCpuMicrosPerHandOff"`
	Calls       float64 `json:"callsPerHandOff"`     // commands sent to Redis
	Commands    float64 `json:"commandsPerHandOff"`  // commands carried out there, those inside scripts included
	RedisBytes  float64 `json:"redisBytesPerWaiter"` // of keys
	HeapBytes   float64 `json:"heapBytesPerWaiter"`  // of the process, the waiting goroutine included
}

func (c contest) result(t tally, ping time.Duration) Result {
	slices.Sort(t.handOffs)
	waits := float64(t.rounds * c.waiters)
	r := Result{
		Library: c.lib.name, Version: c.lib.version(), Nodes: c.nodes, Waiters: c.waiters, Rounds: t.rounds,
		Turns: c.turns(), HandOffs: len(t.handOffs), Seconds: t.racing.Seconds(),
		Stalled: t.stalled.Seconds(), InOrder: t.inOrder, Errors: t.errors,
		Ping: micros(ping), P50: micros(percentile(t.handOffs, 50)), P99: micros(percentile(t.handOffs, 99)),
		RedisBytes: float64(t.kept.redis) / waits, HeapBytes: float64(t.kept.heap) / waits,
	}
	if t.example != nil {
		r.Error = t.example.Error()
	}
	if n := float64(len(t.handOffs)); n > 0 {
		r.OutOfOrder = float64(t.outOfOrder) / n
		r.RoundTrips = r.P50 / r.Ping
		r.PerSecond = n / t.racing.Seconds()
		r.RedisMicros = t.spent.cpu * 1e6 / n
		r.Calls, r.Commands = float64(t.spent.calls)/n, float64(t.spent.commands)/n
	}
	return r
}

// finished reports whether every waiter had its turn in the time.
func (r Result) finished() bool { return r.HandOffs == r.Turns }

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }
