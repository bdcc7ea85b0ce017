package program

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"lunchgo/app/audit"
	"lunchgo/app/jobs"
	"lunchgo/locks"
)

// Start begins what a program does by itself: it sweeps, offers, follows sign-outs, sends letters and audits, until
// Close. Outside a demo it first learns whose sessions to refuse.
func (p *Program) Start(ctx context.Context) error {
	if !p.config.Demo {
		if err := p.Identity.Sessions.BarDemo(ctx); err != nil {
			return fmt.Errorf("read the demo's accounts: %w", err)
		}
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	p.stop = stop
	p.running.Go(func() { jobs.Runner{Ran: p.ran.Ran, Log: p.log}.Run(ctx, p.jobs()...) })
	p.running.Go(func() { p.backends.DB.FollowReplica(ctx) })
	if p.relay != nil {
		p.running.Go(func() { p.relay.Run(ctx) })
	}
	return nil
}

// showAudit gives the figures at /metrics what an audit found.
func (p *Program) showAudit(r audit.Report) {
	found := make(map[string]int, len(r.Checks))
	for _, result := range r.Checks {
		found[result.Check] = result.Found
	}
	p.audits.Audited(r.At, r.Whole, r.Seconds, found)
}

// Serve answers on listener until ctx ends or serving fails. It goes on for Config.Drain after ctx has ended, so that a
// proxy learns from /readyz to send what is new elsewhere; then it ends the event streams and answers what is under
// way.
func (p *Program) Serve(ctx context.Context, listener net.Listener) error {
	failed := make(chan error, 1)
	go func() { failed <- p.Site.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	if err := p.drain(failed); err != nil {
		return err
	}
	stopping, cancel := context.WithTimeout(context.Background(), p.config.ShutdownTime)
	defer cancel()
	p.log.InfoContext(ctx, "ending: browsers come back by themselves, places in line are kept")
	err := errors.Join(p.Room.Close(stopping), p.Site.Shutdown(stopping))
	_ = listener.Close() // a Shutdown before serving has begun ends nothing
	return errors.Join(err, <-failed)
}

// drain lets the proxy take its requests elsewhere, unless serving fails meanwhile.
func (p *Program) drain(failed <-chan error) error {
	if p.config.Drain == 0 {
		return nil
	}
	p.Site.Drain()
	p.log.Info("draining: /readyz answers 503, all else is served", "for", p.config.Drain)
	timer := time.NewTimer(p.config.Drain)
	defer timer.Stop()
	select {
	case err := <-failed:
		return err
	case <-timer.C:
		return nil
	}
}

// headTime is how long an operator's tool may take to send the head of a request. Answers have no bound: a profile
// takes as long as it was asked to.
const headTime = 10 * time.Second

// ServeOperators answers /metrics and the profiles on listener until ctx ends or serving fails.
func (p *Program) ServeOperators(ctx context.Context, listener net.Listener) error {
	server := &http.Server{Handler: p.Site.Operators(), ReadHeaderTimeout: headTime}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close ends what Start began, and the room and the availability. After Serve they are closed already.
func (p *Program) Close() error {
	if p.stop != nil {
		p.stop()
	}
	p.ended()
	p.running.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), p.config.ShutdownTime)
	defer cancel()
	err := p.Room.Close(ctx)
	p.Availability.Close()
	if errors.Is(err, locks.ErrClientClosed) {
		return nil
	}
	return err
}
