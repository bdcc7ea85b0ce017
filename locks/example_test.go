package locks_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/locks"
)

// evening is the line of the examples.
var evening = locks.Name{Partition: "r12:2026-11-21", Key: "19:00"}

// node connects a process to the lines with a prefix; close it at the end.
func node(prefix string) (client *locks.Client, close func()) {
	options, err := redis.ParseURL(os.Getenv("REDIS_URL"))
	check(err)
	rdb := redis.NewClient(options)
	client = locks.NewClient(rdb, locks.Config{Prefix: prefix})
	return client, func() {
		check(client.Close(context.Background()))
		check(rdb.Close())
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

// enter puts tickets into a line, one after the other.
func enter(line *locks.Line, tickets ...string) {
	for _, ticket := range tickets {
		_, err := line.Enter(context.Background(), locks.Entry{Ticket: ticket})
		check(err)
	}
}

// The simple use: wait for the turn, work, release. Turn.Fence goes along with what is written, so that the store can
// refuse a process that was stopped in the middle of its work.
func Example() {
	ctx := context.Background()
	rdb := redis.NewClient(must(redis.ParseURL(os.Getenv("REDIS_URL"))))
	defer rdb.Close()
	client := locks.NewClient(rdb, locks.Config{Prefix: "example"})
	defer client.Close(ctx)

	line := client.Line(locks.Name{Partition: "coupons", Key: "autumn"})
	turn, err := line.Lock(ctx, "ada")
	check(err)
	fmt.Println(turn.Ticket(), "works with a fence:", turn.Fence() > 0)
	check(turn.Release(ctx, 1))
	fmt.Println(turn.Context().Err())
	// Output:
	// ada works with a fence: true
	// context canceled
}

// A turn that is lost ends the context of its work: here an operator ends it, otherwise a lease that could not be
// renewed.
func ExampleLine_Lock() {
	ctx := context.Background()
	client, close := node("example-lock")
	defer close()
	line := client.Line(evening)

	turn, err := line.Lock(ctx, "ada")
	check(err)
	ticket, err := line.Evict(ctx)
	check(err)
	fmt.Println("evicted", ticket)

	<-turn.Context().Done() // pass it to the queries of the work
	fmt.Println(context.Cause(turn.Context()))
	fmt.Println(turn.Release(ctx, 1))
	// Output:
	// evicted ada
	// locks: lease lost
	// locks: the turn is over
}

// The place belongs to the ticket. Any process takes it over by entering the ticket, as after a reload that went to
// another server; the arrival number brings it back even when Redis has lost its data.
func ExampleLine_Enter() {
	ctx := context.Background()
	here, closeHere := node("example-enter")
	there, closeThere := node("example-enter")
	defer closeThere()

	holder, err := there.Line(evening).Lock(ctx, "ada")
	check(err)
	place, err := here.Line(evening).Enter(ctx, locks.Entry{Ticket: "grace"})
	check(err)
	fmt.Println("position", place.Position, "of", place.Count)
	closeHere() // the process ends

	again, err := there.Line(evening).Enter(ctx, locks.Entry{Ticket: "grace", Arrival: place.Arrival})
	check(err)
	fmt.Println("position", again.Position, "the same place:", again.Arrival == place.Arrival)

	check(holder.Release(ctx, 1))
	turn, err := there.Line(evening).Next(ctx)
	check(err)
	fmt.Println("the turn of", turn.Ticket())
	check(turn.Release(ctx, 1))
	// Output:
	// position 1 of 1
	// position 1 the same place: true
	// the turn of grace
}

// One turn serves a run of tickets, in one transaction for instance. Those of other processes come with the work that
// they entered with, and hear their result.
func ExampleTurn_Take() {
	ctx := context.Background()
	client, close := node("example-take")
	defer close()
	line := client.Line(evening)

	for _, ticket := range []string{"ada", "grace", "edsger", "barbara"} {
		_, err := line.Enter(ctx, locks.Entry{Ticket: ticket, Work: "a table for two"})
		check(err)
	}
	for range 2 {
		turn, err := line.Next(ctx)
		check(err)
		run, err := turn.Take(ctx, 2)
		check(err)
		fmt.Println("the turn of", turn.Ticket())
		for _, taken := range run {
			fmt.Println("  serves", taken.Ticket)
		}
		check(turn.Release(ctx, 1+len(run)))
	}
	// Output:
	// the turn of ada
	//   serves grace
	//   serves edsger
	// the turn of barbara
}

// A ticket may need several lines at once, such as tables that are joined: it has all of them or none.
func ExampleClient_Joint() {
	ctx := context.Background()
	client, close := node("example-joint")
	defer close()
	const partition = "r12:2026-11-21"

	window, err := client.Line(locks.Name{Partition: partition, Key: "window"}).Lock(ctx, "ada")
	check(err)
	both := client.Joint(partition, "window", "corner")
	place, err := both.Enter(ctx, locks.Entry{Ticket: "the party"})
	check(err)
	fmt.Println("granted:", place.Granted)

	check(window.Release(ctx, 1))
	turn, err := both.Next(ctx)
	check(err)
	fmt.Println(turn.Ticket(), "has both")
	check(turn.Release(ctx, 1))
	// Output:
	// granted: false
	// the party has both
}

// Lines of different partitions are locked in the order of their names, so that callers never block each other for
// ever.
func ExampleClient_LockAll() {
	ctx := context.Background()
	client, close := node("example-lockall")
	defer close()
	friday := locks.Name{Partition: "r12:2026-11-20", Key: "19:00"}
	saturday := locks.Name{Partition: "r12:2026-11-21", Key: "19:00"}

	turns, err := client.LockAll(ctx, "ada", saturday, friday)
	check(err)
	fmt.Println("both evenings:", turns.Fence(friday) > 0 && turns.Fence(saturday) > 0)

	impatient, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	_, err = client.LockAll(impatient, "grace", friday, saturday)
	fmt.Println("grace gives up:", errors.Is(err, context.DeadlineExceeded))
	check(turns.Release(ctx, 1))
	// Output:
	// both evenings: true
	// grace gives up: true
}

// What a waiting page shows: one call returns the positions of everybody in the line.
func ExampleLine_Progress() {
	ctx := context.Background()
	client, close := node("example-progress")
	defer close()
	line := client.Line(evening)

	turn, err := line.Lock(ctx, "ada")
	check(err)
	enter(line, "grace", "edsger")
	progress, err := line.Progress(ctx)
	check(err)
	position := progress.Positions["edsger"]
	fmt.Println("number", position, "of", progress.Count, "in about", progress.Estimate(position))
	for _, ticket := range []string{"grace", "edsger"} {
		check(line.Leave(ctx, ticket))
	}
	check(turn.Release(ctx, 1))
	// Output:
	// number 2 of 2 in about 6s
}
