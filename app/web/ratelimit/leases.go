package ratelimit

import (
	"context"
	"crypto/rand"
	_ "embed"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

//go:embed lease.lua
var leaseLua string

//go:embed renew.lua
var renewLua string

//go:embed endlease.lua
var endLeaseLua string

var (
	leaseScript    = redis.NewScript(leaseLua)
	renewScript    = redis.NewScript(renewLua)
	endLeaseScript = redis.NewScript(endLeaseLua)
)

// A lease that is not renewed, since its server is gone, ends after leaseLife.
const (
	leaseLife  = 45 * time.Second
	renewEvery = leaseLife / 3
)

// leases count what people hold open, in Redis for all processes together. While Redis cannot count, each process counts its
// own. Its methods may be called at once from many goroutines.
type leases struct {
	counter *counter
	life    time.Duration
	every   time.Duration

	mu   sync.Mutex
	held map[string]map[string]struct{} // by person: the leases that this process holds
	stop context.CancelFunc             // ends the renewing; nil while nothing is held
}

func newLeases(c *counter) *leases {
	return &leases{counter: c, life: leaseLife, every: renewEvery, held: map[string]map[string]struct{}{}}
}

// open opens a lease for a person, unless they hold most already. The caller must call release, once or more.
func (l *leases) open(ctx context.Context, who string, most int) (release func(), ok bool) {
	id := rand.Text()
	held := l.add(who, id, most)
	if held == 0 {
		return nil, false
	}
	release = sync.OnceFunc(func() {
		l.remove(who, id)
		l.counter.calls.post(endLeaseScript, []string{l.key(who)}, []any{id})
	})
	keys, args := []string{l.key(who)}, []any{id, l.life.Milliseconds(), most}
	if held == 1 && l.counter.calls.isCrowded() { // the first stream of a person does not wait for Redis in a rush
		l.counter.calls.post(leaseScript, keys, args)
		return release, true
	}
	opened, err := l.counter.calls.run(ctx, leaseScript, keys, args)
	if err != nil {
		l.counter.warn(err) // add has compared with what this process knows
	} else if opened == 0 {
		l.remove(who, id)
		return nil, false
	}
	return release, true
}

func (l *leases) key(who string) string { return l.counter.prefix + "{streams:" + who + "}" }

// add adds a lease unless the person has most already. It returns how many they have then in this process; 0 if it adds none.
func (l *leases) add(who, id string, most int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	mine := l.held[who]
	if len(mine) >= most {
		return 0
	}
	if mine == nil {
		mine = map[string]struct{}{}
		l.held[who] = mine
	}
	mine[id] = struct{}{}
	if l.stop == nil {
		ctx, stop := context.WithCancel(context.Background())
		l.stop = stop
		go l.keepRenewing(ctx)
	}
	return len(mine)
}

func (l *leases) remove(who, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.held[who], id)
	if len(l.held[who]) == 0 {
		delete(l.held, who)
	}
	if len(l.held) == 0 && l.stop != nil {
		l.stop()
		l.stop = nil
	}
}

func (l *leases) keepRenewing(ctx context.Context) {
	ticker := time.NewTicker(l.every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			l.renew()
		case <-ctx.Done():
			return
		}
	}
}

func (l *leases) renew() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for who, mine := range l.held {
		args := []any{l.life.Milliseconds()}
		for id := range mine {
			args = append(args, id)
		}
		l.counter.calls.post(renewScript, []string{l.key(who)}, args)
	}
}
