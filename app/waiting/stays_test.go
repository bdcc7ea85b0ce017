package waiting

import (
	"slices"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/locks"
)

func TestLinesOfStaysNameTheirSlots(t *testing.T) {
	t.Parallel()
	first := booking.SlotKey{RestaurantID: 7, Date: "2026-12-24", Time: "18:00"}
	if LineOfStay([]booking.SlotKey{first}) != LineOf(first) {
		t.Error("a stay of one slot has another line than the slot")
	}
	slots := first.Slots([]booking.TimeOfDay{"19:00", "20:00"})
	line := LineOfStay(slots)
	if got, err := SlotsOf(line); err != nil || !slices.Equal(got, slots) {
		t.Errorf("%v, %v", got, err)
	}
	signer := NewSigner([]byte("secret"))
	pass := Token{Line: line, Ticket: "t", UserID: "ann", Arrival: 5}
	if got, err := signer.Read(signer.Sign(pass), "ann"); err != nil || got != pass {
		t.Errorf("a pass for it: %+v, %v", got, err)
	}
	if _, err := SlotsOf(LineOfCoupon(3)); err != ErrUnknownTicket {
		t.Errorf("the line of a campaign: %v", err)
	}
}

// staying is a wish for two slots, of which the second is the evening of the other tests.
func staying(user string) Request {
	w := wish(user, "k")
	w.Line = locks.JointName(evening.Partition, []string{"18:00", evening.Key})
	return w
}

func TestAStayAndASlotOfItTakeTurns(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	turn := p.rival()
	rooms := []*Room{p.room(Config{}), p.room(Config{})}
	ahead := press(t, rooms[0], wish("ann", "k"))
	stays := press(t, rooms[1], staying("bob"))
	behind := press(t, rooms[0], wish("cem", "k"))
	for want, w := range []*Watch{ahead, stays, behind} {
		eventually(t, 3*time.Second, "one line", func() bool { return w.Status().Position == want+1 })
	}
	n, err := rooms[0].Lengths(t.Context(), []locks.Name{{Partition: evening.Partition, Key: "18:00"}, evening})
	if err != nil || !slices.Equal(n, []int{1, 4}) {
		t.Errorf("%v stand in the lines, %v", n, err)
	}
	if again := press(t, rooms[0], staying("bob")); again.Token() == "" {
		t.Error("the same press elsewhere has no ticket")
	}
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*Watch{ahead, stays, behind} {
		if s := settledWithin(t, w, 5*time.Second); s.State != Reserved {
			t.Errorf("%+v", s)
		}
	}
	p.server.mu.Lock()
	defer p.server.mu.Unlock()
	if len(p.server.order) != 3 || !slices.IsSorted(p.server.order) {
		t.Errorf("served in the order %v, want that of their arrival", p.server.order)
	}
}

func TestWhoWaitsForSeveralSlotsHearsThatOneIsClosed(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	turn := p.rival()
	rooms := []*Room{p.room(Config{}), p.room(Config{})}
	stays := press(t, rooms[0], staying("bob"))
	early := wish("dan", "k")
	early.Line.Key = "18:00"
	other := press(t, rooms[1], early) // behind bob, who waits for the evening
	if s := other.Status(); s.State != Waiting || s.Position != 2 {
		t.Fatalf("%+v", s)
	}
	if err := rooms[1].CloseLine(t.Context(), evening, Result{State: Rejected, Code: CodeClosed}); err != nil {
		t.Fatal(err)
	}
	if s := settledWithin(t, stays, 3*time.Second); s.Result.Code != CodeClosed {
		t.Errorf("who waits for both hears %+v", s)
	}
	if s := settledWithin(t, other, 5*time.Second); s.State != Reserved {
		t.Errorf("who waits for the other slot hears %+v", s)
	}
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
}
