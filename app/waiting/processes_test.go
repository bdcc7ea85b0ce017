package waiting

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// quickLines has beats short enough for a test to wait for some.
var quickLines = locks.Config{
	Beat: 200 * time.Millisecond, TTL: 2 * time.Second, ClaimWindow: time.Second, Lease: 3 * time.Second,
}

func TestServe_OneTurnServesTheTicketsOfAllProcesses(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 1000)
	turn := h.takeTurn()
	rooms := []*Room{h.room(Config{}), h.room(Config{})}
	var watches []*Watch
	for i := range 100 {
		watches = append(watches, enter(t, rooms[i%2], request(fmt.Sprintf("diner-%d", i), "k")))
	}
	dbtest.Must(t, turn.Release(t.Context(), 1))
	for i, w := range watches {
		if s := awaitResult(t, w); s.Result.ReservationID != fmt.Sprintf("for-diner-%d", i) {
			t.Errorf("diner %d: %+v", i, s)
		}
	}
	if want := []int{64, 36}; !slices.Equal(h.handler.batchSizes(), want) || !slices.IsSorted(h.handler.arrivals()) {
		t.Errorf("runs of %v in order %v, want %v in order of arrival", h.handler.batchSizes(), h.handler.arrivals(),
			want)
	}
}

// A closed tab changes nothing: whoever watches nowhere is served in their order, and finds the result anywhere.
func TestAway_WhoWatchesNowhereIsServedInOrder(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	turn := h.takeTurn()
	here, there := h.room(Config{}), h.room(Config{})
	ann, err := here.Enter(t.Context(), request("ann", "k"))
	dbtest.Must(t, err)
	signed := ann.Token()
	ann.Close()
	bob := enter(t, here, request("bob", "k"))
	if s := bob.Status(); s.Position != 2 || s.Count != 2 {
		t.Errorf("bob stands at %+v, want behind ann", s)
	}
	dbtest.Must(t, turn.Release(t.Context(), 1))
	awaitResult(t, bob)
	back, err := there.Watch(t.Context(), signed, "ann")
	dbtest.Must(t, err)
	defer back.Close()
	if s := awaitResult(t, back); s.Result.ReservationID != "for-ann" {
		t.Errorf("ann is back: %+v", s)
	}
	if order := h.handler.arrivals(); len(order) != 2 || !slices.IsSorted(order) {
		t.Errorf("served in order %v, want ann's number before bob's", order)
	}
}

// A diner who moves to another process takes the ticket along; the first process forgets it, and one that still watches
// there finds the result.
func TestAdopted_IsForgottenWhereNobodyWatches(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	turn := h.takeTurn()
	here, there := h.room(Config{Lines: quickLines}), h.room(Config{Lines: quickLines})
	leaves, err := here.Enter(t.Context(), request("ann", "k"))
	dbtest.Must(t, err)
	stays := enter(t, here, request("bob", "k"))
	signed := map[string]string{"ann": leaves.Token(), "bob": stays.Token()}
	leaves.Close()
	for _, user := range []string{"ann", "bob"} {
		moved, err := there.Watch(t.Context(), signed[user], user)
		dbtest.Must(t, err)
		moved.Close()
	}
	dbtest.Eventually(t, "ann's ticket is forgotten, bob's is not",
		func() bool { return here.Waiting() == 1 })
	if n := there.Waiting(); n != 2 {
		t.Errorf("%d wait in the process that they moved to", n)
	}
	dbtest.Must(t, turn.Release(t.Context(), 1))
	if s := awaitResult(t, stays); s.Result.ReservationID != "for-bob" {
		t.Errorf("bob, who watches in the process that he came from: %+v", s)
	}
	if order := h.handler.arrivals(); len(order) != 2 || !slices.IsSorted(order) {
		t.Errorf("served in order %v", order)
	}
}

// A ticket that a turn takes along may move to another process before the turn's own process has read the answer that
// names it. It is served in its place all the same, and the other process gets its result with the end of the turn.
func TestAdopted_IsKnownToATurnThatTookIt(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	h.takeTurn()
	here, there := h.room(Config{Lines: quickLines}), h.room(Config{Lines: quickLines})
	_ = enter(t, here, request("bob", "k"))
	ann, err := here.Enter(t.Context(), request("ann", "k"))
	dbtest.Must(t, err)
	signed, ticket := ann.Token(), ann.ticket
	ann.Close()
	moved, err := there.Watch(t.Context(), signed, "ann")
	dbtest.Must(t, err)
	defer moved.Close()
	q := here.queueOf(evening)
	dbtest.Eventually(t, "the first process learns that she has moved", func() bool {
		q.mu.Lock()
		defer q.mu.Unlock()
		return ticket.adopted
	})
	q.followUp(t.Context())
	queued, known := q.queuedRequest(locks.Taken{Ticket: ticket.id, Arrival: numberOf(ann)})
	if !known || queued.UserID != "ann" {
		t.Fatalf("the turn passes over ann: %+v", queued)
	}
	served := []ticketResult{{ticket: ticket.id, result: Result{State: Reserved}}}
	if others := foreignResults([]QueuedRequest{queued}, served); len(others) != 1 {
		t.Errorf("the process that ann is at gets %v", others)
	}
}

func TestStatus_NobodyWaitsLongerThanThereIsSomethingLeft(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 2)
	h.takeTurn()
	room := h.room(Config{})
	var last *Watch
	for i := range 12 {
		last = enter(t, room, request(fmt.Sprintf("diner-%d", i), "k"))
	}
	const perPerson = 3 * time.Second // before anything was measured
	dbtest.Eventually(t, "the last of twelve waits for the two that can be served, and no longer", func() bool {
		s := last.Status()
		return s.Position == 12 && s.Estimate == 2*perPerson
	})
	h.handler.mu.Lock()
	h.handler.seats = 100
	h.handler.mu.Unlock()
	dbtest.Eventually(t, "with more seats it waits for all ahead", func() bool {
		return last.Status().Estimate == 12*perPerson
	})
}

func TestRedisAway_ALossOfAllDataCostsNobodyThePlace(t *testing.T) {
	t.Parallel()
	h := newHarnessAt(t, dbtest.PrivateRedisURL(t), 100)
	h.takeTurn()
	lines := quickLines
	lines.Beat = 500 * time.Millisecond // all have a beat and a quarter to return, on a busy machine too
	rooms := []*Room{h.room(Config{Lines: lines}), h.room(Config{Lines: lines})}
	var watches []*Watch
	for i := range 20 {
		watches = append(watches, enter(t, rooms[i%2], request(fmt.Sprintf("diner-%d", i), "k")))
	}
	dbtest.Must(t, h.rdb.FlushAll(t.Context()).Err())
	again := enter(t, rooms[0], request("diner-0", "k")) // findEarlier before anything is restored: another ticket
	newcomer := enter(t, rooms[1], request("newcomer", "k"))
	for _, w := range append(slices.Clone(watches), newcomer) {
		if s := awaitResult(t, w); s.State != Reserved {
			t.Errorf("got %+v", s)
		}
	}
	awaitResult(t, again)
	order := h.handler.arrivals()
	if !slices.IsSorted(order[:20]) || len(order) < 21 || order[19] > slices.Min(order[20:]) {
		t.Errorf("served in order %v, want those who were in line first", order)
	}
	signed := watches[7].Token()
	found, err := rooms[0].Watch(t.Context(), signed, "diner-7")
	if err != nil {
		t.Fatalf("a restored ticket: %v", err)
	}
	defer found.Close()
	if s := found.Status(); s.Result.ReservationID != "for-diner-7" {
		t.Errorf("found %+v", s)
	}
}
