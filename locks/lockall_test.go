package locks

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// tables are lines of which contenders want some at once.
var tables = []string{"t1", "t2", "t3", "t4"}

// locking locks tables for a ticket, in an order that is given at random, and returns how to release them.
type locking func(ctx context.Context, c *Client, ticket string, tables []string) (unlock, error)

// unlock releases what was locked.
type unlock func(context.Context) error

// contend lets ten contenders of three nodes want random tables again and again. They share a count for each table, and
// all of them must be served.
func contend(t testing.TB, edit func(*Client), lock locking) {
	h := newHarness(t)
	var nodes []*Client
	for i := range 3 {
		c := h.node(fmt.Sprint("n", i), nil)
		edit(c)
		nodes = append(nodes, c)
	}
	counts := map[string]*counter{}
	for _, table := range tables {
		counts[table] = &counter{}
	}
	const contenders, rounds = 10, 8
	ctx := h.ctx()
	var all sync.WaitGroup
	for i := range contenders {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 16))
			for round := range rounds {
				wanted := slices.Clone(tables)
				random.Shuffle(len(wanted), func(i, k int) { wanted[i], wanted[k] = wanted[k], wanted[i] })
				wanted = wanted[:1+random.IntN(3)]
				release, err := lock(ctx, nodes[i%3], fmt.Sprintf("%d of %d", round, i), wanted)
				if err != nil {
					t.Errorf("contender %d, round %d: %v", i, round, err)
					return
				}
				for _, table := range wanted {
					counts[table].add(t)
				}
				if err := release(ctx); err != nil {
					t.Errorf("contender %d, round %d: release %v: %v", i, round, wanted, err)
				}
			}
		})
	}
	all.Wait()
}

func TestI16_JointTicketsGetAllOrNothingAndNobodyIsStuck(t *testing.T) {
	testWithGuards(t, joint,
		guard{"the look at all lines", "", "ready and not r.ticket and", "ready and"},
		guard{"the wait of a joint head", "", "if head.session == line and head.owner then", "if head.owner then"},
		guard{"the fence of each line", opRelease,
			"if r.ticket == ticket and r.fence == fence then",
			"if r.ticket == ticket and r.fence == fence and line ~= 't2' then",
		},
		guard{"the news that a line is free", "",
			"publish(head.owner, {kind = 'ready', ticket = head.ticket}, head.session)", ""},
	)
}

// joint locks lines of one partition together. Beats are rare: who waits gets a message.
func joint(t testing.TB, edit func(*Client)) {
	rare := func(c *Client) {
		c.cfg.Beat, c.cfg.TTL, c.cfg.ClaimWindow = 10*time.Second, 20*time.Second, 10*time.Second
		edit(c)
	}
	contend(t, rare, func(ctx context.Context, c *Client, ticket string, tables []string) (unlock, error) {
		turn, err := c.Joint("evening", tables...).Lock(ctx, ticket)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) error { return turn.Release(ctx, 1) }, nil
	})
}

func TestI16_LinesOfSeveralPartitionsAreHadTogetherAndNobodyIsStuck(t *testing.T) {
	testWithGuards(t, func(t testing.TB, edit func(*Client)) {
		contend(t, func(c *Client) { edit(c); unhurried(&c.cfg) }, lockTogether)
	})
	testWithout(t, "the order in which they are locked", func(t testing.TB, edit func(*Client)) {
		contend(t, edit, lockOneByOne)
	}, func(*Client) {})
}

// lockTogether locks tables that are each a partition of their own.
func lockTogether(ctx context.Context, c *Client, ticket string, tables []string) (unlock, error) {
	turns, err := c.LockAll(ctx, ticket, partitions(tables...)...)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) error { return turns.Release(ctx, 1) }, nil
}

// lockOneByOne does so in the order in which they are given.
func lockOneByOne(ctx context.Context, c *Client, ticket string, tables []string) (unlock, error) {
	var turns []*Turn
	for _, name := range partitions(tables...) {
		turn, err := c.Line(name).Lock(ctx, ticket)
		if err != nil {
			return nil, err
		}
		turns = append(turns, turn)
	}
	return func(ctx context.Context) error {
		var errs []error
		for _, turn := range turns {
			errs = append(errs, turn.Release(ctx, 1))
		}
		return errors.Join(errs...)
	}, nil
}

// releases notes the lines in the order of their releases.
type releases struct {
	*recordingObserver
	lines logbook[string]
}

func (o *releases) Released(line Name, hold time.Duration, served int) {
	o.lines.add(line.Partition)
}

func (o *releases) all() string { return strings.Join(o.lines.all(), " ") }

