// LunchGo takes restaurant reservations when everybody wants the same table at the same minute.
//
// This package is the composition root: it builds the parts from the configuration and knows all of them; nothing
// imports it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // restaurants have time zones wherever the binary runs
)

// commands are what the binary can do; each returns the error that ends it. Those that sign need SECRET beside
// DATABASE_URL.
var commands = []struct {
	name, about string
	signs       bool
	run         func(ctx context.Context, c Config, args []string, out io.Writer) error
}{
	{"serve", "serve the pages and the API (the default)", true, serveCommand},
	{"migrate", "bring the database's schema up to date", false, migrateCommand},
	{"seed", "load the demo restaurants; --diners N --tokens FILE makes diners for load tests", true, seedCommand},
	{"rush", "let a crowd press at the same moment, and report; rush --help lists the flags", true, rushCommand},
	{"audit", "prove from the tables that nothing is oversold and the books balance; --json", false, auditCommand},
	{"replay", "send kept events to Kafka again; replay --help lists the flags", false, replayCommand},
	{"verify", "check a diner's receipt against the log that a site publishes of its line; verify --help", false,
		verifyCommand},
	{"healthcheck", "ask a running server whether it is alive; for containers", false, healthCommand},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := runCommand(ctx, os.Args[1:], os.Stdout)
	stop()
	switch {
	case errors.Is(err, errUsage):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "lunchgo:", err)
		os.Exit(1)
	}
}

// errUsage says that what is wrong was printed already.
var errUsage = errors.New("usage")

func runCommand(ctx context.Context, args []string, out io.Writer) error {
	name := "serve"
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	for _, command := range commands {
		if command.name != name {
			continue
		}
		config, err := LoadConfig()
		if command.signs {
			err = errors.Join(err, config.checkSigning())
		}
		if err != nil {
			return fmt.Errorf("the settings are not right:\n%w", err)
		}
		return command.run(ctx, config, args, out)
	}
	fmt.Fprintln(out, "usage: lunchgo [command]")
	for _, command := range commands {
		fmt.Fprintf(out, "  %-12s %s\n", command.name, command.about)
	}
	if name == "help" || name == "--help" || name == "-h" {
		return nil
	}
	return errUsage
}

func migrateCommand(ctx context.Context, c Config, _ []string, out io.Writer) (err error) {
	b, err := openDatabase(ctx, c, newLog(c))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if err := b.DB.Migrate(ctx); err != nil {
		return err
	}
	fmt.Fprintln(out, "the database is up to date")
	return nil
}
