// Command prepare makes the server that all test processes of a run begin with: prepare FOLDER.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/tables"
)

// limit bounds it on a busy machine.
const limit = 2 * time.Minute

func main() {
	if err := prepare(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "prepare:", err)
		os.Exit(1)
	}
}

func prepare(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("one folder, not %q", args)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	return dbtest.PrepareServer(ctx, args[0], tables.Name, tables.Make)
}
