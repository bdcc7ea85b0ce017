package program

import (
	"context"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// readyScript writes as the lines do. A Redis that is full, or may not write, still answers a ping.
var readyScript = redis.NewScript(`return redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])`)

// readyLife is how long what was written for a check stays.
const readyLife = 10 * time.Second

// readyTries is how many keys are tried for one that lives at a master of a cluster.
const readyTries = 256

// writeToRedis returns an error unless Redis takes writes: of a cluster, each master.
func (p *Program) writeToRedis(ctx context.Context) error {
	write := func(ctx context.Context, client redis.Scripter, key string) error {
		return readyScript.Run(ctx, client, []string{key}, readyLife.Milliseconds()).Err()
	}
	key := p.config.Prefix + "ready"
	cluster, ok := p.backends.Redis.(*redis.ClusterClient)
	if !ok {
		return write(ctx, p.backends.Redis, key)
	}
	tried := map[*redis.Client]bool{}
	for i := range readyTries {
		one := key + strconv.Itoa(i)
		master, err := cluster.MasterForKey(ctx, one)
		if err != nil {
			return err
		}
		if tried[master] {
			continue
		}
		tried[master] = true
		if err := write(ctx, cluster, one); err != nil {
			return err
		}
	}
	return nil
}
