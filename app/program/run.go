package program

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"lunchgo/app/audit"
	"lunchgo/app/events"
	"lunchgo/app/guests"
	"lunchgo/app/reserve"
	"lunchgo/locks"
)

// Start begins what a program does by itself: it sweeps, offers, follows sign-outs, sends letters and audits, until
// Close. Outside a demo it first learns whose sessions to refuse.
func (p *Program) Start(ctx context.Context) error {
	if !p.config.Demo {
		if err := p.People.Sessions.BarDemo(ctx); err != nil {
			return fmt.Errorf("read the demo's accounts: %w", err)
		}
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	p.stop = stop
	sweeper := reserve.Sweeper{Reservations: p.Reservations, Availability: p.Availability, Every: p.config.Paces.Sweep,
		Log: p.log}
	p.running.Go(func() { sweeper.Run(ctx) })
	p.running.Go(func() { p.offerer.Run(ctx) })
	p.running.Go(func() { p.Rehearsals.Sweep(ctx) })
	forgetter := guests.Sweeper{Store: p.Stores.Guests, Every: p.config.Paces.Forget, Log: p.log}
	p.running.Go(func() { forgetter.Run(ctx) })
	p.running.Go(func() { p.People.Sessions.Follow(ctx, p.config.Paces.Revoked) })
	announcer := events.Announcer{Store: p.Outbox, Every: p.config.Paces.Announce, Log: p.log}
	p.running.Go(func() { announcer.Run(ctx) })
	keeper := events.Sweeper{Store: p.Outbox, Keep: p.config.EventsKeep, Every: p.config.Paces.Trim, Log: p.log}
	p.running.Go(func() { keeper.Run(ctx) })
	if p.relay != nil {
		p.running.Go(func() { p.relay.Run(ctx) })
	}
	p.running.Go(func() { p.sender.Run(ctx) })
	p.running.Go(func() { p.backends.DB.FollowReplica(ctx) })
	if p.post != nil {
		p.running.Go(func() { p.post.Run(ctx) })
	}
	if p.config.AuditEvery > 0 {
		auditor := audit.Job{Books: p.Audits, Board: p.concerns, Every: p.config.AuditEvery, Tell: p.showAudit,
			Log: p.log}
		p.running.Go(func() { auditor.Run(ctx) })
	}
	return nil
}

// showAudit gives the figures at /metrics what an audit found.
func (p *Program) showAudit(r audit.Report) {
	found := make(map[string]int, len(r.Checks))
	for _, result := range r.Checks {
		found[result.Check] = result.Found
	}
	p.audits.Audited(r.At, r.Seconds, found)
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
