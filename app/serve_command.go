package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/build"
	"lunchgo/app/identity"
	"lunchgo/app/legal"
	"lunchgo/app/program"
	"lunchgo/app/redisclient"
	"lunchgo/app/seed"
	"lunchgo/app/show"
	"lunchgo/app/telemetry"
	"lunchgo/app/waiting"
	"lunchgo/app/web"
	"lunchgo/app/web/diner"
	"lunchgo/app/webhooks"
	"lunchgo/views"
)

// serveCommand serves until ctx ends.
func serveCommand(ctx context.Context, c Config, args []string, out io.Writer) error {
	if len(args) > 0 {
		fmt.Fprintln(out, "lunchgo serve takes no arguments; its settings come from the environment")
		return errUsage
	}
	collectLessOften(c)
	return serve(ctx, c, func(at addresses) { greet(out, c, at) })
}

// addresses are where an instance answers.
type addresses struct {
	site      string // for everybody
	operators string // /metrics and /debug/pprof/; empty: nowhere
	setup     string // path of the page that makes the first operator; empty where there is one, and in a demo
}

// serve runs one instance until ctx ends; it calls ready with its addresses once it answers there.
func serve(ctx context.Context, c Config, ready func(addresses)) (err error) {
	log := newLog(c)
	is := build.Read()
	log.InfoContext(ctx, "LunchGo starts", "version", is.Version, "revision", is.Commit(), "go", is.GoVersion)
	b, err := openBackends(ctx, c, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if err := b.DB.Migrate(ctx); err != nil {
		return err
	}
	tracer, err := c.Traces.open(ctx, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tracer.Close()) }()
	p, err := newProgram(c, b, tracer, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	if err := p.Start(ctx); err != nil {
		return err
	}
	if c.demo() {
		if err := b.DB.FillAlone(ctx, func() error { return seed.Demo(ctx, seedStores(p), time.Now()) }); err != nil {
			return fmt.Errorf("load the demo: %w", err)
		}
	}
	if _, err := p.Bookings.Directory(ctx); err != nil { // so that the first diner does not wait for it
		log.WarnContext(ctx, "list restaurants failed", "error", err)
	}
	setup, err := inviteOperator(ctx, c, p)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return err
	}
	at := addresses{site: "http://" + listener.Addr().String(), setup: setup}
	operators, err := listenForOperators(c, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if operators != nil {
		at.operators = "http://" + operators.Addr().String()
		ctx, stop := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- p.ServeOperators(ctx, operators) }()
		defer func() {
			stop()
			err = errors.Join(err, <-ended)
		}()
	}
	ready(at)
	return p.Serve(ctx, listener)
}

// listenForOperators listens on OPS_ADDR. Where that is the default and taken, by another instance for example, it
// takes a free port of the loopback and says so in the log; nil if there is to be none.
func listenForOperators(c Config, log *slog.Logger) (net.Listener, error) {
	if c.OpsAddr == "" {
		return nil, nil
	}
	listener, err := net.Listen("tcp", c.OpsAddr)
	if err == nil || c.opsChosen {
		return listener, err
	}
	listener, freeErr := net.Listen("tcp", "127.0.0.1:0")
	if freeErr != nil {
		return nil, errors.Join(err, freeErr)
	}
	log.Warn("the default OPS_ADDR is taken: /metrics and /debug/pprof/ are at another address",
		"address", listener.Addr(), "error", err)
	return listener, nil
}

