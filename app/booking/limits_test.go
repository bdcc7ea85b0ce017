package booking

import (
	"errors"
	"reflect"
	"testing"
	"time"
)

var evening = time.Date(2040, 5, 7, 10, 0, 0, 0, time.UTC) // 19:00 in Seoul

// at is a visit of an hour that begins some hours after evening.
type visits = []HeldVisit

func at(id string, state State, hours float64) HeldVisit {
	start := evening.Add(time.Duration(hours * float64(time.Hour)))
	return HeldVisit{ReservationID: id, State: state, Start: start, End: start.Add(time.Hour)}
}

func unpaid(v HeldVisit) HeldVisit {
	v.Unpaid = true
	return v
}

func offered(v HeldVisit) HeldVisit {
	v.Offered = true
	return v
}

func TestDecide_LimitsOfTheAccount(t *testing.T) {
	t.Parallel()
	now := evening.Add(-24 * time.Hour)
	limits := Limits{Holds: 3, UnconfirmedHolds: 1, Unpaid: 2}
	for name, c := range map[string]struct {
		diner   Diner
		deposit int64
		err     error
	}{
		"nothing":                       {Diner{Confirmed: true}, 1, nil},
		"two holds":                     {Diner{Confirmed: true, Visits: visits{at("a", Temporary, 5), at("b", Temporary, 6)}}, 1, nil},
		"three holds":                   {Diner{Confirmed: true, Visits: visits{at("a", Temporary, 5), at("b", Temporary, 6), at("c", Temporary, 7)}}, 1, &TooManyHoldsError{3, TooManyHolds}},
		"three, one of them an offer":   {Diner{Confirmed: true, Visits: visits{at("a", Temporary, 5), at("b", Temporary, 6), offered(at("c", Temporary, 7))}}, 1, nil},
		"three, one of them paid for":   {Diner{Confirmed: true, Visits: visits{at("a", Temporary, 5), at("b", Temporary, 6), at("c", Confirmed, 7)}}, 1, nil},
		"an address not confirmed":      {Diner{}, 1, nil},
		"and a hold":                    {Diner{Visits: visits{at("a", Temporary, 5)}}, 1, &TooManyHoldsError{1, TooManyUnconfirmed}},
		"the same time":                 {Diner{Confirmed: true, Visits: visits{at("a", Confirmed, 0)}}, 1, &OverlappingError{"a"}},
		"it ends a little later":        {Diner{Confirmed: true, Visits: visits{at("a", Seated, -0.5)}}, 1, &OverlappingError{"a"}},
		"it ends then":                  {Diner{Confirmed: true, Visits: visits{at("a", Confirmed, -1)}}, 1, nil},
		"it begins at the end":          {Diner{Confirmed: true, Visits: visits{at("a", Confirmed, 2)}}, 1, nil},
		"it begins in the second hour":  {Diner{Confirmed: true, Visits: visits{at("a", Temporary, 1)}}, 1, &OverlappingError{"a"}},
		"an offer at the time":          {Diner{Confirmed: true, Visits: visits{offered(at("a", Temporary, 0))}}, 1, &OverlappingError{"a"}},
		"cancelled, not yet refunded":   {Diner{Confirmed: true, Visits: visits{at("a", RefundPending, 0)}}, 1, nil},
		"a hold expired just now":       {Diner{Confirmed: true, HoldEnded: now.Add(-time.Minute)}, 1, &HeldRecentlyError{now.Add(6 * time.Minute)}},
		"a hold expired in an hour":     {Diner{Confirmed: true, HoldEnded: now.Add(time.Hour)}, 1, nil}, // by a clock ahead
		"a hold expired a hold ago":     {Diner{Confirmed: true, HoldEnded: now.Add(-7 * time.Minute)}, 1, nil},
		"two unpaid, one more":          {Diner{Confirmed: true, Visits: visits{unpaid(at("a", Confirmed, 5)), unpaid(at("b", Temporary, 6))}}, 0, &TooManyHoldsError{2, TooManyUnpaid}},
		"two unpaid, one with deposit":  {Diner{Confirmed: true, Visits: visits{unpaid(at("a", Confirmed, 5)), unpaid(at("b", Confirmed, 6))}}, 1, nil},
		"two unpaid, one of them begun": {Diner{Confirmed: true, Visits: visits{unpaid(at("a", Confirmed, 5)), unpaid(at("b", Confirmed, -24))}}, 0, nil},
	} {
		req := request("ann", 2)
		req.DepositAmount, req.HoldTime = c.deposit, 7*time.Minute
		state := SlotState{Slots: []Occupancy{{Capacity: 2}}, Diners: map[string]Diner{"ann": c.diner}, Limits: limits,
			Start: evening, End: evening.Add(2 * time.Hour), Now: now}
		outcomes, after := Decide(state, []Request{req, request("bob", 2)})
		if got := outcomes[0].Err; !reflect.DeepEqual(got, c.err) {
			t.Errorf("%s: %v, want %v", name, got, c.err)
		}
		if refused := c.err != nil; outcomes[1].Reserves() != refused || after[0].Held != 2 {
			t.Errorf("%s: the next one gets seats: %v, %+v", name, outcomes[1].Reserves(), after)
		}
	}
}

