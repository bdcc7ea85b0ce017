package outbox_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lunchgo/app/events"
	"lunchgo/db/dbtest"
	"lunchgo/db/outbox"
	"lunchgo/db/testkit"
)

// outOfOrder stores an event of a key whose transaction is committed after one of another key that has the higher id.
// It returns the keys in the order in which a relay gets them.
func outOfOrder(t *testing.T, h *testkit.Harness) (keys []string) {
	t.Helper()
	store := h.WantEvents(t)
	const insert = `INSERT INTO outbox (type, key, data, kafka, webhooks) VALUES ('lunchgo.wallet.charged', $1, '{}', true, false)`
	slow, err := h.SQL().BeginTxx(t.Context(), nil)
	dbtest.Must(t, err)
	if _, err := slow.ExecContext(t.Context(), insert, "slow"); err != nil {
		t.Fatal(err)
	}
	take := func() {
		list, err := store.ListWaiting(t.Context(), events.Waiting{Kind: "lunchgo.wallet", Limit: 10})
		dbtest.Must(t, err)
		for _, e := range list {
			keys = append(keys, e.Key)
			dbtest.Must(t, store.MarkSent(t.Context(), []int64{e.ID}))
		}
	}
	h.MustExec(t, insert, "quick")
	h.MustExec(t, insert, "quick 2")
	take()
	dbtest.Must(t, slow.Commit())
	take()
	return keys
}

func TestOutbox_LosesNoEventThatIsCommittedLate(t *testing.T) {
	t.Parallel()
	if keys := outOfOrder(t, testkit.Setup(t)); !slices.Equal(keys, []string{"quick", "quick 2", "slow"}) {
		t.Errorf("a relay gets %v", keys)
	}
}

// Controls: a relay that goes on behind the highest id it has sent loses an event, and one without an order turns some
// round.
func TestOutbox_WithoutGuards(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	h.Weaken(outbox.ListWaiting,
		dbtest.Replacing("WHERE kafka",
			"WHERE kafka AND id > (SELECT COALESCE(max(id), 0) FROM outbox WHERE NOT kafka)"))
	if keys := outOfOrder(t, h); slices.Contains(keys, "slow") {
		t.Errorf("by a position nothing is lost: %v", keys)
	}
	h = testkit.Setup(t)
	h.Weaken(outbox.ListWaiting, dbtest.Replacing("ORDER BY id", "ORDER BY id DESC"))
	if keys := outOfOrder(t, h); slices.IsSorted(keys[:2]) {
		t.Errorf("without the order it is kept: %v", keys)
	}
}

// behind stores events of another topic and of a key that is left out before one, and returns whether a relay gets it.
func behind(t *testing.T, h *testkit.Harness) bool {
	t.Helper()
	store := h.WantEvents(t)
	h.MustExec(t, `INSERT INTO outbox (type, key, data, kafka, webhooks)
		SELECT 'lunchgo.' || kind, key, '{}', true, false
		FROM (VALUES ('wallet.charged', 'a'), ('slot.closed', 'b'), ('reservation.held', 'c'), ('reservation.held', 'd'))
			AS event (kind, key)`)
	rest := events.Waiting{Kind: "lunchgo.reservation", Except: []string{"c"}, Limit: 1}
	list, err := store.ListWaiting(t.Context(), rest)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	return list[0].Key == "d"
}

func TestOutbox_ListsBehindWhatIsRefused(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	if !behind(t, h) {
		t.Error("it does not get it")
	}
	h.MustExec(t, `DELETE FROM outbox`)
	h.Weaken(outbox.ListWaiting, dbtest.Replacing("type LIKE", "type >="))
	if behind(t, h) {
		t.Error("it gets it in spite of others without the guard")
	}
}

// holders has several processes ask for the lease at once, again and again after it ended, and returns how many of them
// got it, and how often it ended.
func holders(t *testing.T, h *testkit.Harness) (got int64, rounds int) {
	t.Helper()
	store := h.WantEvents(t)
	var held atomic.Int64
	for range 10 {
		h.MustExec(t, `UPDATE event_feeds SET held_until = clock_timestamp()`)
		var rivals sync.WaitGroup
		for i := range 6 {
			rivals.Go(func() {
				ok, err := store.Hold(t.Context(), events.Lease{Holder: fmt.Sprint("process ", i), For: time.Minute,
					Wanted: time.Hour})
				if err != nil {
					t.Error(err)
				}
				if ok {
					held.Add(1)
				}
			})
		}
		rivals.Wait()
	}
	return held.Load(), 10
}

