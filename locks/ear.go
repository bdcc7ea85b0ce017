package locks

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// ear is this node's one subscription for a partition.
type ear struct {
	users int // attended lines; guarded by Client.mu, like idle
	idle  *time.Timer
	stop  context.CancelFunc
}

// listen makes sure that messages for this node's tickets in the partition are heard, until unlisten.
func (c *Client) listen(partition string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.ears[partition]
	if e == nil && !c.closed {
		ctx, stop := context.WithCancel(c.ctx)
		e = &ear{stop: stop}
		c.ears[partition] = e
		c.busy.Go(func() { c.hear(ctx, partition) })
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

// unlisten ends one line's need to hear. The subscription stays for a ticket's life, because opening one takes a
// connection and lines come and go.
func (c *Client) unlisten(partition string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.ears[partition]
	if e == nil {
		return
	}
	e.users--
	if e.users == 0 {
		e.idle = time.AfterFunc(c.cfg.TTL, func() { c.hush(partition, e) })
	}
}

// hush ends a subscription that has not been needed for a while.
func (c *Client) hush(partition string, e *ear) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.users == 0 && c.ears[partition] == e {
		delete(c.ears, partition)
		e.stop()
	}
}

// firstPause is what passes before a subscription that ended is replaced; it doubles up to a beat.
const firstPause = 20 * time.Millisecond

// hear receives the partition's messages until ctx ends, by a new subscription whenever one is of no use any more. go-redis
// would renew a broken one by itself, but it keeps one silently that a Redis Cluster refuses, because the slot has moved.
func (c *Client) hear(ctx context.Context, partition string) {
	pause := firstPause
	for {
		begun := c.clock()
		err := c.follow(ctx, partition)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			c.cfg.Logger.Warn("locks: subscription ended", "partition", partition, "error", err)
		}
		c.lookAround()
		if c.clock().Sub(begun) > c.cfg.Beat {
			pause = firstPause
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
		pause = min(2*pause, c.cfg.Beat)
	}
}

// lookAround makes a client of a Redis Cluster find out who leads now. Left to itself, go-redis sends commands to a dead
// master for up to a minute.
func (c *Client) lookAround() {
	if cluster, ok := c.rdb.(*redis.ClusterClient); ok {
		cluster.ReloadState(c.ctx)
	}
}

// follow passes the messages of one subscription on until it breaks or its slot moves. Whatever was published before it
// was confirmed is lost; so the confirmation is followed by a beat of the lines, which makes up for it.
func (c *Client) follow(ctx context.Context, partition string) error {
	command, err := c.dialect.of(ctx, c)
	if err != nil {
		return err
	}
	channel := lineKeys(c.cfg.Prefix, Name{Partition: partition}).channel + c.cfg.Node
	subscribe := c.rdb.Subscribe
	if command == shardedPublish {
		subscribe = c.rdb.SSubscribe
	}
	sub := subscribe(ctx, channel)
	signs := make(chan struct{}, 1)
	ctx, done := context.WithCancel(ctx)
	defer done()
	c.busy.Go(func() { c.guard(ctx, sub, signs) })
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
			c.beatAll(partition)
		case *redis.Message:
			c.heard(partition, news.Payload)
		}
	}
}

// guard closes a subscription when ctx ends, or when it has been silent for a ticket's life although it was asked for a
// sign: a connection can be dead for hours without an error.
func (c *Client) guard(ctx context.Context, sub *redis.PubSub, signs <-chan struct{}) {
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

// beatAll makes every line of the partition that has tickets here beat at once.
func (c *Client) beatAll(partition string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, d := range c.desks {
		if name.Partition == partition {
			d.mu.Lock()
			d.beatDue = true
			d.mu.Unlock()
			signal(d.nudge)
		}
	}
}
