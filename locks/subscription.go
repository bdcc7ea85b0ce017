package locks

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// subscription is this node's one subscription for a partition.
type subscription struct {
	users int // lines whose tickets are kept alive; guarded by Client.mu, like idle
	idle  *time.Timer
	stop  context.CancelFunc
}

// retainSubscription makes sure that messages for this node's tickets in the partition arrive, until
// releaseSubscription.
func (c *Client) retainSubscription(partition string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.subscriptions[partition]
	if e == nil && !c.closed {
		ctx, stop := context.WithCancel(c.ctx)
		e = &subscription{stop: stop}
		c.subscriptions[partition] = e
		c.busy.Go(func() { c.subscribe(ctx, partition) })
	}
	if e == nil {
		return
	}
	e.users++
	if e.idle != nil {
		e.idle.Stop()
		e.idle = nil
	}
}

// releaseSubscription ends one line's use. The subscription stays for a ticket's life, because opening one takes a
// connection and lines come and go.
func (c *Client) releaseSubscription(partition string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.subscriptions[partition]
	if e == nil {
		return
	}
	e.users--
	if e.users == 0 {
		e.idle = time.AfterFunc(c.cfg.TTL, func() { c.unsubscribe(partition, e) })
	}
}

// unsubscribe ends a subscription that has not been needed for a while.
func (c *Client) unsubscribe(partition string, e *subscription) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.users == 0 && c.subscriptions[partition] == e {
		delete(c.subscriptions, partition)
		e.stop()
	}
}

// firstRetry is what passes before a subscription that ended is replaced; it doubles up to a beat.
const firstRetry = 20 * time.Millisecond

// subscribe receives the partition's messages until ctx ends, by a new subscription whenever one is of no use any
// more. go-redis would renew a broken one by itself, but it keeps one silently that a Redis Cluster refuses, because
// the slot has moved.
func (c *Client) subscribe(ctx context.Context, partition string) {
	pause := firstRetry
	for {
		begun := c.clock()
		err := c.receive(ctx, partition)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			c.cfg.Logger.Warn("locks: subscription ended", "partition", partition, "error", err)
		}
		c.checkServer()
		if c.clock().Sub(begun) > c.cfg.Beat {
			pause = firstRetry
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
		pause = min(2*pause, c.cfg.Beat)
	}
}

// checkServer makes a client of a Redis Cluster find out who leads now. Left to itself, go-redis sends commands to a
// dead master for up to a minute.
func (c *Client) checkServer() {
	if cluster, ok := c.rdb.(*redis.ClusterClient); ok {
		cluster.ReloadState(c.ctx)
	}
}

// receive passes the messages of one subscription on until it breaks or its slot moves. Whatever was published before
// it was confirmed is lost; so the confirmation is followed by a beat of the lines, which makes up for it.
func (c *Client) receive(ctx context.Context, partition string) error {
	command, err := c.publishMode.commandFor(ctx, c)
	if err != nil {
		return err
	}
	channel := lineKeys(c.cfg.Prefix, Name{Partition: partition}).channel + c.cfg.Node
	rdb := c.rdb.(redis.UniversalClient)
	subscribe := rdb.Subscribe
	if command == shardedPublish {
		subscribe = rdb.SSubscribe
	}
	sub := subscribe(ctx, channel)
	signs := make(chan struct{}, 1)
	ctx, done := context.WithCancel(ctx)
	defer done()
	c.busy.Go(func() { c.watchConnection(ctx, sub, signs) })
	for {
		news, err := sub.Receive(ctx)
		if err != nil {
			return err
		}
		signal(signs)
		switch news := news.(type) {
		case *redis.Subscription:
			if news.Kind == "sunsubscribe" { // the server's own doing: another one has the slot now
				return nil
			}
			c.requestBeats(partition)
		case *redis.Message:
			c.onMessage(partition, news.Payload, false)
		}
	}
}

// connection is a *redis.PubSub.
type connection interface {
	Ping(ctx context.Context, payload ...string) error
	Close() error
}

// watchConnection closes a subscription when ctx ends, or when it has been silent for a ticket's life although it was
// asked for a sign: a connection can be dead for hours without an error.
func (c *Client) watchConnection(ctx context.Context, sub connection, signs <-chan struct{}) {
	defer sub.Close()
	const asked = 2 // times, before it is given up
	tick := time.NewTicker(c.cfg.TTL / (asked + 1))
	defer tick.Stop()
	for silent := 0; silent <= asked; {
		select {
		case <-ctx.Done():
			return
		case <-signs:
			silent = 0
		case <-tick.C:
			if silent++; silent <= asked {
				_ = sub.Ping(ctx) // what comes of it, or does not, shows
			}
		}
	}
}

// requestBeats makes every line of the partition that has tickets here beat at once.
func (c *Client) requestBeats(partition string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, s := range c.sessions {
		if name.Partition == partition {
			s.mu.Lock()
			s.beatDue = true
			s.mu.Unlock()
			signal(s.wake)
		}
	}
}
