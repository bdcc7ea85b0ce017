package booking

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

func request(user string, party int) Request {
	return Request{UserID: user, IdempotencyKey: "key-" + user, PartySize: party, DepositAmount: 10_000,
		Slot: SlotKey{1, "2026-12-24", "19:00"}}
}

func TestDecide_ArrivalOrder(t *testing.T) {
	t.Parallel()
	run := []Request{request("ann", 4), request("bob", 4), request("cem", 3), request("dan", 2)}
	outcomes, after := Decide(SlotState{Slots: []Occupancy{{Capacity: 10, Held: 1, OnHold: 1}}}, run)

	for i, reserves := range []bool{true, true, false, false} {
		if outcomes[i].Reserves() != reserves {
			t.Errorf("%s: reserves %v, want %v", run[i].UserID, outcomes[i].Reserves(), reserves)
		}
	}
	var full *SoldOutError
	if !errors.As(outcomes[2].Err, &full) || full.Remaining != 1 || full.OnHold != 9 {
		t.Errorf("cem's error: %v", outcomes[2].Err)
	}
	if !reflect.DeepEqual(after[0], Occupancy{Capacity: 10, Held: 9, OnHold: 9, Arriving: 8}) {
		t.Errorf("after the run: %+v", after)
	}
}

func TestDecide_SmallerPartyGetsRemainingSeats(t *testing.T) {
	t.Parallel()
	outcomes, after := Decide(SlotState{Slots: []Occupancy{{Capacity: 3}}},
		[]Request{request("ann", 4), request("bob", 3)})
	if outcomes[0].Reserves() || !outcomes[1].Reserves() || after[0].Remaining() != 0 {
		t.Errorf("got %+v, then %+v", outcomes, after)
	}
}

func TestDecide_RepeatsAndDuplicates(t *testing.T) {
	t.Parallel()
	mine := Reservation{ID: "R1", UserID: "ann", IdempotencyKey: "key-ann", PartySize: 2,
		Slot: SlotKey{1, "2026-12-24", "19:00"}}
	again := request("ann", 2)
	again.IdempotencyKey = "another"
	for _, c := range []struct {
		name     string
		state    SlotState
		run      []Request
		last     error
		existing string
	}{
		{"a live reservation", SlotState{Live: map[string][]Reservation{"ann": {mine}}}, []Request{request("ann", 2)}, ErrDuplicate, "R1"},
		{"twice in one run", SlotState{IDs: []string{"R2"}}, []Request{request("ann", 2), again}, ErrDuplicate, "R2"},
		{"twice in one run under one key", SlotState{IDs: []string{"R2"}}, []Request{request("ann", 2), request("ann", 2)}, nil, "R2"},
		{"the same key again", SlotState{Repeats: map[Submission]Reservation{{UserID: "ann", IdempotencyKey: "key-ann"}: mine}, Live: map[string][]Reservation{"ann": {mine}}},
			[]Request{request("ann", 2)}, nil, "R1"},
		{"the same key for another party", SlotState{Repeats: map[Submission]Reservation{{UserID: "ann", IdempotencyKey: "key-ann"}: mine}}, []Request{request("ann", 3)}, ErrKeyReused, ""},
		{"a paused slot", SlotState{Slots: []Occupancy{{Capacity: 9, Paused: true}}}, []Request{request("ann", 2)}, ErrPaused, ""},
		{"before the slot opens", SlotState{Now: noon, Slots: []Occupancy{{Capacity: 9, OpensAt: noon.Add(1)}}},
			[]Request{request("ann", 2)}, ErrNotOpenYet, ""},
		{"when the slot opens", SlotState{Now: noon, Slots: []Occupancy{{Capacity: 9, OpensAt: noon}}, IDs: []string{"R2"}},
			[]Request{request("ann", 2)}, nil, "R2"},
		{"closed and paused", SlotState{Slots: []Occupancy{{Closed: true, Paused: true}}}, []Request{request("ann", 2)}, ErrClosed, ""},
		{"a closed slot", SlotState{Slots: []Occupancy{{Closed: true}}}, []Request{request("ann", 2)}, ErrClosed, ""},
		{"a closed slot for someone who was served before", SlotState{Slots: []Occupancy{{Closed: true}}, Repeats: map[Submission]Reservation{{UserID: "ann", IdempotencyKey: "key-ann"}: mine}},
			[]Request{request("ann", 2)}, nil, "R1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.state.Slots = append(c.state.Slots, Occupancy{Capacity: 20})
			outcomes, _ := Decide(c.state, c.run)
			got := outcomes[len(outcomes)-1]
			if !errors.Is(got.Err, c.last) || got.ReservationID != c.existing {
				t.Errorf("got %v about %q, want %v about %q", got.Err, got.ReservationID, c.last, c.existing)
			}
		})
	}
}

