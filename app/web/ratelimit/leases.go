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

// leases count what people hold open, in Redis for all processes together. While Redis cannot count, each process
// counts its own. Its methods may be called at once from many goroutines.
type leases struct {
	counter *counter
	life    time.Duration
	every   time.Duration
	crowd   crowd // of those who open their first stream

	mu sync.Mutex
	// by person: the leases that this process holds, and whether Redis has heard of each
	held map[string]map[string]bool
	stop context.CancelFunc // ends the renewing; nil while nothing is held
}

func newLeases(c *counter) *leases {
	return &leases{counter: c, life: leaseLife, every: renewEvery, held: map[string]map[string]bool{}}
}

// open opens a lease for a person, unless they hold most already. The caller must call release, once or more.
func (l *leases) open(ctx context.Context, who string, most int) (release func(), ok bool) {
	id := rand.Text()
	held := l.add(who, id, most)
	if held == 0 {
		return nil, false
	}
	release = sync.OnceFunc(func() {
		if stored := l.remove(who, id); stored {
			l.counter.calls.post(endLeaseScript, []string{l.key(who)}, []any{id})
		}
	})
	if held == 1 && l.crowd.comes() { // Redis hears of it when it is renewed: most streams of a rush end before
		return release, true
	}
	l.store(who, id)
	opened, err := l.counter.calls.run(ctx, leaseScript, []string{l.key(who)}, []any{id, l.life.Milliseconds(), most})
	if err != nil {
		l.counter.warn(err) // add has compared with what this process knows
	} else if opened == 0 {
		l.remove(who, id)
		return nil, false
	}
	return release, true
}

// store notes that Redis hears of a lease.
func (l *leases) store(who, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held[who][id] = true
}

func (l *leases) key(who string) string { return l.counter.prefix + "{streams:" + who + "}" }

// add adds a lease unless the person has most already. It returns how many they have then in this process; 0 if it adds
// none.
func (l *leases) add(who, id string, most int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	mine := l.held[who]
	if len(mine) >= most {
		return 0
	}
	if mine == nil {
		mine = map[string]bool{}
		l.held[who] = mine
	}
	mine[id] = false
	if l.stop == nil {
		ctx, stop := context.WithCancel(context.Background())
		l.stop = stop
		go l.keepRenewing(ctx)
	}
	return len(mine)
}

// remove forgets a lease, and says whether Redis has heard of it.
func (l *leases) remove(who, id string) (stored bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	stored = l.held[who][id]
	delete(l.held[who], id)
	if len(l.held[who]) == 0 {
		delete(l.held, who)
	}
	if len(l.held) == 0 && l.stop != nil {
		l.stop()
		l.stop = nil
	}
	return stored
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
		for id := range mine { // in any order
			mine[id] = true
			args = append(args, id)
		}
		l.counter.calls.post(renewScript, []string{l.key(who)}, args)
	}
}
