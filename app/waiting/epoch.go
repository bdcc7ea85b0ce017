package waiting

import (
	"context"
	_ "embed"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/cache"
	"lunchgo/app/group"
)

//go:embed epoch.lua
var epochLua string

var epochScript = redis.NewScript(epochLua)

// epoch is since when a Redis server has kept its data: all of them, FLUSHALL and a start without data begin a new
// one, and so does a restart or a failover, which may lose the last of them.
type epoch struct {
	mark  string        // its key in Redis
	since string        // ms, by the server's clock
	age   time.Duration // by that clock
	whole bool          // it is known that nothing was lost when it began
	err   error         // the server could not be asked
}

// begun is when the epoch began, by the server's clock.
func (e epoch) begun() time.Time {
	ms, _ := strconv.ParseInt(e.since, 10, 64) // of a script's own number
	return time.UnixMilli(ms)
}

const (
	epochTags = 256 // of hash slots of a Cluster; among so many each master has one
	markLife  = 4   // of a mark, in Config.Repeats
	clockSkew = time.Minute
	// firstLook is how long a start waits for the first look at the servers.
	firstLook = time.Second
)

var errNoEpoch = errors.New("waiting: the age of Redis' data cannot be read")

// epochKey is where the mark of the server is that has a person's tickets. In a Cluster it is in a slot of the same
// master, as far as the client knows, or in the person's own.
func (t *ticketStore) epochKey(person string) string {
	key := func(tag int) string { return t.prefix + "{epoch:" + strconv.Itoa(tag) + "}" }
	if _, isCluster := t.rdb.(*redis.ClusterClient); !isCluster {
		return key(0)
	}
	if master := group.ServerOf(t.rdb, person); master != "" {
		for tag := range epochTags {
			if group.ServerOf(t.rdb, key(tag)) == master {
				return key(tag)
			}
		}
	}
	return strings.TrimSuffix(person, "tickets") + "epoch"
}

// epochArgs are the arguments of epochScript. whole is when an epoch began of which it is known that nothing was lost.
func (t *ticketStore) epochArgs(whole string, renew bool) []any {
	keep := 0
	if renew {
		keep = 1
	}
	return []any{(markLife * t.repeats).Milliseconds(), whole, keep}
}

// readEpoch reads what epochScript answers.
func readEpoch(mark string, answer *redis.Cmd) epoch {
	e := epoch{mark: mark}
	values, err := answer.Slice()
	if err != nil {
		e.err = err
		return e
	}
	if len(values) != 3 {
		e.err = errNoEpoch
		return e
	}
	e.since, _ = values[0].(string)
	age, _ := values[1].(int64)
	whole, _ := values[2].(int64)
	e.age, e.whole = time.Duration(age)*time.Millisecond, whole == 1
	return e
}

// epochs reads the epochs of marks, in one round trip.
func (t *ticketStore) epochs(ctx context.Context, marks []string, whole string, renew bool) []epoch {
	calls := make([]group.Call, len(marks))
	for i, mark := range marks {
		calls[i] = group.Call{Script: epochScript, Keys: []string{mark}, Args: t.epochArgs(whole, renew)}
	}
	answers := group.RunScripts(ctx, t.rdb, calls)
	found := make([]epoch, len(marks))
	for i, mark := range marks {
		found[i] = readEpoch(mark, answers[i])
	}
	return found
}

// marks are those of all servers that may have tickets.
func (t *ticketStore) marks(ctx context.Context) ([]string, error) {
	cluster, isCluster := t.rdb.(*redis.ClusterClient)
	if !isCluster {
		return []string{t.epochKey("")}, nil
	}
	var mu sync.Mutex
	masters := map[string]bool{}
	err := cluster.ForEachMaster(ctx, func(_ context.Context, master *redis.Client) error {
		mu.Lock()
		defer mu.Unlock()
		masters[master.Options().Addr] = true
		return nil
	})
	var marks []string
	for tag := 0; tag < epochTags && len(masters) > 0; tag++ {
		key := t.prefix + "{epoch:" + strconv.Itoa(tag) + "}"
		if master := group.ServerOf(t.rdb, key); masters[master] {
			delete(masters, master)
			marks = append(marks, key)
		}
	}
	return marks, err
}

// losses knows whether Redis may have lost tickets whose results a repeat has still to find. Who cannot have lost
// anything is not suspected: a server that has kept its data for longer than results are kept, and one before whose
// epoch nobody was served for as long, such as that of a new installation.
type losses struct {
	store  *ticketStore
	served func(ctx context.Context, since time.Time) (bool, error) // nil: nobody knows
	log    *slog.Logger
	known  cache.Cache[string, bool] // by mark and its beginning: turns were served shortly before

	mu        sync.Mutex
	awayUntil time.Time // some server could not be asked before: others may have served meanwhile
}

func newLosses(store *ticketStore, cfg Config) *losses {
	return &losses{store: store, served: cfg.ServedSince, log: cfg.Log,
		known: cache.Cache[string, bool]{Life: cfg.Repeats, Most: epochTags}}
}

// possible says whether tickets may be lost that were in a server with an epoch.
func (l *losses) possible(ctx context.Context, e epoch) bool {
	switch {
	case e.err != nil:
		l.noteAway()
		return true
	case l.wasAway():
		return true
	case e.whole, e.age >= l.store.repeats:
		return false
	}
	served, err := l.known.Load(ctx, e.mark+" "+e.since, func(ctx context.Context) (bool, error) {
		return l.servedBefore(ctx, e)
	})
	return err != nil || served
}

// servedBefore says whether anybody was served so shortly before an epoch that the result would still be stored. If
// not, the mark says so from now on.
func (l *losses) servedBefore(ctx context.Context, e epoch) (bool, error) {
	if l.served == nil {
		return true, nil
	}
	served, err := l.served(ctx, e.begun().Add(-l.store.repeats-clockSkew))
	switch {
	case err != nil:
	case served:
		l.log.WarnContext(ctx, "Redis may have lost tickets; the database is asked before a repeat is refused",
			"since", e.begun(), "mark", e.mark, "for", l.store.repeats-e.age)
	default:
		l.store.epochs(ctx, []string{e.mark}, e.since, false) // if that fails, the next process finds out by itself
	}
	return served, err
}

func (l *losses) noteAway() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.awayUntil = time.Now().Add(l.store.repeats)
}

func (l *losses) wasAway() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Now().Before(l.awayUntil)
}

// watch keeps the marks of all servers alive until closing, and begins with looking whether they are new. looked closes
// after the first look.
func (l *losses) watch(closing <-chan struct{}, looked chan<- struct{}) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	first := sync.OnceFunc(func() { close(looked) })
	for {
		select {
		case <-timer.C:
		case <-closing:
			first()
			return
		}
		l.look()
		first()
		timer.Reset(l.store.repeats)
	}
}

func (l *losses) look() {
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	marks, _ := l.store.marks(ctx) // those of the others are made when somebody asks for them
	for _, e := range l.store.epochs(ctx, marks, "", true) {
		if e.err == nil {
			l.possible(ctx, e)
		}
	}
}