// partitions names a line of each.
func partitions(names ...string) []Name {
	all := make([]Name, len(names))
	for i, name := range names {
		all[i] = Name{name, "line"}
	}
	return all
}

// lockAllFault is something that keeps LockAll from its last line.
type lockAllFault struct {
	happens func(h *harness, c *Client, stop context.CancelFunc) error
	want    error
	kept    string // lines that are given back
}

// lockAllInVain locks lines of which the last is held until the fault happens.
func lockAllInVain(t testing.TB, fail lockAllFault) {
	h := newHarness(t)
	seen := &releases{recordingObserver: newRecordingObserver()}
	c := h.node("a", func(cfg *Config) { unhurried(cfg); cfg.Observer = seen })
	other := h.node("b", unhurried)
	held, err := other.Line(Name{"c", "line"}).Lock(h.ctx(), "holder")
	dbtest.Must(t, err)
	ctx, stop := context.WithCancel(h.ctx())
	failed := make(chan error, 1)
	go func() {
		_, err := c.LockAll(ctx, "all", partitions("c", "a", "b")...)
		failed <- err
	}()
	eventually(t, "it waits for the last", func() bool {
		n, err := c.Lengths(h.ctx(), partitions("a", "b", "c"))
		return err == nil && slices.Equal(n, []int{1, 1, 2})
	})
	dbtest.Must(t, fail.happens(h, other, stop))
	if err := <-failed; !errors.Is(err, fail.want) {
		t.Errorf("got %v, want %v", err, fail.want)
	}
	if given := seen.all(); given != fail.kept {
		t.Errorf("given back: %s, want %s", given, fail.kept)
	}
	if n, err := c.Lengths(h.ctx(), partitions("a", "b", "c")); err != nil || !slices.Equal(n, []int{0, 0, 1}) {
		t.Errorf("%v stand in the lines, %v; want the holder of the last alone", n, err)
	}
	h.release(held, 1)
}

// Lines that cannot all be had are given back in reverse.
func TestLockAll_ReleasesInReverse(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]lockAllFault{
		"the caller gives up": {func(h *harness, _ *Client, stop context.CancelFunc) error {
			stop()
			return nil
		}, context.Canceled, "b a"},
		"the line is closed": {func(h *harness, c *Client, _ context.CancelFunc) error {
			_, err := c.Line(Name{"c", "line"}).Close(h.ctx(), "sold out")
			return err
		}, ErrClosed, "b a"},
		"one that was had is lost": {func(h *harness, c *Client, _ context.CancelFunc) error {
			_, err := c.Line(Name{"b", "line"}).Evict(h.ctx())
			return err
		}, ErrLeaseLost, "a"},
	} {
		t.Run(name, func(t *testing.T) {
			mustPass(t, func(t testing.TB) { lockAllInVain(t, fail) })
		})
	}
}

func TestLockAll_SeveralPartitions(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	seen := &releases{recordingObserver: newRecordingObserver()}
	c := h.node("a", func(cfg *Config) { cfg.Observer = seen })
	if _, err := c.LockAll(h.ctx(), "t1"); !errors.Is(err, ErrBadEntry) {
		t.Errorf("no lines: %v", err)
	}
	names := append(partitions("b", "a"), Name{"a", "other line"})
	turns, err := c.LockAll(h.ctx(), "t1", names...)
	dbtest.Must(t, err)
	a, other, b := turns.Fence(names[1]), turns.Fence(names[2]), turns.Fence(names[0])
	if a == 0 || a != other || b == 0 || turns.Fence(Name{"c", "line"}) != 0 {
		t.Errorf("fences %d, %d and %d, %d of a line that was not locked", a, other, b, turns.Fence(Name{"c", "line"}))
	}
	for range 2 {
		dbtest.Must(t, turns.Release(h.ctx(), 1))
	}
	if given := seen.all(); given != "b a" {
		t.Errorf("released %s, want b a", given)
	}
	within(t, time.Second, turns.Context())

	turns, err = c.LockAll(h.ctx(), "t2", names...)
	dbtest.Must(t, err)
	if _, err := h.node("b", unhurried).Line(names[0]).Evict(h.ctx()); err != nil {
		t.Fatal(err)
	}
	within(t, 5*time.Second, turns.Context())
	if cause := context.Cause(turns.Context()); !errors.Is(cause, ErrLeaseLost) {
		t.Errorf("the whole ended with %v", cause)
	}
	if err := turns.Release(h.ctx(), 1); !errors.Is(err, ErrStale) {
		t.Errorf("release: %v, want ErrStale", err)
	}
	if given := seen.all(); given != "b a a" {
		t.Errorf("released %s, want b, a and then a, which was not lost", given)
	}
}
