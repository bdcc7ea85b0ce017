package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/locks"
)

// What waiting costs by formula, and by the commands that Redis has counted. N clients want one lock at one moment;
// each has it once.
//
//   - spin: everybody tries SETNX at once, and then again every interval, while each holder holds for some intervals:
//     N + N(N−1)/2 × hold/interval tries, no message.
//   - wake all: a release publishes to everybody who waits, and each of them tries again: N + N(N−1)/2 tries and N(N−1)/2
//     messages, of which the last gets N−1.
//   - the line: a ticket a waiter, which is granted once, with one message; none where it goes to the node that releases.

// holdIntervals is how many intervals a holder holds the lock, in the formula of the spin lock.
const holdIntervals = 5

// formulaClients are the rows of the table.
var formulaClients = []int{10, 100, 1000}

// formulaKey is the lock, and the channel of its releases.
const formulaKey = "formula"

// cost is what N clients have cost Redis until each has had the lock.
type cost struct {
	Tries    int // commands that ask for the lock
	Messages int // that clients got
}

// design is a way to wait.
type design struct {
	name      string
	most      int // clients, so that it ends today
	predicted func(n int) cost
	measure   func(ctx context.Context, url string, n int) (cost, error)
}

func pairs(n int) int { return n * (n - 1) / 2 }

var designs = []design{
	{"spin, hold/interval = " + strconv.Itoa(holdIntervals), 100,
		func(n int) cost { return cost{Tries: n + pairs(n)*holdIntervals} }, spin},
	{"pub/sub, wakes all", 100, func(n int) cost { return cost{Tries: n + pairs(n), Messages: pairs(n)} }, wakeAll},
	{"the line", 1000, func(n int) cost { return cost{Tries: n, Messages: n} }, inLine},
}

// formulas prints, for each design and number of clients, what was predicted and what Redis counted.
func formulas(ctx context.Context, url string, out io.Writer, clients []int) error {
	fmt.Fprint(out,
		"\nWhat waiting costs until each of N clients has had the lock, by formula and as Redis counts it\n")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\tN\ttries predicted\tmeasured\tmessages predicted\tmeasured\ttries a client\t\n")
	for _, d := range designs {
		for _, n := range clients {
			if n > d.most {
				continue
			}
			got, err := d.measure(ctx, url, n)
			if err != nil {
				return fmt.Errorf("%s, %d clients: %w", d.name, n, err)
			}
			want := d.predicted(n)
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", d.name, grouped(n), grouped(want.Tries),
				grouped(got.Tries), grouped(want.Messages), grouped(got.Messages),
				figure(float64(got.Tries)/float64(n)))
		}
	}
	return w.Flush()
}

// spin takes the interval as the unit of time: in each, everybody who waits tries once. So a busy machine changes
// nothing.
func spin(ctx context.Context, url string, n int) (cost, error) {
	m, err := openMeter(ctx, url)
	if err != nil {
		return cost{}, err
	}
	defer m.rdb.Close()
	left := 0 // intervals that the holder still holds
	for waiting := n; waiting > 0; left-- {
		if left == 0 {
			if err := m.rdb.Del(ctx, formulaKey).Err(); err != nil {
				return cost{}, err
			}
			left = holdIntervals
		}
		won, err := m.tryAll(ctx, waiting)
		if err != nil {
			return cost{}, err
		}
		waiting -= won
	}
	return m.cost(ctx, 0)
}

// wakeAll has everybody subscribe before they try. A holder holds for longer than a try takes: until all have tried.
func wakeAll(ctx context.Context, url string, n int) (cost, error) {
	m, err := openMeter(ctx, url)
	if err != nil {
		return cost{}, err
	}
	defer m.rdb.Close()
	subscriptions := make([]*redis.PubSub, n)
	for i := range subscriptions {
		subscriptions[i] = m.rdb.Subscribe(ctx, formulaKey)
		defer subscriptions[i].Close()
		if _, err := subscriptions[i].Receive(ctx); err != nil {
			return cost{}, err
		}
	}
	messages := 0
	for waiting := n; waiting > 0; {
		winner, err := m.race(ctx, subscriptions[:waiting], waiting < n)
		if err != nil {
			return cost{}, err
		}
		waiting--
		subscriptions[winner], subscriptions[waiting] = subscriptions[waiting], subscriptions[winner]
		if err := subscriptions[waiting].Unsubscribe(ctx, formulaKey); err != nil {
			return cost{}, err
		}
		if _, err := subscriptions[waiting].Receive(ctx); err != nil { // so that Redis has heard of it
			return cost{}, err
		}
		if err := m.rdb.Del(ctx, formulaKey).Err(); err != nil {
			return cost{}, err
		}
		got, err := m.rdb.Publish(ctx, formulaKey, "free").Result()
		if err != nil {
			return cost{}, err
		}
		messages += int(got)
	}
	return m.cost(ctx, messages)
}

