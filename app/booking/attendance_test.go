package booking

import (
	"errors"
	"testing"
	"time"
)

// begins is when the stay of these tests begins; it lasts an hour.
var begins = time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC)

func TestCheckMark_ByStateAndTime(t *testing.T) {
	t.Parallel()
	all := []State{Temporary, Confirmed, PrepaidConfirmed, Arrived, Seated, Completed, NoShow, Expired, Cancelled,
		RefundPending, Refunded}
	allowed := map[State][]State{
		Confirmed: {Arrived, Seated, NoShow}, PrepaidConfirmed: {Arrived, Seated, NoShow}, Arrived: {Seated, Completed},
		Seated: {Completed},
	}
	for _, from := range all {
		for _, to := range all {
			want := error(ErrWrongState)
			for _, state := range allowed[from] {
				if state == to {
					want = nil
				}
			}
			if err := (Reservation{State: from}).CheckMark(to, begins, begins); !errors.Is(err, want) {
				t.Errorf("%s → %s: %v, want %v", from, to, err, want)
			}
		}
	}
	for state, earliest := range map[State]time.Time{Arrived: begins.Add(-30 * time.Minute),
		Seated: begins.Add(-30 * time.Minute), NoShow: begins} {
		r := Reservation{State: Confirmed}
		if err := r.CheckMark(state, begins, earliest); err != nil {
			t.Errorf("%s at %v: %v", state, earliest, err)
		}
		if err := r.CheckMark(state, begins, earliest.Add(-time.Second)); !errors.Is(err, ErrTooEarly) {
			t.Errorf("%s a second earlier: %v", state, err)
		}
	}
}

// Undo takes back the mark that is meant, and only that one.
func TestUndo_LeadsBackTheWayItCame(t *testing.T) {
	t.Parallel()
	end := begins.Add(time.Hour)
	for _, kind := range []PaymentKind{Deposit, Prepay} {
		paid := Reservation{State: Confirmed, PaymentKind: kind}
		if kind == Prepay {
			paid.State = PrepaidConfirmed
		}
		for _, way := range [][]State{{Arrived}, {Seated}, {Arrived, Seated}, {Arrived, Completed}, {Seated, Completed},
			{Arrived, Seated, Completed}, {NoShow}} {
			states := []Reservation{paid}
			for i, state := range way {
				states = append(states, states[i].Mark(state, begins.Add(time.Duration(i)*time.Minute)))
			}
			for i := len(way); i > 0; i-- {
				got, err := states[i].Undo(way[i-1], end, begins.Add(30*time.Minute))
				if err != nil || got.State != states[i-1].State || got.Attendance != states[i-1].Attendance {
					t.Errorf("%v: undoing %s: %s %+v, %v", way, way[i-1], got.State, got.Attendance, err)
				}
			}
		}
	}
	arrived := Reservation{State: Confirmed}.Mark(Arrived, begins)
	seated := arrived.Mark(Seated, begins)
	for name, c := range map[string]struct {
		r    Reservation
		mark State
		now  time.Time
	}{
		"another mark followed":     {seated, Arrived, begins},
		"nothing was marked":        {Reservation{State: Confirmed}, Confirmed, begins},
		"the stay is over":          {arrived.Mark(Completed, begins), Completed, end},
		"who overstayed is gone":    {seated.Mark(Completed, end), Completed, end.Add(OverstayGrace)},
		"marked by a server before": {Reservation{State: Completed}, Completed, begins},
		"a no-show of last week":    {Reservation{State: Confirmed}.Mark(NoShow, begins), NoShow, end.Add(NoShowCorrection)},
		"a refund":                  {Reservation{State: RefundPending}, RefundPending, begins},
	} {
		if got, err := c.r.Undo(c.mark, end, c.now); !errors.Is(err, ErrWrongState) {
			t.Errorf("%s: %s, %v", name, got.State, err)
		}
	}
}

// A party that sits on after its stay is marked as gone by mistake.
func TestUndo_OfAnOverstay(t *testing.T) {
	t.Parallel()
	sits, end := Reservation{State: Confirmed}.Mark(Seated, begins), begins.Add(time.Hour)
	got, err := sits.Mark(Completed, end.Add(time.Minute)).Undo(Completed, end, end.Add(OverstayGrace-time.Second))
	if err != nil || got.State != Seated || got.Attendance != sits.Attendance {
		t.Errorf("%s %+v, %v", got.State, got.Attendance, err)
	}
}

func TestMarkedAt_IsTheLastMark(t *testing.T) {
	t.Parallel()
	r := Reservation{State: Confirmed}
	if !r.Attendance.MarkedAt().IsZero() {
		t.Error("nothing is marked yet")
	}
	r = r.Mark(Arrived, begins).Mark(Seated, begins.Add(time.Minute))
	if got := r.Attendance.MarkedAt(); got != begins.Add(time.Minute) {
		t.Errorf("got %v", got)
	}
}
