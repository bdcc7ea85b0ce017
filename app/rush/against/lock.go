package against

import (
	_ "embed"
	"time"

	"github.com/redis/go-redis/v9"
)

//go:embed unlock.lua
var unlockLua string

var unlockScript = redis.NewScript(unlockLua)

// lock is a key in Redis that one holder has at a time, or nobody when its time is over.
type lock struct {
	redis   redis.UniversalClient
	tries   redis.UniversalClient
	key     string
	channel string // where its end is published; empty: nowhere
	token   string // of the caller
	ttl     time.Duration
}

// try takes the lock if it is free. A Redis that does not answer in time has not given it.
func (l lock) try() bool {
	taken, err := l.tries.SetNX(background, l.key, l.token, l.ttl).Result()
	return err == nil && taken
}

// release ends the lock unless its time is over. Where that fails, it ends then.
func (l lock) release() {
	_ = unlockScript.Run(background, l.redis, []string{l.key}, l.token, l.channel).Err()
}
