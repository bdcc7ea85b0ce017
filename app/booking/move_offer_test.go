package booking

import (
	"errors"
	"testing"
	"time"
)

// A diner who takes another time that is offered keeps what was agreed, and no deadline of changes binds; the visit has
// not begun, and the slot is open.
func TestDecideChange_OfferedTime(t *testing.T) {
	t.Parallel()
	r := dinner()
	r.Policy.ChangeHours = 48
	next := SlotKey{r.RestaurantID, r.Slot.Date, "21:00"}
	decide := func(edit func(*ChangeState, *Request)) (Revision, error) {
		req := wanting(r, r.PartySize, 99_000, Item{MenuItemID: 1, Quantity: 2, UnitPrice: 99_000})
		req.Slot, req.Change.Offered = next, true
		state := ChangeState{Reservation: r, Start: noon.Add(time.Hour), NextStart: noon.Add(3 * time.Hour),
			NextEnd: noon.Add(4 * time.Hour), Now: noon, Offered: true,
			Slots: map[SlotKey]Occupancy{next: {Capacity: 20}}}
		edit(&state, &req)
		return DecideChange(state, req)
	}
	same := func(*ChangeState, *Request) {}
	got, err := decide(same)
	if err != nil || got.Slot != next || got.PaidAmount != r.PaidAmount || got.DepositAmount != r.DepositAmount ||
		got.Amount() != 0 || got.Items[0].UnitPrice != 32_000 || got.Changes != 1 {
		t.Errorf("taken: %+v, %v", got, err)
	}
	for name, c := range map[string]struct {
		edit func(*ChangeState, *Request)
		want error
	}{
		"a change that is not offered": {func(_ *ChangeState, req *Request) { req.Change.Offered = false }, ErrTooLateToChange},
		"a visit that has begun":       {func(s *ChangeState, _ *Request) { s.Start = noon }, ErrPast},
		"a time that has begun":        {func(s *ChangeState, _ *Request) { s.NextStart = noon }, ErrPast},
		"a closed slot": {func(s *ChangeState, _ *Request) { s.Slots[next] = Occupancy{Capacity: 20, Closed: true} },
			ErrClosed},
		"a full slot": {func(s *ChangeState, _ *Request) { s.Slots[next] = Occupancy{Capacity: 20, Held: 19} },
			ErrSoldOut},
		"an offer that is withdrawn": {func(s *ChangeState, _ *Request) { s.Offered = false }, ErrNoMoveOffer},
		"a hold": {func(s *ChangeState, _ *Request) { s.Reservation.State = Temporary },
			ErrWrongState},
		"one that was changed meanwhile": {func(s *ChangeState, _ *Request) { s.Reservation.Changes = 1 },
			ErrChangedMeanwhile},
	} { // in any order
		if _, err := decide(c.edit); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