// Who is over a limit hears of it only where there were seats: else they would give up something for nothing.
func TestDecide_LimitsComeLast(t *testing.T) {
	t.Parallel()
	diner := Diner{Confirmed: true, Visits: visits{at("a", Confirmed, 0)}}
	state := SlotState{Slots: []Occupancy{{Capacity: 10, Held: 9}}, Diners: map[string]Diner{"ann": diner},
		Limits: DefaultLimits(), Start: evening, End: evening.Add(time.Hour)}
	var full *SoldOutError
	if outcomes, _ := Decide(state, []Request{request("ann", 2)}); !errors.As(outcomes[0].Err, &full) {
		t.Errorf("got %v, want sold out", outcomes[0].Err)
	}
	state.Live = map[string][]Reservation{"ann": {{ID: "a"}}}
	if outcomes, _ := Decide(state, []Request{request("ann", 1)}); !errors.Is(outcomes[0].Err, ErrDuplicate) {
		t.Errorf("got %v, want a duplicate", outcomes[0].Err)
	}
}

func TestDecideChange_LimitsOfTheAccount(t *testing.T) {
	t.Parallel()
	now := evening.Add(-24 * time.Hour)
	own := at("own", Temporary, 5)
	for name, c := range map[string]struct {
		diner Diner
		state State
		err   error
	}{
		"only itself":                    {Diner{Visits: visits{own}}, Temporary, nil},
		"three holds":                    {Diner{Visits: visits{own, at("b", Temporary, 7), at("c", Temporary, 9)}}, Temporary, nil},
		"another at the time":            {Diner{Visits: visits{own, at("b", Confirmed, 0.5)}}, Temporary, &OverlappingError{"b"}},
		"a hold expired there":           {Diner{Visits: visits{own}, HoldEnded: now.Add(-time.Minute)}, Temporary, &HeldRecentlyError{now.Add(6 * time.Minute)}},
		"and the reservation is no hold": {Diner{Visits: visits{own}, HoldEnded: now.Add(-time.Minute)}, Confirmed, nil},
	} {
		r := Reservation{ID: "own", UserID: "ann", State: c.state, PartySize: 2,
			Slot: SlotKey{1, "2040-05-08", "00:00"}, DepositAmount: 1,
			PaidAmount: map[State]int64{Confirmed: 1}[c.state], HoldExpiresAt: now.Add(time.Hour)}
		req := request("ann", 2)
		req.Slot, req.DepositAmount, req.HoldTime, req.Change = SlotKey{1, "2040-05-07", "19:00"}, 1, 7*time.Minute,
			&Change{ReservationID: "own"}
		_, err := DecideChange(ChangeState{Reservation: r, Start: own.Start, Now: now, Limits: DefaultLimits(),
			Diner: c.diner, Slots: map[SlotKey]Occupancy{req.Slot: {Capacity: 10}}, NextStart: evening,
			NextEnd: evening.Add(time.Hour)}, req)
		if !reflect.DeepEqual(err, c.err) {
			t.Errorf("%s: %v, want %v", name, err, c.err)
		}
	}
}
