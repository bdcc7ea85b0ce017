package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/program"
	"lunchgo/app/seed"
	"lunchgo/app/waiting"
	"lunchgo/app/web"
	"lunchgo/app/web/diner"
)

// serveCommand serves until ctx ends.
func serveCommand(ctx context.Context, c Config, args []string, out io.Writer) error {
	if len(args) > 0 {
		fmt.Fprintln(out, "lunchgo serve takes no arguments; its settings come from the environment")
		return errUsage
	}
	return serve(ctx, c, func(url string) { greet(out, c, url) })
}

// serve runs one instance until ctx ends; it calls ready with its address once it answers there.
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
	p, err := newProgram(c, b, log)
	if err != nil {
		return err
	}
	p.Start()
	defer func() { err = errors.Join(err, p.Close()) }()
	if c.demo() {
		if err := seed.Demo(ctx, seedStores(p), time.Now()); err != nil {
			return fmt.Errorf("load the demo: %w", err)
		}
	}
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return err
	}
	ready("http://" + listener.Addr().String())
	return p.Serve(ctx, listener)
}

// newProgram builds the product as the configuration has it.
func newProgram(c Config, b *backends, log *slog.Logger) (*program.Program, error) {
	secret, err := c.signingSecret()
	if err != nil {
		return nil, err
	}
	return program.New(program.Config{
		Secret:     secret,
		Web:        web.Config{Secure: c.secure(), TrustedProxies: c.TrustedProxies, BaseURL: c.PublicURL, Demo: demoAccounts(c)},
		Room:       waiting.Config{Grace: c.LineGrace, MaxWait: c.LineMaxWait, MaxLine: c.LineMaxLength},
		Mail:       program.MailConfig{SMTPURL: c.SMTPURL, From: c.MailFrom, Site: c.site()},
		AuditEvery: c.AuditEvery,
	}, program.Backends{DB: b.DB, Redis: b.Redis}, log)
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
func seedStores(p *program.Program) seed.Stores {
	return seed.Stores{
		Catalog:      p.Catalog,
		Slots:        p.Slots,
		Reservations: p.Reservations,
		Wallets:      p.Wallets,
		Users:        p.Users,
		Operator:     p.Operator,
		Hash:         func(password string) (string, error) { return p.Hasher.Hash(context.Background(), password) },
	}
}