// newProgram builds the product as the configuration has it.
func newProgram(c Config, b *backends, tracer *telemetry.Tracer, log *slog.Logger) (*program.Program, error) {
	secrets, err := c.secrets()
	if err != nil {
		return nil, err
	}
	documents, err := legal.Load(c.LegalDir)
	if err != nil {
		return nil, err
	}
	files := fileLimits{limit: raiseOpenFiles(), redisConns: redisclient.MaxConns(context.Background(), b.Redis)}
	return program.New(program.Config{
		Secrets: secrets,
		Web: web.Config{Secure: c.secure(), TrustedProxies: c.TrustedProxies, BaseURL: c.PublicURL,
			Demo: demoAccounts(c), Limits: c.Limits, MaxConnections: maxConnections(c, files, log),
			Slow: c.LogSlow, Company: c.company()},
		Room:       waiting.Config{MaxWait: c.LineMaxWait, MaxLine: c.LineMaxLength, MaxLines: c.MaxLines},
		Mail:       program.MailConfig{SMTPURL: c.SMTPURL, From: c.MailFrom, Site: c.site()},
		Webhooks:   webhooks.ClientConfig{PrivateNetworks: c.WebhookPrivateNetworks},
		Payments:   c.payments(log),
		Texts:      c.texts(),
		SignIn:     c.SignIn.providers(),
		Passkeys:   c.passkeys(),
		Documents:  documents,
		AuditEvery: c.AuditEvery,
		Show:       show.Place{Slug: seed.RushSlug, Host: seed.StaffEmail},
		ShowEvery:  c.RushEvery,
		Drain:      c.Drain,
		Demo:       c.demo(),
		Holds:      c.Holds,
		HoldUnseen: c.HoldUnseen,
		UnusedKeep: c.UnusedKeep, LettersKeep: c.LettersKeep,
		Kafka:      c.kafka(),
		EventsKeep: c.EventsKeep,
	}, program.Backends{DB: b.DB, Redis: b.Redis, Tracer: tracer}, log)
}

// inviteOperator returns the path of the page that makes the first operator, once; empty where there is one, in a demo,
// which has an operator of its own, and where the settings say so.
func inviteOperator(ctx context.Context, c Config, p *program.Program) (path string, err error) {
	if c.demo() || !c.OperatorLink {
		return "", nil
	}
	token, err := p.Operators.InviteFirst(ctx)
	if err != nil {
		return "", fmt.Errorf("invite the first operator: %w", err)
	}
	if token == "" {
		return "", nil
	}
	return views.OperatorSetupURL(token), nil
}

// greet tells whoever started the server where it is and, in a demo, who may sign in.
func greet(out io.Writer, c Config, at addresses) {
	url := at.site
	if c.PublicURL != "" {
		url = c.PublicURL
	}
	fmt.Fprintf(out, "\n  LunchGo serves at %s\n", url)
	if at.operators != "" {
		fmt.Fprintf(out, "  operators: %s/metrics\n", at.operators)
	}
	if at.setup != "" {
		fmt.Fprintf(out,
			"\n  There is no operator yet. Whoever opens this link first becomes one; it is good for %d hours, and a later\n"+
				"  start prints another one:\n  %s%s\n", int(identity.InvitationLife.Hours()),
			strings.TrimSuffix(url, "/"), at.setup)
	}
	if c.demo() {
		fmt.Fprintf(out, "  diner  %-24s password %s\n", seed.DinerEmail, seed.DemoPassword)
		fmt.Fprintf(out, "  staff  %-24s password %s  at %s/staff\n", seed.StaffEmail, seed.DemoPassword, url)
		fmt.Fprintf(out, "  a rush to stand in  %s%s\n", url, views.RushURL())
		fmt.Fprintf(out, "  operator %-22s password %s  at %s/operator\n", seed.OperatorEmail, seed.DemoPassword, url)
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
		{Name: booking.Text{Ko: "운영자", En: "Operator"}, Email: seed.OperatorEmail, Password: seed.DemoPassword},
	}
}

// seedStores is what the demo is loaded through.
func seedStores(p *program.Program) seed.Stores {
	return seed.Stores{
		Catalog:      p.Stores.Catalog,
		Slots:        p.Stores.Slots,
		Reservations: p.Stores.Reservations,
		Wallets:      p.Stores.Wallets,
		Users:        p.Stores.Users,
		Seeds:        p.Stores.Seeds,
		Hash:         func(password string) (string, error) { return p.Hasher.Hash(context.Background(), password) },
	}
}
