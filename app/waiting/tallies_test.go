package waiting

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"lunchgo/app/booking"
)

// Requests are counted by how they ended, those of a joint line in its first slot; changes, coupons and what staff book are not. What
// cannot be stored is counted again, with what came meanwhile.
func TestTallies_CountHowRequestsEnded(t *testing.T) {
	t.Parallel()
	var stored []booking.Tally
	fails := true
	s := &tallies{log: slog.New(slog.DiscardHandler), lines: noTallies(),
		add: func(_ context.Context, counted []booking.Tally) error {
			if fails {
				return errors.New("away")
			}
			stored = append(stored, counted...)
			return nil
		}}
	slot := booking.SlotKey{RestaurantID: 7, Date: "2030-01-04", Time: "12:00"}
	end := func(r Result) ticketResult { return ticketResult{result: r} }
	refused := func(code string) ticketResult { return end(Result{State: Rejected, Code: code}) }
	s.count(LineOf(slot), []ticketResult{end(Result{State: Reserved}), end(Result{State: Reserved, Changed: true}),
		refused(booking.ErrSoldOut.Code), refused(booking.ErrDuplicate.Code),
		{request: Request{HoldsSeats: true}, result: Result{State: Rejected, Code: booking.ErrSoldOut.Code}},
		{request: Request{UserID: "host" + staffMark + "phone"}, result: Result{State: Reserved}}})
	s.count(LineOfCoupon(5), []ticketResult{end(Result{State: Reserved})})
	s.store()
	later := slot
	later.Time = "13:00"
	s.count(LineOfStay([]booking.SlotKey{slot, later}),
		[]ticketResult{end(Result{State: Left, Code: ErrLeft.Code}), refused(ErrWaitTimeout.Code)})
	fails = false
	s.store()
	s.store()
	want := booking.Tally{Slot: slot, Served: 1, SoldOut: 1, Left: 1, TimedOut: 1, Refused: 1}
	if len(stored) != 1 || stored[0] != want {
		t.Errorf("stored %+v, want %+v", stored, want)
	}
}

func TestTallies_AreStoredAtTheEnd(t *testing.T) {
	t.Parallel()
	stored, closing := 0, make(chan struct{})
	s := &tallies{lines: noTallies(), add: func(context.Context, []booking.Tally) error { stored++; return nil }}
	slot := booking.SlotKey{RestaurantID: 7, Date: "2030-01-04", Time: "12:00"}
	s.count(LineOf(slot), []ticketResult{{result: Result{State: Reserved}}})
	close(closing)
	s.storeLoop(closing, time.Hour)
	if stored != 1 {
		t.Errorf("stored %d times", stored)
	}
}

// BenchmarkTallies counts one request of a busy line: what a press that is refused pays for it.
func BenchmarkTallies(b *testing.B) {
	s := &tallies{lines: noTallies(), add: func(context.Context, []booking.Tally) error { return nil }}
	line := LineOf(booking.SlotKey{RestaurantID: 7, Date: "2030-01-04", Time: "12:00"})
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			s.count(line, []ticketResult{{result: Result{State: Rejected, Code: booking.ErrSoldOut.Code}}})
		}
	})
}
