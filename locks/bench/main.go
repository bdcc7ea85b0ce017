// Command bench compares the line (package locks) with other locks for Redis: the same work, in the same run, on the
// same private Redis.
//
// The work is in contest.go: waiters queue up, one after another, for a lock that is held; then it is handed on until
// each has had it once, for nothing. What each library gets a message to do is in its own file: line.go, redislock.go,
// redsync.go, rueidislock.go. What is measured is in round.go (hand-offs), usage.go (Redis and memory) and order.go.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"lunchgo/db/embedded"
)

// plan is what to measure.
type plan struct {
	waiters   []int
	nodes     []int
	budget    time.Duration // bounds the queueing, and then the hand-offs, of every cell of the table
	libraries []library
}

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string, out, progress io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	waiters := flags.String("waiters", "10,100,1000,10000", "how many wait for the lock, one table for each")
	nodes := flags.String("nodes", "1,2",
		"over how many nodes, each with connections of its own, the waiters are spread")
	budget := flags.Duration("budget", 10*time.Second, "the longest that a library may take for its hand-offs")
	asJSON := flags.Bool("json", false, "print JSON instead of tables")
	if err := flags.Parse(args); err != nil {
		return err
	}
	p := plan{budget: *budget, libraries: libraries}
	var err error
	if p.waiters, err = numbers(*waiters); err != nil {
		return fmt.Errorf("-waiters: %w", err)
	}
	if p.nodes, err = numbers(*nodes); err != nil {
		return fmt.Errorf("-nodes: %w", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return onPrivateRedis(ctx, func(url string) error {
		if *asJSON {
			results, err := p.measure(ctx, url, progress, nil)
			if err != nil {
				return err
			}
			return json.NewEncoder(out).Encode(results)
		}
		return p.print(ctx, url, out, progress)
	})
}

// print prints a table as soon as all its rows are there.
func (p plan) print(ctx context.Context, url string, out, progress io.Writer) error {
	heading(out, p)
	results, err := p.measure(ctx, url, progress, func(rows []Result) { table(out, rows) })
	if err != nil {
		return err
	}
	legend(out, p)
	aims(out, results)
	return formulas(ctx, url, out, formulaClients)
}

// measure runs every cell; each, if not nil, is given the rows of one number of nodes and waiters.
func (p plan) measure(ctx context.Context, url string, progress io.Writer, each func([]Result)) ([]Result, error) {
	var all []Result
	for _, nodes := range p.nodes {
		for _, waiters := range p.waiters {
			var rows []Result
			for _, lib := range p.libraries {
				fmt.Fprintf(progress, "%s, %s at %s …\n", lib.name, plural(waiters, "waiter"), plural(nodes, "node"))
				r, err := contest{lib, waiters, nodes, p.budget, url}.measure(ctx)
				if err != nil {
					return nil, fmt.Errorf("%s, %d waiters at %d nodes: %w", lib.name, waiters, nodes, err)
				}
				rows = append(rows, r)
			}
			if each != nil {
				each(rows)
			}
			all = append(all, rows...)
		}
	}
	return all, nil
}

func onPrivateRedis(ctx context.Context, work func(url string) error) error {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	server, err := embedded.StartScratchRedis(ctx, dir, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer server.Stop(context.Background())
	return work(server.URL)
}

func numbers(list string) ([]int, error) {
	var out []int
	for _, word := range strings.Split(list, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is not a list of numbers above 0", list)
		}
		out = append(out, n)
	}
	return out, nil
}
