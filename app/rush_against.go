package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/redisclient"
	"lunchgo/app/rush"
	"lunchgo/app/rush/against"
)

// designArgument makes a rush the server of a design: "lunchgo rush design NAME PREFIX THREADS".
const designArgument = "design"

// ours is how a comparison calls this product.
const ours = "lunchgo"

// compare runs the same rush at this product and at the designs, one after the other, and writes what compares.
func compare(ctx context.Context, c Config, o rush.Options, out io.Writer) (err error) {
	c.statementTime = longStatements
	b, err := openBackends(ctx, c, newLog(c))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	say := progressOf(o)
	fmt.Fprintln(say, ours)
	report, err := rushOn(ctx, c, b, o)
	if err != nil {
		return err
	}
	compared := rush.Comparison{Rows: []rush.Row{rush.NewRow(ours, report)}}
	for _, name := range o.Against {
		fmt.Fprintln(say, name)
		report, err := rushDesign(ctx, c, b, o, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		compared.Rows = append(compared.Rows, rush.NewRow(name, report))
	}
	if err := rush.Write(out, compared, o.JSON); err != nil {
		return err
	}
	if !report.Good() {
		return errPromiseBroken
	}
	return nil
}

// rushDesign runs a rush at servers of a design, on a database of their own that it removes afterwards.
func rushDesign(ctx context.Context, c Config, b *backends, o rush.Options, name string) (report rush.Report,
	err error) {
	scratch, err := against.OpenScratch(ctx, b.databaseURL, b.Redis)
	if err != nil {
		return rush.Report{}, err
	}
	defer func() { err = errors.Join(err, scratch.Close()) }()
	binary, err := os.Executable()
	if err != nil {
		return rush.Report{}, err
	}
	secrets, err := c.secrets()
	if err != nil {
		return rush.Report{}, err
	}
	target := rush.Target{Installation: scratch, Meter: meter{b}, Diners: dinersOf(binary),
		Retry: against.RetryOf(name)}
	return rushAtInstances(ctx, o, target, func(at rush.Addresses) *exec.Cmd {
		cmd := exec.Command(binary, "rush", designArgument, name, scratch.Prefix, strconv.Itoa(o.Threads))
		cmd.Env = append(os.Environ(), "ADDR="+at.Site, "OPS_ADDR="+at.Ops, "DATABASE_URL="+scratch.URL,
			"REDIS_URL="+b.redisURL, "SECRET="+secrets[0], "DATABASE_URL_FILE=", "REDIS_URL_FILE=", "SECRET_FILE=")
		return cmd
	})
}

// serveDesign is the server of a design, until ctx ends.
func serveDesign(ctx context.Context, c Config, args []string) (err error) {
	collectLessOften(c)
	threads, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	config := against.Config{Design: args[0], Prefix: args[1], Threads: threads,
		DatabaseURL: c.DatabaseURL, Addr: c.Addr,
		OpsAddr: c.OpsAddr}
	for _, client := range []*redis.UniversalClient{&config.Redis, &config.Tries} {
		if *client, err = redisclient.Connect(ctx, c.RedisURL); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, (*client).Close()) }()
	}
	return against.Serve(ctx, config)
}
