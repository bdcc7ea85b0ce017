package locks

import (
	"time"

	"github.com/redis/go-redis/v9"
)

// ear is this node's one subscription for a partition.
type ear struct {
	users int // attended lines; guarded by Client.mu, like idle
	idle  *time.Timer
	stop  chan struct{}
}

// listen makes sure that messages for this node's tickets in the partition are heard, until unlisten.
func (c *Client) listen(partition string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.ears[partition]
	if e == nil && !c.closed {
		e = &ear{stop: make(chan struct{})}
		c.ears[partition] = e
		c.busy.Go(func() { c.hear(partition, e.stop) })
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
		close(e.stop)
	}
}

// hear receives the partition's messages. Whatever was published while the connection was down is lost; so each
// confirmed subscription, the first and every renewed one, is followed by a beat of the lines, which makes up for it.
func (c *Client) hear(partition string, stop chan struct{}) {
	prefix := lineKeys(c.cfg.Prefix, Name{Partition: partition}).channel
	sub := c.rdb.Subscribe(c.ctx, prefix+c.cfg.Node)
	defer sub.Close()
	news := sub.ChannelWithSubscriptions(redis.WithChannelSize(1000))
	for {
		select {
		case <-stop:
			return
		case <-c.ctx.Done():
			return
		case v, open := <-news:
			if !open {
				return
			}
			switch v := v.(type) {
			case *redis.Subscription:
				c.beatAll(partition)
			case *redis.Message:
				c.heard(partition, v.Payload)
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

// publishCommand is how scripts tell other nodes.
func (c *Client) publishCommand() string { return "PUBLISH" }
