// Measure runs the commands of docs/performance.md, all or those of the blocks that it is given by name, stores what
// they measured, and writes the tables of the documents anew: measure [--anyway] [block...]; measure [--anyway] growth
// measures how costs grow.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"lunchgo/db/dbtest/measured"
)

// document has the blocks.
const document = "docs/performance.md"

func main() {
	anyway := flag.Bool("anyway", false, "measure on a busy machine, too")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := measure(ctx, *anyway, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, anyway bool, names []string) error {
	run, err := thisRun()
	if err != nil {
		return err
	}
	busy := run.Load > float64(run.Processors)/2
	if busy && !anyway {
		return fmt.Errorf("the machine is busy: load %.1f, %d processors; wait, or give --anyway", run.Load,
			run.Processors)
	}
	blocks, err := blocksOf(document, names)
	if err != nil {
		return err
	}
	var all []string
	var failed error
	for _, block := range blocks {
		all = append(all, block.Name)
		if len(names) > 0 && !slices.Contains(names, block.Name) || ctx.Err() != nil ||
			len(names) == 0 && block.Name == growthBlock {
			continue
		}
		began, outcome := time.Now(), ""
		if block.Rows, err = measureBlock(ctx, block); err != nil {
			outcome = ": failed"
			failed = errors.Join(failed, fmt.Errorf("%s keeps its results: %w", block.Name, err))
		} else {
			run.Blocks = append(run.Blocks, block)
		}
		fmt.Printf("%-24s %4.0f s  %s%s\n", block.Name, time.Since(began).Seconds(), block.Command, outcome)
	}
	return errors.Join(failed, ctx.Err(), store(context.WithoutCancel(ctx), run, all))
}

// measureBlock returns what a block measured.
func measureBlock(ctx context.Context, block measured.Block) ([]measured.Row, error) {
	if block.Name == growthBlock {
		return measureGrowth(ctx)
	}
	return rows(ctx, block)
}

// blocksOf returns the blocks of a document, which has those that are named.
func blocksOf(document string, names []string) ([]measured.Block, error) {
	text, err := os.ReadFile(document)
	if err != nil {
		return nil, err
	}
	blocks := measured.BlocksOf(string(text))
	for _, name := range names {
		if !slices.ContainsFunc(blocks, func(b measured.Block) bool { return b.Name == name }) {
			return nil, fmt.Errorf("%s has no block %s", document, name)
		}
	}
	return blocks, nil
}

// store stores a run among the results, and has the documents show them.
func store(ctx context.Context, run measured.Run, blocks []string) error {
	var results measured.Results
	old, err := os.ReadFile(measured.File)
	if err == nil {
		err = json.Unmarshal(old, &results)
	}
	if err != nil {
		return err
	}
	encoded, err := results.Replace(run, blocks).Encode()
	if err != nil {
		return err
	}
	if err := os.WriteFile(measured.File, encoded, 0o644); err != nil {
		return err
	}
	_, err = execute(ctx, "go test ./app -run '^TestDocuments_ShowWhatWasMeasured$' -update")
	return err
}
