package waiting

import (
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// stayRequest is a request for two slots, of which the second is the evening of the other tests.
func stayRequest(user string) Request {
	req := request(user, "k")
	req.Line = locks.JointName(evening.Partition, []string{"18:00", evening.Key})
	return req
}

func TestStay_AndASlotOfItTakeTurns(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	turn := h.takeTurn()
	rooms := []*Room{h.room(Config{}), h.room(Config{})}
	ahead := enter(t, rooms[0], request("ann", "k"))
	stays := enter(t, rooms[1], stayRequest("bob"))
	behind := enter(t, rooms[0], request("cem", "k"))
	for want, w := range []*Watch{ahead, stays, behind} {
		dbtest.Eventually(t, "one line", func() bool { return w.Status().Position == want+1 })
	}
	n, err := rooms[0].Lengths(t.Context(), []locks.Name{{Partition: evening.Partition, Key: "18:00"}, evening})
	if err != nil || !slices.Equal(n, []int{1, 4}) {
		t.Errorf("%v stand in the lines, %v", n, err)
	}
	if again := enter(t, rooms[0], stayRequest("bob")); again.Token() == "" {
		t.Error("the same request elsewhere has no ticket")
	}
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*Watch{ahead, stays, behind} {
		if s := awaitResult(t, w); s.State != Reserved {
			t.Errorf("%+v", s)
		}
	}
	if len(h.handler.arrivals()) != 3 || !slices.IsSorted(h.handler.arrivals()) {
		t.Errorf("served in the order %v, want that of their arrival", h.handler.arrivals())
	}
}

func TestStay_IsAnsweredWhenOneOfItsSlotsIsClosed(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	turn := h.takeTurn()
	rooms := []*Room{h.room(Config{}), h.room(Config{})}
	stays := enter(t, rooms[0], stayRequest("bob"))
	early := request("dan", "k")
	early.Line.Key = "18:00"
	other := enter(t, rooms[1], early) // behind bob, who waits for the evening
	if s := other.Status(); s.State != Waiting || s.Position != 2 {
		t.Fatalf("%+v", s)
	}
	if err := rooms[1].CloseLine(t.Context(), evening, Result{State: Rejected, Code: booking.ErrClosed.Code}); err != nil {
		t.Fatal(err)
	}
	if s := awaitResult(t, stays); s.Result.Code != booking.ErrClosed.Code {
		t.Errorf("who waits for both hears %+v", s)
	}
	if s := awaitResult(t, other); s.State != Reserved {
		t.Errorf("who waits for the other slot hears %+v", s)
	}
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
}
