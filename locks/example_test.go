package locks_test

import (
	"context"
	"fmt"
	"os"

	"github.com/redis/go-redis/v9"

	"lunchgo/locks"
)

func connect() *redis.Client {
	options, err := redis.ParseURL(os.Getenv("REDIS_URL"))
	if err != nil {
		panic(err)
	}
	return redis.NewClient(options)
}

// A server enters the tickets of its diners, and serves their turns as they come.
func Example() {
	ctx := context.Background()
	rdb := connect()
	defer rdb.Close()
	client := locks.NewClient(rdb, locks.Config{Prefix: "example"})
	defer client.Close(ctx)

	line := client.Line(locks.Name{Partition: "r12:2026-11-21", Key: "19:00"})
	for _, ticket := range []string{"ada", "grace", "edsger"} {
		place, err := line.Enter(ctx, locks.Entry{Ticket: ticket})
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: granted %t, position %d of %d\n", ticket, place.Granted, place.Position, place.Count)
	}
	for range 2 {
		turn, err := line.Next(ctx)
		if err != nil {
			panic(err)
		}
		along, err := turn.Take(ctx, 1)
		if err != nil {
			panic(err)
		}
		fmt.Printf("the turn of %s serves %d more\n", turn.Ticket(), len(along))
		if err := turn.Release(ctx, 1+len(along)); err != nil {
			panic(err)
		}
	}
	// Output:
	// ada: granted true, position 0 of 0
	// grace: granted false, position 1 of 1
	// edsger: granted false, position 2 of 2
	// the turn of ada serves 1 more
	// the turn of edsger serves 0 more
}

// The simple use: wait for one ticket's own turn.
func ExampleLine_Lock() {
	ctx := context.Background()
	rdb := connect()
	defer rdb.Close()
	client := locks.NewClient(rdb, locks.Config{Prefix: "example-lock"})
	defer client.Close(ctx)

	turn, err := client.Line(locks.Name{Partition: "coupons", Key: "autumn"}).Lock(ctx, "ada")
	if err != nil {
		panic(err)
	}
	fmt.Println(turn.Ticket(), turn.Context().Err())
	if err := turn.Release(ctx, 1); err != nil {
		panic(err)
	}
	fmt.Println(turn.Context().Err())
	// Output:
	// ada <nil>
	// context canceled
}
