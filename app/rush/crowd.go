package rush

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// crowd are the diners of one process.
type crowd struct {
	diners []*diner
	counts counters
}

// openAtOnce bounds how many connections are being opened at a moment, so that the queue in which the kernel keeps them
// for the server does not overflow: those that drop out of it come back after a second.
const openAtOnce = 64

// connect opens a connection for each diner of a plan, so that the rush measures presses and not the opening of
// connections.
func connect(ctx context.Context, p plan) (*crowd, error) {
	servers, err := parseServers(p.URLs)
	if err != nil {
		return nil, err
	}
	c := &crowd{diners: make([]*diner, len(p.Diners))}
	for i, who := range p.Diners {
		c.diners[i] = &diner{
			token:    who.Token,
			key:      rand.Text(),
			draft:    p.Drafts[who.Slot],
			client:   clientOf(p, who, servers),
			servers:  servers,
			at:       who.Server,
			source:   who.Source,
			counters: &c.counts,
			retry:    p.Retry,
			answer:   answer{UserID: who.UserID, Slot: who.Slot, Due: who.Delay},
		}
	}
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	for i, s := range servers {
		if err := checkSession(ctx, s, p.Diners[i%len(p.Diners)].Token); err != nil {
			return nil, err
		}
	}
	if err := c.each(ctx, func(ctx context.Context, d *diner) error { return d.arrive(ctx) }); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func clientOf(p plan, who planned, servers []server) client {
	if p.Browsers {
		return newBrowser(who.Token, servers[who.Server])
	}
	return program{}
}

// checkSession returns an error unless the server knows the diner, so that nobody is sent to another installation than
// the one that was prepared.
func checkSession(ctx context.Context, s server, token string) error {
	request, err := encode(http.MethodGet, s.base+"/api/wallet", token, nil, nil)
	if err != nil {
		return err
	}
	conn, err := dial(ctx, s, "")
	if err != nil {
		return err
	}
	defer conn.close()
	response, body, _, err := conn.ask(request)
	switch {
	case err != nil:
		return fmt.Errorf("%s does not answer: %w", s.base, err)
	case response.StatusCode != http.StatusOK:
		return fmt.Errorf("%s does not know the diners: does it have this DATABASE_URL and SECRET? %w", s.base,
			unexpected(response.StatusCode, body))
	}
	return nil
}

// arrive opens the diner's connection and asks for what its client has before a press, after which the server is sure
// to have the connection.
func (d *diner) arrive(ctx context.Context) error {
	hello, err := d.encode(d.client.greeting(d))
	if err != nil {
		return err
	}
	if d.conn, err = dial(ctx, d.servers[d.at], d.source); err != nil {
		return fmt.Errorf("open a connection for each diner: %w", err)
	}
	response, body, usable, err := d.conn.ask(hello)
	switch {
	case err != nil:
		return fmt.Errorf("%s does not answer: %w", d.servers[d.at].base, err)
	case response.StatusCode != http.StatusOK || !usable:
		return fmt.Errorf("greet %s: %w", d.servers[d.at].base, unexpected(response.StatusCode, body))
	}
	d.conn.detach()
	if err := d.client.greeted(d, response, body); err != nil {
		return fmt.Errorf("greet %s: %w", d.servers[d.at].base, err)
	}
	return d.encodePress()
}

// standBy has every diner wait for the moment of the rush. rush lets them press at that moment, and returns when the
// last has an answer, or when the time is over.
func (c *crowd) standBy(ctx context.Context) (rush func(pressed time.Time, limit time.Duration)) {
	ctx, cancel := context.WithCancel(ctx)
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for _, d := range c.diners {
		ready.Add(1)
		done.Go(func() {
			d.conn.attach(ctx)
			ready.Done()
			select {
			case <-start:
				d.run(ctx)
			case <-ctx.Done():
			}
		})
	}
	ready.Wait()
	return func(pressed time.Time, limit time.Duration) {
		defer cancel()
		for _, d := range c.diners {
			d.pressed = pressed
		}
		defer time.AfterFunc(time.Until(pressed.Add(limit)), cancel).Stop()
		wait(ctx, time.Until(pressed))
		close(start)
		done.Wait()
	}
}

// leave takes those out of their lines who still wait, when the rush has ended before they were answered.
func (c *crowd) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
	defer cancel()
	_ = c.each(ctx, func(ctx context.Context, d *diner) error {
		d.leave(ctx)
		return nil // a ticket that stays ends by itself
	})
}

// close closes what connections are left.
func (c *crowd) close() {
	for _, d := range c.diners {
		d.close()
	}
}

func (c *crowd) answers() []answer {
	answers := make([]answer, len(c.diners))
	for i, d := range c.diners {
		answers[i] = d.answer
	}
	return answers
}

// each does work for every diner, some at once, until the first error or ctx's end, and returns that.
func (c *crowd) each(ctx context.Context, work func(context.Context, *diner) error) error {
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(openAtOnce)
	for _, d := range c.diners {
		if groupCtx.Err() != nil {
			break
		}
		group.Go(func() error { return work(groupCtx, d) })
	}
	return cmp.Or(group.Wait(), ctx.Err())
}
