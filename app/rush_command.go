package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"lunchgo/app/redisclient"
	"lunchgo/app/rush"
	"lunchgo/app/token"
)

// errPromiseBroken says that a rush has shown what must not happen.
var errPromiseBroken = errors.New(
	"the rush has shown faults: see oversold, fifoInversions, wireInversions, failed and httpErrors")

// dinersArgument makes a rush a process that plays some of the diners of another one: "lunchgo rush diners".
const dinersArgument = "diners"

// rushCommand lets a crowd loose on an installation and writes the report to out, its progress to the standard error.
func rushCommand(ctx context.Context, c Config, args []string, out io.Writer) (err error) {
	raiseOpenFiles()
	if len(args) == 1 && args[0] == dinersArgument {
		return rush.ServeDiners(ctx, os.Stdin, out)
	}
	if len(args) == 4 && args[0] == designArgument {
		return serveDesign(ctx, c, args[1:])
	}
	o, err := rush.ParseFlags(args, out)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return errUsage
	}
	if len(o.Against) > 0 {
		return compare(ctx, c, o, out)
	}
	report, err := rushAt(ctx, c, o)
	if err != nil {
		return err
	}
	if err := rush.Write(out, report, o.JSON); err != nil {
		return err
	}
	if !report.Good() {
		if o.JSON {
			fmt.Fprintln(os.Stderr, strings.Join(report.Notes, "\n")) // the table has them already
		}
		return errPromiseBroken
	}
	return nil
}

// rushAt runs a rush at the instances it names, or at some that it starts itself and ends afterwards.
func rushAt(ctx context.Context, c Config, o rush.Options) (report rush.Report, err error) {
	c.statementTime = longStatements
	b, err := openBackends(ctx, c, newLog(c))
	if err != nil {
		return rush.Report{}, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	return rushOn(ctx, c, b, o)
}

// rushOn is rushAt with backends that are open.
func rushOn(ctx context.Context, c Config, b *backends, o rush.Options) (rush.Report, error) {
	if err := b.DB.Migrate(ctx); err != nil {
		return rush.Report{}, err
	}
	secrets, err := c.secrets()
	if err != nil {
		return rush.Report{}, err
	}
	binary, err := os.Executable()
	if err != nil {
		return rush.Report{}, err
	}
	target := rush.Target{URLs: o.URLs, Ops: o.Ops, Installation: newOperator(c, b, secrets), Meter: meter{b},
		Diners: dinersOf(binary)}
	if len(o.URLs) > 0 {
		ours := localURL(c.OpsAddr)
		if len(o.Ops) == 0 && c.OpsAddr != "" && len(o.URLs) == 1 && rush.ShowsMetricsOf(ctx, ours, o.URLs[0]) {
			target.Ops = []string{ours}
		}
		return rush.Run(ctx, o, target, progressOf(o))
	}
	files := fileLimits{limit: raiseOpenFiles(), redisConns: redisclient.MaxConns(ctx, b.Redis)}
	if err := checkRush(c, files, o); err != nil {
		return rush.Report{}, err
	}
	return rushAtInstances(ctx, o, target, instanceOf(binary, b, secrets))
}

// dinersOf makes the command of a process of diners.
func dinersOf(binary string) func() *exec.Cmd {
	return func() *exec.Cmd { return exec.Command(binary, "rush", dinersArgument) }
}

// rushAtInstances runs a rush at instances that it starts and ends.
func rushAtInstances(ctx context.Context, o rush.Options, target rush.Target,
	command func(at rush.Addresses) *exec.Cmd) (report rush.Report, err error) {
	instances, err := rush.StartInstances(ctx, o.Instances, command)
	defer func() {
		instances.End()
		if ctx.Err() != nil || err == nil && (report.Good() || len(o.Against) > 0) {
			err = errors.Join(err, instances.RemoveLogs())
			return
		}
		for _, instance := range instances {
			fmt.Fprintln(os.Stderr, "the log of an instance:", instance.Log)
		}
	}()
	if err != nil {
		return rush.Report{}, err
	}
	for _, instance := range instances {
		target.URLs = append(target.URLs, instance.URL)
		target.Ops = append(target.Ops, instance.Ops)
	}
	return rush.Run(ctx, o, target, progressOf(o))
}

// progressOf is where progress goes. With --json it goes nowhere.
func progressOf(o rush.Options) io.Writer {
	if o.JSON && !rush.IsTerminal(os.Stderr) {
		return io.Discard
	}
	return os.Stderr
}

// instanceOf makes the command of a server of this binary on the same database, Redis and secrets.
func instanceOf(binary string, b *backends, secrets token.Secrets) func(at rush.Addresses) *exec.Cmd {
	return func(at rush.Addresses) *exec.Cmd {
		cmd := exec.Command(binary, "serve")
		cmd.Env = append(os.Environ(), "ADDR="+at.Site, "OPS_ADDR="+at.Ops, "PUBLIC_URL=", "DEMO=false",
			"OPERATOR_LINK=false", "DATABASE_URL="+b.databaseURL, "REDIS_URL="+b.redisURL, "SECRET="+secrets[0],
			"DATABASE_URL_FILE=", "REDIS_URL_FILE=", "SECRET_FILE=")
		return cmd
	}
}
