package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// enough hand-offs for a 99th percentile: few waiters go several rounds.
	enough = 1000
	// rehearsal is how many waiters go first, unmeasured, so that subscriptions and scripts are there.
	rehearsal = 16
	// pingingMax is how long round trips are measured, before and after.
	pingingMax = 250 * time.Millisecond
	// patience bounds the return of waiters that were called off.
	patience = 30 * time.Second
)

// contest is the work that every library is given alike.
type contest struct {
	lib     library
	waiters int
	nodes   int
	budget  time.Duration
	url     string
}

// tally is what has been measured in the rounds of a contest.
type tally struct {
	rounds, inOrder, errors int
	handOffs                []time.Duration
	outOfOrder              int
	racing                  time.Duration // from the first release to the last turn
	stalled                 time.Duration // from the last release until the time was up
	spent, kept             usage         // by the hand-offs, and while all waited
	example                 error
}

// measure goes as many rounds as it takes for enough hand-offs, or as the budget allows.
func (c contest) measure(ctx context.Context) (Result, error) {
	gauge, err := openGauge(ctx, c.url)
	if err != nil {
		return Result{}, err
	}
	defer gauge.close()
	var nodes []node
	defer func() {
		for _, n := range nodes {
			n.close()
		}
	}()
	for range c.nodes {
		n, err := c.lib.open(site{url: c.url, lease: 2*c.budget + patience, calls: &gauge.calls})
		if err != nil {
			return Result{}, err
		}
		nodes = append(nodes, n)
	}
	pinging := min(c.budget/10, pingingMax)
	if err := gauge.ping(ctx, pinging); err != nil {
		return Result{}, err
	}
	t, err := c.rounds(ctx, gauge, nodes)
	if err != nil {
		return Result{}, err
	}
	if err := gauge.ping(ctx, pinging); err != nil {
		return Result{}, err
	}
	return c.result(t, gauge.median()), nil
}

func (c contest) rounds(ctx context.Context, g *gauge, nodes []node) (tally, error) {
	first := c
	first.waiters = rehearsal
	if _, err := first.round(ctx, g, nodes, "rehearsal", min(c.budget, time.Second)); err != nil {
		return tally{}, err
	}
	var t tally
	for len(t.handOffs) < enough && t.racing < c.budget {
		got, err := c.round(ctx, g, nodes, fmt.Sprint("lock-", t.rounds), c.budget-t.racing)
		if err != nil {
			return tally{}, err
		}
		t.add(got)
	}
	return t, nil
}

// turns are those of the rounds that make enough hand-offs.
func (c contest) turns() int { return (enough + c.waiters - 1) / c.waiters * c.waiters }

// round lets everybody queue up while the lock is held, then hands it on until each has had it or the time is up.
func (c contest) round(ctx context.Context, g *gauge, nodes []node, name string, within time.Duration) (tally, error) {
	release, err := nodes[0].lock(ctx, name)
	if err != nil {
		return tally{}, err
	}
	r, t := newRound(name, c.waiters), tally{rounds: 1}
	waiting, callOff := context.WithCancel(ctx)
	defer callOff()
	marks := newMarks(ctx, g)
	marks.setAll()
	t.inOrder = r.queue(waiting, nodes, c.budget)
	marks.setAll()
	began, up := time.Now(), time.After(within)
	r.open(waiting, release)
	select {
	case <-r.done:
	case <-up:
		t.stalled = r.sinceRelease()
	case <-ctx.Done():
	}
	t.racing = time.Since(began)
	marks.set()
	callOff()
	if err := r.dismiss(); err != nil {
		return tally{}, err
	}
	t.kept, t.spent = marks.between(0, 1), marks.between(1, 2)
	t.handOffs, t.outOfOrder, t.errors, t.example = r.handOffs, outOfOrder(r.order, t.inOrder), r.errors, r.example
	return t, errors.Join(marks.err, ctx.Err())
}

func (t *tally) add(u tally) {
	t.rounds += u.rounds
	t.inOrder += u.inOrder
	t.errors += u.errors
	t.handOffs = append(t.handOffs, u.handOffs...)
	t.outOfOrder += u.outOfOrder
	t.racing += u.racing
	t.stalled = u.stalled
	t.spent = t.spent.plus(u.spent)
	t.kept = t.kept.plus(u.kept)
	if u.example != nil {
		t.example = u.example
	}
}
