package rush

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// crowd is everyone who takes part in a rush.
type crowd struct {
	diners []*diner
	counts counters
}

// openAtOnce bounds how many connections are being opened at a moment, so that the queue in which the kernel keeps them
// for the server does not overflow: those that drop out of it come back after a second.
const openAtOnce = 64

// connect spreads the diners evenly over slots and servers and opens a connection for each, so that the rush
// measures presses and not the opening of connections.
func connect(ctx context.Context, o Options, stage Stage, servers []server, say *reporter) (*crowd, error) {
	c := &crowd{diners: make([]*diner, len(stage.Diners))}
	for i, who := range stage.Diners {
		slot := i % len(stage.Slots)
		body, err := json.Marshal(map[string]any{
			"restaurantId": stage.RestaurantID,
			"date":         stage.Slots[slot].Date,
			"time":         stage.Slots[slot].Time,
			"partySize":    o.Party,
		})
		if err != nil {
			return nil, err
		}
		c.diners[i] = &diner{
			token:    who.Token,
			key:      rand.Text(),
			body:     body,
			servers:  servers,
			at:       i / len(stage.Slots) % len(servers),
			counters: &c.counts,
			answer:   answer{userID: who.UserID, slot: slot},
		}
	}
	say.line("opening %d connections to %d %s", len(c.diners), len(servers), plural(len(servers), "instance", "instances"))
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	for i, s := range servers {
		if err := checkSession(ctx, s, stage.Diners[i%len(stage.Diners)]); err != nil {
			return nil, err
		}
	}
	if err := c.each(ctx, func(ctx context.Context, d *diner) error { return d.arrive(ctx) }); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// checkSession returns an error unless the server knows the diner, so that nobody is sent to another installation than the
// one that was prepared.
func checkSession(ctx context.Context, s server, who Diner) error {
	request, err := encode(http.MethodGet, s.base+"/api/wallet", who.Token, nil, nil)
	if err != nil {
		return err
	}
	conn, err := dial(ctx, s)
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

// arrive opens the diner's connection and asks for something light, after which the server is sure to have it.
func (d *diner) arrive(ctx context.Context) error {
	if err := d.dial(); err != nil {
		return err
	}
	hello, err := encode(http.MethodGet, d.servers[d.at].base+"/healthz", "", nil, nil)
	if err != nil {
		return err
	}
	if d.conn, err = dial(ctx, d.servers[d.at]); err != nil {
		return fmt.Errorf("open a connection for each diner (the limit of open files, ulimit -n, has to be above their number): %w", err)
	}
	response, body, usable, err := d.conn.ask(hello)
	switch {
	case err != nil:
		return fmt.Errorf("%s does not answer: %w", d.servers[d.at].base, err)
	case response.StatusCode != http.StatusOK || !usable:
		return fmt.Errorf("%s/healthz: %w", d.servers[d.at].base, unexpected(response.StatusCode, body))
	}
	d.conn.detach()
	return nil
}

// rush lets all press at the same moment, and returns when the last has an answer, or when the time is over.
func (c *crowd) rush(ctx context.Context, limit time.Duration, say *reporter) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var ready, done sync.WaitGroup
	var pressed time.Time
	start := make(chan struct{})
	for _, d := range c.diners {
		ready.Add(1)
		done.Go(func() {
			d.conn.attach(ctx)
			ready.Done()
			<-start
			d.run(ctx, pressed)
		})
	}
	ready.Wait()
	pressed = time.Now()
	close(start)

	finished := make(chan struct{})
	go func() {
		done.Wait()
		close(finished)
	}()
	say.follow(finished, len(c.diners), &c.counts)
}

// leave takes those out of their lines who still wait, when the rush has ended before they were answered.
func (c *crowd) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
	defer cancel()
	_ = c.each(ctx, func(ctx context.Context, d *diner) error {
		d.leave(ctx)
		return nil // a ticket that stays goes home by itself
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
