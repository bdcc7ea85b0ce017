package locks

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// The commands that messages can be sent with.
const (
	plainPublish   = "PUBLISH"
	shardedPublish = "SPUBLISH"
)

// publishMode is how the server wants messages sent. All nodes come to the same answer, as they must.
type publishMode struct {
	mu      sync.Mutex
	command string    // empty until the server has answered
	failed  error     // why it could not be asked
	retryAt time.Time // when it may be asked again, so that callers do not queue up before a server that is away
}

// commandFor returns the command to publish with: SPUBLISH in a Redis Cluster of version 7 or newer, where PUBLISH
// would go to all of its nodes; PUBLISH otherwise, or when the server refuses to say what it is.
func (v *publishMode) commandFor(ctx context.Context, c *Client) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.command != "" {
		return v.command, nil
	}
	if c.until(v.retryAt) > 0 {
		return "", v.failed
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Beat)
	defer cancel()
	info, err := c.rdb.Info(ctx).Result()
	if err != nil && !refused(err) {
		v.failed, v.retryAt = err, c.clock().Add(c.cfg.Beat)
		return "", err
	}
	v.command = plainPublish
	if isCluster(info) && majorVersion(info) >= 7 {
		v.command = shardedPublish
	}
	return v.command, nil
}

// refused reports whether the server never says what it is.
func refused(err error) bool {
	return redis.HasErrorPrefix(err, "NOPERM") || redis.HasErrorPrefix(err, "unknown command")
}

func isCluster(info string) bool { return strings.Contains(info, "cluster_enabled:1") }

// majorVersion is 0 when the server does not say its version.
func majorVersion(info string) int {
	_, version, _ := strings.Cut(info, "redis_version:")
	major, _, _ := strings.Cut(version, ".")
	n, _ := strconv.Atoi(major) // 0 when it is no number
	return n
}

// publishCommand is what scripts publish with. While the server cannot be asked it is PUBLISH, which may reach nobody;
// beats make up for that.
func (c *Client) publishCommand() string {
	command, err := c.publishMode.commandFor(c.ctx, c)
	if err != nil {
		return plainPublish
	}
	return command
}
