package waiting

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
)

// servedBefore is a Config.ServedSince that has or has not seen a turn.
func servedBefore(served bool) func(context.Context, time.Time) (bool, error) {
	return func(context.Context, time.Time) (bool, error) { return served, nil }
}

// epoch reads the mark of the harness' Redis.
func (h *harness) epoch(store *ticketStore) epoch {
	h.t.Helper()
	e := store.epochs(h.t.Context(), []string{store.epochKey("")}, "", false)[0]
	if e.err != nil {
		h.t.Fatal(e.err)
	}
	return e
}

// A server's data are as old as its mark. Whatever can lose some of them begins a new epoch; nothing else does.
func TestEpoch_EndsWithTheData(t *testing.T) {
	t.Parallel()
	server := dbtest.PrivateDurableRedis(t)
	h := newHarnessAt(t, server.URL, 1)
	store := newTicketStore(h.rdb, h.handler, Config{Prefix: h.prefix}.withDefaults())
	first := h.epoch(store)
	same := func() bool { return h.epoch(store).since == first.since }
	older := func() { // an epoch is known by the millisecond that it begins in
		dbtest.Eventually(t, "it grows older", func() bool { return same() && h.epoch(store).age > 5*time.Millisecond })
	}
	older()
	if store.epochs(t.Context(), []string{first.mark}, first.since, false); !h.epoch(store).whole || !same() {
		t.Errorf("nothing is known to be lost: %+v", h.epoch(store))
	}
	for name, lose := range map[string]func(){
		"all data": func() { dbtest.Must(t, h.rdb.FlushAll(t.Context()).Err()) },
		"the last ones, in a restart": func() {
			server.Kill()
			dbtest.Must(t, server.Revive(t.Context()))
		},
	} { // in any order
		if lose(); same() || h.epoch(store).whole {
			t.Errorf("%s are lost, and the epoch goes on: %+v", name, h.epoch(store))
		}
		first = h.epoch(store)
		older()
	}
	if store.epochs(t.Context(), []string{first.mark}, "1", false); h.epoch(store).whole {
		t.Error("what was said of an earlier epoch counts for this one")
	}
}

// In a Cluster each master has a mark: that of one goes with its data alone.
func TestEpoch_EachMasterOfAClusterHasItsOwn(t *testing.T) {
	t.Parallel()
	cluster := dbtest.RedisCluster(t)
	rdb := redis.NewClusterClient(cluster.Options())
	t.Cleanup(func() { _ = rdb.Close() })
	store := newTicketStore(rdb, &seatsHandler{}, Config{Prefix: dbtest.KeyPrefix(t)}.withDefaults())
	marks, err := store.marks(t.Context())
	dbtest.Must(t, err)
	if len(marks) != 3 {
		t.Fatalf("%d marks for three masters", len(marks))
	}
	people := map[string]string{} // by master
	for _, user := range []string{"ann", "bob", "cem", "dan", "eve", "fay", "gus", "hal", "ida"} {
		master := cluster.Master(store.key(user))
		if mark := store.epochKey(store.key(user)); cluster.Master(mark) != master {
			t.Errorf("%s is at %s, the mark at %s", user, master, cluster.Master(mark))
		}
		people[master] = user
	}
	before := store.epochs(t.Context(), marks, "", false)
	lost := cluster.Master(marks[0])
	dbtest.Must(t, cluster.Node(lost).FlushAll(t.Context()).Err())
	for i, after := range store.epochs(t.Context(), marks, "", false) {
		dbtest.Must(t, after.err)
		if isNew := after.since != before[i].since; isNew != (i == 0) {
			t.Errorf("master %d: %+v, before %+v", i, after, before[i])
		}
	}
	cluster.FailOver(store.key(people[cluster.Master(marks[1])]))
	dbtest.Eventually(t, "the new master has another epoch", func() bool {
		after := store.epochs(t.Context(), marks[1:2], "", false)[0]
		return after.err == nil && after.since != before[1].since
	})
}

// A new installation has lost nothing, and one whose data are old enough neither.
func TestLosses_ArePossibleWhereSomebodyWasServedShortlyBefore(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 1)
	cfg := Config{Prefix: h.prefix, Log: slog.New(slog.DiscardHandler)}.withDefaults()
	cfg.ServedSince = servedBefore(true)
	store := newTicketStore(h.rdb, h.handler, cfg)
	suspicious := newLosses(store, cfg)
	young := h.epoch(store)
	old := young
	old.age = cfg.Repeats
	if !suspicious.possible(t.Context(), young) || suspicious.possible(t.Context(), old) {
		t.Error("data are suspected if they are young, and only then")
	}
	cfg.ServedSince = servedBefore(false)
	if newLosses(store, cfg).possible(t.Context(), young) || !h.epoch(store).whole {
		t.Error("nobody was served before, and something is lost")
	}
	if again := h.epoch(store); newLosses(store, Config{}).possible(t.Context(), again) {
		t.Errorf("another process does not know it: %+v", again)
	}
	if e := (epoch{err: errNoEpoch}); !suspicious.possible(t.Context(), e) || !suspicious.possible(t.Context(), old) {
		t.Error("a server that was away is not suspected, nor afterwards")
	}
}