// For random runs, the assigned seats never exceed the capacity, and a refused request would not have fitted.
func TestDecide_NeverOversells(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 1))
		state := SlotState{Slots: []Occupancy{{Capacity: random.IntN(40)}}}
		capacity := state.Slots[0].Capacity
		given := 0
		for turn := range 1 + random.IntN(5) {
			var run []Request
			for i := range random.IntN(30) {
				run = append(run, request(fmt.Sprintf("u%d-%d", turn, i), 1+random.IntN(6)))
			}
			outcomes, after := Decide(state, run)
			for _, o := range outcomes {
				fits := given+o.Request.PartySize <= capacity
				if o.Reserves() != fits {
					t.Fatalf("seed %d: party of %d with %d of %d given: reserves %v", seed, o.Request.PartySize, given,
						capacity, o.Reserves())
				}
				if fits {
					given += o.Request.PartySize
				}
			}
			if after[0].Held != given {
				t.Fatalf("seed %d: held %d, given %d", seed, after[0].Held, given)
			}
			state.Slots = after
		}
	}
}

// What costs nothing is confirmed at once, if its diner's address is confirmed; everything else is on hold.
func TestDecide_ConfirmsAtOnceWhatCostsNothing(t *testing.T) {
	t.Parallel()
	free := func(user string) Request {
		req := request(user, 2)
		req.DepositAmount = 0
		return req
	}
	covered, lowered := request("cem", 2), request("dan", 2)
	covered.CouponID, lowered.CouponID = 1, 2
	ordered := free("eve")
	ordered.Items = []Item{{MenuItemID: 1, Quantity: 1, UnitPrice: 30_000}}
	guest := free("host")
	guest.Guest = &Guest{Name: "Ann", Source: Phone, State: Confirmed}
	state := SlotState{Slots: []Occupancy{{Capacity: 20}}, Limits: DefaultLimits(), Now: noon,
		IDs: []string{"1", "2", "3", "4", "5", "6", "7"},
		Coupons: map[Owner]Coupon{
			{"cem", 1}: {CouponTerms: CouponTerms{ID: 1, Use: OffDeposit, Amount: 10_000, ValidUntil: noon.Add(time.Hour)}},
			{"dan", 2}: {CouponTerms: CouponTerms{ID: 2, Use: OffDeposit, Amount: 9_999, ValidUntil: noon.Add(time.Hour)}},
		},
		Unconfirmed: Unconfirmed{Users: map[string]bool{"bob": true}, Held: []int{0}}}
	outcomes, after := Decide(state, []Request{free("ann"), free("bob"), covered, lowered, ordered, guest,
		request("fay", 2)})
	for i, want := range []State{Confirmed, Temporary, Confirmed, Temporary, Confirmed, Confirmed, Temporary} {
		if out := outcomes[i]; out.Err != nil || out.State() != want || out.AtOnce != (want == Confirmed && i != 5) {
			t.Errorf("%s: %s, at once %v, %v; want %s", out.Request.UserID, out.State(), out.AtOnce, out.Err, want)
		}
	}
	if after[0].Held != 14 || after[0].OnHold != 6 {
		t.Errorf("afterwards %d covers, %d on hold", after[0].Held, after[0].OnHold)
	}
	again, _ := Decide(state, []Request{free("ann"), free("ann")})
	if was := again[1].Existing; was == nil || was.State != Confirmed {
		t.Errorf("a repeat finds %+v", was)
	}
}
