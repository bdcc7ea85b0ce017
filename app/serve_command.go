package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/seed"
	"lunchgo/app/web/diner"
)

// shutdownTime is how long requests and turns under way may take once the process was asked to end. What is left of five
// seconds belongs to the private servers.
const shutdownTime = 3 * time.Second

// serveCommand serves until ctx ends.
func serveCommand(ctx context.Context, c Config, args []string, out io.Writer) error {
	if len(args) > 0 {
		fmt.Fprintln(out, "lunchgo serve takes no arguments; its settings come from the environment")
		return errUsage
	}
	return serve(ctx, c, func(url string) { greet(out, c, url) })
}

// serve runs one instance until ctx ends; ready is told its address once it answers there.
func serve(ctx context.Context, c Config, ready func(url string)) (err error) {
	log := newLog(c)
	b, err := openBackends(ctx, c, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if err := b.DB.Migrate(ctx); err != nil {
		return err
	}
	inst, err := newInstance(c, b, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, inst.close()) }()
	if c.demo() {
		if err := seed.Demo(ctx, inst.seedStores(), time.Now()); err != nil {
			return fmt.Errorf("load the demo: %w", err)
		}
	}
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return err
	}
	return inst.serve(ctx, listener, ready)
}

// serve answers on listener until ctx ends or serving fails.
func (i *instance) serve(ctx context.Context, listener net.Listener, ready func(url string)) error {
	failed := make(chan error, 1)
	go func() { failed <- i.site.Serve(listener) }()
	ready("http://" + listener.Addr().String())
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	i.log.Info("ending: browsers come back by themselves, places in line are kept")
	return errors.Join(i.room.Close(stopping), i.site.Shutdown(stopping), <-failed)
}

// greet tells whoever started the server where it is and, in a demo, who may sign in.
func greet(out io.Writer, c Config, url string) {
	if c.PublicURL != "" {
		url = c.PublicURL
	}
	fmt.Fprintf(out, "\n  LunchGo serves at %s\n", url)
	if c.demo() {
		fmt.Fprintf(out, "  diner  %-24s password %s\n", seed.DinerEmail, seed.DemoPassword)
		fmt.Fprintf(out, "  staff  %-24s password %s  at %s/staff\n", seed.StaffEmail, seed.DemoPassword, url)
	}
	fmt.Fprintln(out)
}

// demoAccounts are offered on the sign-in page of a demo.
func demoAccounts(c Config) []diner.DemoAccount {
	if !c.demo() {
		return nil
	}
	return []diner.DemoAccount{
		{Name: booking.Text{Ko: "손님", En: "Diner"}, Email: seed.DinerEmail, Password: seed.DemoPassword},
		{Name: booking.Text{Ko: "식당 직원", En: "Restaurant staff"}, Email: seed.StaffEmail, Password: seed.DemoPassword},
	}
}

// seedStores is what the demo is loaded through.
func (i *instance) seedStores() seed.Stores {
	return seed.Stores{
		Catalog:      i.catalog,
		Slots:        i.slots,
		Reservations: i.reservations,
		Wallets:      i.wallets,
		Users:        i.users,
		Operator:     i.operator,
		Hash:         func(password string) (string, error) { return i.hasher.Hash(context.Background(), password) },
	}
}
