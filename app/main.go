// LunchGo takes restaurant reservations when everybody wants the same table at the same minute.
//
// This package is the composition root: it builds the parts from the configuration and knows all of them; nothing
// imports it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	_ "time/tzdata" // restaurants have time zones wherever the binary runs
)

// need is what a command needs before it begins.
type need int

const (
	nothing  need = iota // it runs whatever the settings say
	settings             // they are right
	signing              // and there is a SECRET beside DATABASE_URL
	lines                // and a REDIS_URL
)

// commands are what the binary can do; each returns the error that ends it.
var commands = []struct {
	name, about string
	needs       need
	run         func(ctx context.Context, c Config, args []string, out io.Writer) error
}{
	{"serve", "serve the pages and the API (the default)", lines, serveCommand},
	{"migrate", "bring the database's schema up to date", settings, migrateCommand},
	{"seed", "load the demo restaurants; --diners N --tokens FILE makes diners for load tests", lines, seedCommand},
	{"rush", "let a crowd press at the same moment, and report; rush --help lists the flags", lines, rushCommand},
	{"break", "start an installation, kill a part of it in the middle of a rush, and report; break --help", nothing,
		breakCommand},
	{"audit", "prove from the tables that nothing is oversold and the books balance; --json", settings, auditCommand},
	{"events", "print what happens as events, with Kafka or without; events --help lists the flags", settings,
		eventsCommand},
	{"replay", "send kept events to Kafka again; replay --help lists the flags", settings, replayCommand},
	{"rotate", "after a change of SECRET: seal what is stored under SECRET_OLD anew", signing, rotateCommand},
	{"verify", "check a diner's receipt against the log that a site publishes of its line; verify --help", nothing,
		verifyCommand},
	{"openapi", "print the description of the JSON API, as OpenAPI 3.1", nothing, openAPICommand},
	{"healthcheck", "ask a running server whether it is alive; for containers", settings, healthCommand},
	{"version", "say which build this is", nothing, versionCommand},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := runCommand(ctx, os.Args[1:], os.Stdout)
	stop()
	switch {
	case errors.Is(err, errUsage):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "lunchgo:", strings.ReplaceAll(err.Error(), "\n", "\nlunchgo: ")) // settings are several
		os.Exit(1)
	}
}

// errUsage says that what is wrong was printed already.
var errUsage = errors.New("usage")

// badFlags is what a command returns that could not read its flags: nothing where they asked for help.
func badFlags(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	return errUsage
}

// newFlags returns the flags of a command, whose help says first how it is called and what it does.
func newFlags(out io.Writer, call, about string) *flag.FlagSet {
	flags := flag.NewFlagSet(call, flag.ContinueOnError)
	flags.SetOutput(out)
	flags.Usage = func() {
		fmt.Fprintf(out, "Usage: lunchgo %s\n\n%s\n\n", call, about)
		flags.PrintDefaults()
	}
	return flags
}

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
		if command.needs >= signing {
			err = errors.Join(err, config.checkSigning())
		}
		if command.needs == lines {
			err = errors.Join(err, config.checkLines())
		}
		if err != nil && command.needs != nothing {
			return err
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