// inLine queues tickets of two nodes in turn behind a holder, and hands the lock on until each has had it: every grant
// goes to the other node, so it needs its message. What Redis publishes are the wake-ups; what it is asked for the lock
// are the entries into the line.
func inLine(ctx context.Context, url string, n int) (cost, error) {
	m, err := openMeter(ctx, url)
	if err != nil {
		return cost{}, err
	}
	defer m.rdb.Close()
	m.rdb.AddHook(watch{new(atomic.Int64)}) // by which queue knows who has asked
	nodes := make([]node, 2)
	for i := range nodes {
		client := locks.NewClient(m.rdb, locks.Config{MaxHold: patience, Logger: slog.New(slog.DiscardHandler)})
		defer client.Close(context.WithoutCancel(ctx))
		nodes[i] = &lineNode{m.rdb, client}
	}
	first, err := nodes[1].lock(ctx, formulaKey)
	if err != nil {
		return cost{}, err
	}
	race := newRound(formulaKey, n)
	race.queue(ctx, nodes, patience)
	before, err := m.published(ctx)
	if err != nil {
		return cost{}, err
	}
	race.open(ctx, first)
	select {
	case <-race.done:
	case <-time.After(patience):
		return cost{}, fmt.Errorf("not all of %d turns came", n)
	}
	if err := race.dismiss(); err != nil {
		return cost{}, err
	}
	after, err := m.published(ctx)
	return cost{Tries: len(race.order), Messages: after - before}, err
}

// meter reads from Redis how often a command was carried out.
type meter struct{ rdb *redis.Client }

// openMeter empties Redis, and its counters.
func openMeter(ctx context.Context, url string) (meter, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return meter{}, err
	}
	options.PoolSize = poolSize
	m := meter{redis.NewClient(options)}
	if err := m.rdb.FlushAll(ctx).Err(); err != nil {
		return m, err
	}
	return m, m.rdb.ConfigResetStat(ctx).Err()
}

// calls is how often Redis has carried out a command, within scripts too.
func (m meter) calls(ctx context.Context, command string) (int, error) {
	info, err := m.rdb.Info(ctx, "commandstats").Result()
	if err != nil {
		return 0, err
	}
	_, stat, found := strings.Cut(info, "cmdstat_"+command+":calls=")
	if !found {
		return 0, nil
	}
	number, _, _ := strings.Cut(stat, ",")
	return strconv.Atoi(number)
}

func (m meter) published(ctx context.Context) (int, error) {
	plain, err := m.calls(ctx, "publish")
	if err != nil {
		return 0, err
	}
	sharded, err := m.calls(ctx, "spublish")
	return plain + sharded, err
}

// cost counts the tries, which the driver sends as SET with NX.
func (m meter) cost(ctx context.Context, messages int) (cost, error) {
	tries, err := m.calls(ctx, "set")
	return cost{Tries: tries, Messages: messages}, err
}

// tryAll lets so many clients try to get the lock at once, and returns how many did.
func (m meter) tryAll(ctx context.Context, clients int) (won int, err error) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			got, tryErr := m.rdb.SetNX(ctx, formulaKey, "held", 0).Result()
			mu.Lock()
			defer mu.Unlock()
			if got {
				won++
			}
			if tryErr != nil {
				err = tryErr
			}
		})
	}
	all.Wait()
	return won, err
}

// race lets each who is subscribed try at once, after the message of a release if there was one, and returns who won.
func (m meter) race(ctx context.Context, subscriptions []*redis.PubSub, woken bool) (winner int, err error) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for i, s := range subscriptions {
		all.Go(func() {
			var tryErr error
			if woken {
				_, tryErr = s.ReceiveMessage(ctx)
			}
			got := false
			if tryErr == nil {
				got, tryErr = m.rdb.SetNX(ctx, formulaKey, "held", 0).Result()
			}
			mu.Lock()
			defer mu.Unlock()
			if got {
				winner = i
			}
			if tryErr != nil {
				err = tryErr
			}
		})
	}
	all.Wait()
	return winner, err
}