func TestOutbox_OneProcessHoldsTheFeed(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	if got, rounds := holders(t, h); got != int64(rounds) {
		t.Errorf("%d leases in %d rounds", got, rounds)
	}
	h.Weaken(outbox.HoldFeed,
		dbtest.Replacing("CASE WHEN f.holder = $1 OR f.held_until <= clock_timestamp() THEN $1 ELSE f.holder END",
			"$1"))
	if got, rounds := holders(t, h); got <= int64(rounds) {
		t.Errorf("without the guard: %d leases in %d rounds", got, rounds)
	}
}

// lastSaid has one process count the seats of a slot that has just sold out, and wait with what it found until seats
// are free again and another has looked. It returns whether the last event says that the slot is sold out.
func lastSaid(t *testing.T, h *testkit.Harness) (soldOut string) {
	t.Helper()
	store := h.WantEvents(t)
	slot, diner := h.Slot("19:00"), h.Diners(t, 1, 0)[0]
	dbtest.Must(t, h.SetCapacity(t, slot, 2, diner))
	id := h.Reserve(t, h.Request(diner, slot))
	// has counted before the seats are free; the day was noted twice, in two pages
	slow, err := h.SQL().BeginTxx(t.Context(), nil)
	dbtest.Must(t, err)
	defer func() { _ = slow.Rollback() }()
	for _, step := range []string{h.Guarded(outbox.AnnounceAlone, outbox.AnnounceLock),
		`INSERT INTO sold_out_slots SELECT id FROM slots`, `SELECT write_slot_event(id, 'sold_out') FROM slots`} {
		if _, err := slow.ExecContext(t.Context(), step); err != nil {
			t.Fatal(err)
		}
	}
	h.MustCancel(t, id, diner)
	announce := func() {
		if _, err := store.AnnounceSlots(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	announce()
	dbtest.Must(t, slow.Commit())
	announce()
	list := h.Written(t, fmt.Sprintf("%d/%s/%s", slot.RestaurantID, slot.Date, slot.Time))
	return testkit.EventState(t, list[len(list)-1], "soldOut")
}

func TestAnnounceSlots_OneAtATime(t *testing.T) {
	t.Parallel()
	if said := lastSaid(t, testkit.Setup(t)); said != "false" {
		t.Errorf("sold out, says the last event: %s", said)
	}
	h := testkit.Setup(t)
	h.Weaken(outbox.AnnounceAlone, dbtest.Instead(`SELECT true`))
	if said := lastSaid(t, h); said != "true" {
		t.Errorf("without the guard, sold out: %s", said)
	}
}

func TestOutbox_TrimsWhatWasSent(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	store := h.WantEvents(t)
	h.Diners(t, 5, 1_000)
	list, err := store.ListWaiting(t.Context(), events.Waiting{Kind: "lunchgo.wallet", Limit: 3})
	if err != nil || len(list) != 3 {
		t.Fatalf("%d events, %v", len(list), err)
	}
	for _, e := range list {
		dbtest.Must(t, store.MarkSent(t.Context(), []int64{e.ID}))
	}
	if n, err := store.Trim(t.Context(), time.Hour, 10); n != 0 || err != nil {
		t.Errorf("%d young events are trimmed, %v", n, err)
	}
	h.MustExec(t, `UPDATE outbox SET at = at - interval '2 hours'`)
	if n, err := store.Trim(t.Context(), time.Hour, 2); n != 2 || err != nil {
		t.Errorf("%d events are trimmed, %v, want 2 at once", n, err)
	}
	if n, err := store.Trim(t.Context(), time.Hour, 10); n != 1 || err != nil {
		t.Errorf("%d events are trimmed, %v, want the one that was left", n, err)
	}
	backlog, err := store.Backlog(t.Context())
	if b := backlog["lunchgo.wallets"]; b.Waiting != 2 || b.Oldest < time.Hour || len(backlog) != 4 || err != nil {
		t.Errorf("%+v, %v", backlog, err)
	}
	h.MustExec(t, `UPDATE event_feeds SET wanted_until = clock_timestamp()`)
	if n, err := store.Trim(t.Context(), time.Hour, 10); n != 2 || err != nil {
		t.Errorf("%d events are trimmed, %v, want the two that wait for a Kafka out of use", n, err)
	}
}
