package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"

	"lunchgo/app/rush"
	"lunchgo/app/token"
	"lunchgo/db/embedded"
)

// breakable is an installation of its own that is there to be broken: two instances behind a load balancer, of which
// the first reaches Redis and PostgreSQL through relays.
type breakable struct {
	dir       string
	config    Config
	secrets   token.Secrets
	binary    string
	postgres  *embedded.Server
	redis     *embedded.Server
	backends  *backends // of this process, without relays
	wires     []*embedded.Relay
	instances rush.Instances
	front     *front
	out       io.Writer
}

// openBreakable starts an installation in a scratch folder; progress goes to out. Close it, also with an error.
func openBreakable(ctx context.Context, out io.Writer) (b *breakable, err error) {
	b = &breakable{out: out}
	for _, s := range new(Config).table() { // what they say is of another installation
		_ = os.Unsetenv(s.name)
		_ = os.Unsetenv(s.name + fileSuffix)
	}
	if b.config, err = LoadConfig(); err != nil {
		return b, err
	}
	if b.binary, err = os.Executable(); err != nil {
		return b, err
	}
	if b.dir, err = os.MkdirTemp("", "lunchgo-break-"); err != nil {
		return b, err
	}
	if err := b.openBackends(ctx); err != nil {
		return b, err
	}
	return b, b.openInstances(ctx)
}

// openBackends starts PostgreSQL and Redis as "lunchgo serve" does without settings.
func (b *breakable) openBackends(ctx context.Context) (err error) {
	quiet := slog.New(slog.DiscardHandler) // they are killed on purpose
	if b.postgres, err = embedded.StartPostgres(ctx, b.dir, quiet); err != nil {
		return err
	}
	if b.redis, err = embedded.StartRedis(ctx, b.dir, quiet); err != nil {
		return err
	}
	b.config.DataDir, b.config.statementTime = b.dir, longStatements
	if b.secrets, err = b.config.secrets(); err != nil {
		return err
	}
	b.config.DatabaseURL, b.config.RedisURL = b.postgres.URL, b.redis.URL
	if b.backends, err = openBackends(ctx, b.config, quiet); err != nil {
		return err
	}
	return b.backends.DB.Migrate(ctx)
}

// openInstances starts the instances, with relays before the servers of the first one.
func (b *breakable) openInstances(ctx context.Context) error {
	wired := *b.backends
	for _, address := range []*string{&wired.databaseURL, &wired.redisURL} {
		if err := b.wire(address); err != nil {
			return err
		}
	}
	for _, reached := range []*backends{&wired, b.backends} {
		started, err := rush.StartInstances(ctx, 1, b.serveOn(reached))
		if b.instances = append(b.instances, started...); err != nil {
			return err
		}
	}
	var err error
	b.front, err = openFront(b.instances)
	return err
}

func (b *breakable) serveOn(reached *backends) func(at rush.Addresses) *exec.Cmd {
	return instanceOf(b.binary, reached, b.secrets)
}

// wire puts a relay before the server at an address, and makes it the address of that.
func (b *breakable) wire(address *string) error {
	relay, err := embedded.NewRelay(*address)
	if err != nil {
		return err
	}
	b.wires = append(b.wires, relay)
	*address = relay.URL
	return nil
}

// Close ends everything and removes it; without all being well, the logs of the instances stay.
func (b *breakable) Close(good bool) error {
	var faults []error
	if b.front != nil {
		faults = append(faults, b.front.Close())
	}
	b.instances.End()
	if good {
		faults = append(faults, b.instances.RemoveLogs())
	} else {
		for _, instance := range b.instances {
			fmt.Fprintln(b.out, "the log of an instance:", instance.Log)
		}
	}
	for _, wire := range b.wires {
		faults = append(faults, wire.Close())
	}
	if b.backends != nil {
		faults = append(faults, b.backends.Close())
	}
	ctx, cancel := context.WithTimeout(context.Background(), privateStop)
	defer cancel()
	for _, server := range []*embedded.Server{b.redis, b.postgres} {
		if server != nil {
			faults = append(faults, server.Stop(ctx))
		}
	}
	return errors.Join(append(faults, b.removeData())...)
}

// removeData removes the scratch folder, and what of it root had to keep elsewhere, where a link leads to.
func (b *breakable) removeData() error {
	if b.dir == "" {
		return nil
	}
	var faults []error
	links, err := filepath.Glob(filepath.Join(b.dir, "*"))
	for _, link := range links {
		if kept, err := filepath.EvalSymlinks(link); err == nil {
			faults = append(faults, os.RemoveAll(kept))
		}
	}
	return errors.Join(append(faults, err, os.RemoveAll(b.dir))...)
}
