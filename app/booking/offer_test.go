package booking

import (
	"errors"
	"slices"
	"testing"
)

// differences counts, over many evenings, asks that are offered and refused or not offered and accepted.
func differences(t *testing.T, evenings uint64, offer func(*offerDay, Ask, map[TimeOfDay]Occupancy) bool) (differ, open,
	refused int) {
	t.Helper()
	for seed := range evenings {
		d := newOfferDay(seed)
		day := d.shown()
		for range 30 {
			ask := d.ask()
			if d.isOut(ask) {
				continue
			}
			offered, accepted := offer(d, ask, day), d.accepts(ask, true)
			switch {
			case offered != accepted:
				differ++
			case accepted:
				open++
			default:
				refused++
			}
		}
	}
	return differ, open, refused
}

const offerEvenings = 3_000

// What is offered is accepted, and what is not offered is refused: for diners, staff and parties that would change
// their reservation, of any size and stay, in any slot of any day.
func TestOffer_IsWhatTheTransactionAccepts(t *testing.T) {
	t.Parallel()
	differ, open, refused := differences(t, offerEvenings,
		func(d *offerDay, ask Ask, day map[TimeOfDay]Occupancy) bool {
			o := d.r.Offer(ask, day, d.now)
			offered := o.State == OfferOpen
			if accepted := d.accepts(ask, true); offered != accepted {
				t.Errorf("%+v: offered %v with %+v, accepted %t\nof %+v\nwith %+v\nand %+v", ask, o.State, o.Joint,
					accepted, d.r, d.rows, d.list)
				t.FailNow()
			}
			if now := offered && o.Joint.Waits(d.now) == nil; now != d.accepts(ask, false) {
				t.Fatalf("%+v: open %t now, accepted now %t: %+v", ask, now, !now, o.Joint)
			}
			if offered != (o.Remaining >= ask.Party) && o.State != OfferClosed {
				t.Fatalf("%+v: %v with %d seats left", ask, o.State, o.Remaining)
			}
			return offered
		})
	if differ > 0 || open < offerEvenings || refused < offerEvenings {
		t.Errorf("%d differ, %d were accepted and %d refused", differ, open, refused)
	}
}

// Control: whoever counts covers, as slots were listed once, offers what is refused.
func TestOffer_OfCoversIsFoundWrong(t *testing.T) {
	t.Parallel()
	differ, _, _ := differences(t, 100, func(d *offerDay, ask Ask, day map[TimeOfDay]Occupancy) bool {
		o := d.r.Offer(ask, day, d.now)
		return o.State != OfferClosed && ask.Party <= o.Joint.Remaining()
	})
	if differ < 50 {
		t.Errorf("covers alone were wrong %d times: the test above proves nothing", differ)
	}
}

// Control: whoever does not count who arrives offers what is refused.
func TestOffer_WithoutArrivalsIsFoundWrong(t *testing.T) {
	t.Parallel()
	differ, _, _ := differences(t, 300, func(d *offerDay, ask Ask, day map[TimeOfDay]Occupancy) bool {
		r := d.r
		r.ArrivalsPerSlot = 0
		return r.Offer(ask, day, d.now).State == OfferOpen
	})
	if differ < 20 {
		t.Errorf("without arrivals %d were wrong: the test above proves little", differ)
	}
}

// Control: whoever has parties of a service stay as long as others offers what is refused.
func TestOffer_WithoutServicesIsFoundWrong(t *testing.T) {
	t.Parallel()
	differ, _, _ := differences(t, 300, func(d *offerDay, ask Ask, day map[TimeOfDay]Occupancy) bool {
		r := d.r
		r.Services = nil
		return r.Offer(ask, day, d.now).State == OfferOpen
	})
	if differ < 20 {
		t.Errorf("without services %d were wrong: the test above proves little", differ)
	}
}

// Control: whoever has a walk-in stay from the beginning of the slot that runs offers what is refused.
func TestOffer_FromTheSlotOnIsFoundWrong(t *testing.T) {
	t.Parallel()
	differ, _, _ := differences(t, 1_000, func(d *offerDay, ask Ask, day map[TimeOfDay]Occupancy) bool {
		if ask.Begun && ask.Own == nil {
			ask.Stay = SlotsOfStay(max(ask.Minutes, StayMinutes(d.r, ask.Slot, ask.Party, nil)), d.r.SlotMinutes)
		}
		return d.r.Offer(ask, day, d.now).State == OfferOpen
	})
	if differ < 20 {
		t.Errorf("from the slot on %d were wrong: the test above proves little", differ)
	}
}

// So many parties of a size get seats, one after the other, as are said to fit.
func TestOffer_FitsAsManyAsAreSeated(t *testing.T) {
	t.Parallel()
	several := 0
	for seed := range uint64(1_000) {
		d, last := newOfferDay(seed), Offer{}
		day := d.shown()
		for range 6 {
			ask := d.ask()
			if ask.Own != nil {
				ask.Own, ask.Stay = nil, 0
			}
			if d.isOut(ask) || ask.Staff && d.r.ArrivalsPerSlot > 0 && len(d.list) > 0 {
				continue // staff who go beyond the limit leave nobody of the list who may come
			}
			offer, want := d.r.Offer(ask, day, d.now), d.fits(ask)
			got := offer.Fits()
			if last.FitsLike(offer) && last.Fits() != got {
				t.Fatalf("seed %d: %+v and %+v do not fit alike", seed, last, offer)
			}
			last = offer
			if got != want {
				t.Fatalf("seed %d, %+v: %d fit, %d were seated\nof %+v\nwith %+v\nand %+v", seed, ask, got, want, d.r,
					d.rows, d.list)
			}
			if want > 1 {
				several++
			}
		}
	}
	if several < 200 {
		t.Errorf("several fitted %d times", several)
	}
}

// Of any size that the restaurant takes, a slot is open exactly when it is for one of them.
func TestOffer_OfAnySize(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		d := newOfferDay(seed)
		day := d.shown()
		for _, at := range d.r.Times(d.date) {
			ask := Ask{Slot: d.slot(at)}
			got, want := d.r.Offer(ask, day, d.now), Offer{}
			for party := d.r.PartyMin; party <= d.r.PartyMax && want.State != OfferOpen; party++ {
				ask.Party = party
				want = d.r.Offer(ask, day, d.now)
			}
			if got.State != want.State || got.State == OfferOpen && got.Party != want.Party ||
				got.State == OfferSoldOut && got.Remaining != 0 || got.State == OfferOpen && got.Remaining < got.Party {
				t.Fatalf("seed %d at %s: %+v, of some size %+v", seed, at, got, want)
			}
		}
	}
}

// Staff can offer the longest shorter stay that the transaction accepts, to whom it refuses the whole one.
func TestShorter_IsTheLongestThatIsAccepted(t *testing.T) {
	t.Parallel()
	found := 0
	for seed := range uint64(2_000) {
		d := newOfferDay(seed)
		ask := Ask{Slot: d.slot(d.span(1)[0]), PartyStay: PartyStay{Party: 1 + d.IntN(9)}, Staff: true, Begun: true}
		if d.spans {
			continue
		}
		var want TimeOfDay
		whole := d.r.Offer(ask, d.shown(), d.now)
		for n := 1; n <= len(whole.Stay) && !d.accepts(ask, true); n++ {
			end := d.r.endOf(ask.Slot.Time, n)
			req, err := GuestDraft{Draft: Draft{RestaurantID: 1, Date: string(d.date), Time: string(ask.Slot.Time),
				PartySize: ask.Party}, Source: WalkIn, EndTime: string(end)}.Check(d.r, nil, d.now)
			if err != nil {
				continue // the slot is over, or the day ends before
			}
			state := d.state(append([]TimeOfDay{req.Slot.Time}, req.Stay...), true)
			if outcomes, _ := Decide(state, []Request{req}); outcomes[0].Reserves() {
				want = end
			}
		}
		_, got, ok := d.r.Shorter(ask, nil, d.shown(), d.now)
		if got != want || ok != (want != "") {
			t.Fatalf("seed %d, %+v: until %q, want %q", seed, ask, got, want)
		}
		if ok {
			found++
		}
	}
	if found < 20 {
		t.Errorf("found %d", found)
	}
	r := Restaurant{Settings: Settings{SlotMinutes: 30}}
	for _, end := range []string{"19:15", "20:30", "x"} {
		req := Request{Slot: SlotKey{Time: "19:00"}, Stay: []TimeOfDay{"19:30"}}
		if err := r.endBy(&req, end); err == nil {
			t.Errorf("a stay until %s", end)
		}
	}
}

// A refusal says how many could still sit together, not how many covers are left.
func TestDecide_SoldOutCountsTables(t *testing.T) {
	t.Parallel()
	state := SlotState{Slots: []Occupancy{{Capacity: 18, Held: 14, Seats: taken(1, 2, 3, 4, 13, 14, 15)}}, Plan: room()}
	outcomes, _ := Decide(state, []Request{seated(5), seated(3)})
	for i, left := range []int{4, -1} {
		var full *SoldOutError
		if errors.As(outcomes[i].Err, &full) != (left >= 0) || full != nil && full.Remaining != left {
			t.Errorf("request %d: %v, want %d left", i, outcomes[i].Err, left)
		}
	}
	state.Slots[0].Seats = state.Slots[0].Seats.With([]int64{11, 12})
	outcomes, _ = Decide(state, []Request{seated(5)})
	var full *SoldOutError
	if !errors.As(outcomes[0].Err, &full) || full.Remaining != 0 {
		t.Errorf("with no table free: %v", outcomes[0].Err)
	}
	if !slices.Equal(state.Plan.Best(nil, 4), []int64{13}) {
		t.Error("the plan is another one")
	}
}

// What a walk-in is offered while parties overstay at some tables is what it gets, and never one of those tables. The
// control does not know where they sit.
func TestOffer_WhileTablesAreOccupied(t *testing.T) {
	t.Parallel()
	accepted, wrong := 0, 0
	for seed := range uint64(2_000) {
		d := newOfferDay(seed)
		runs := slices.IndexFunc(d.r.Times(d.date), func(at TimeOfDay) bool { return d.r.Runs(d.slot(at), d.now) })
		if runs < 0 || len(d.r.Seats) == 0 || d.spans {
			continue
		}
		var occupied []int64
		for _, seat := range d.r.Seats {
			if d.IntN(3) == 0 {
				occupied = append(occupied, seat.ID)
			}
		}
		d.rows[d.r.Times(d.date)[runs]] = d.row(d.r.Times(d.date)[runs])
		day := d.shown()
		d.r.Occupy(day, d.date, occupied, d.now)
		for party := range 8 {
			ask := Ask{PartyStay: PartyStay{Party: 1 + party}, Slot: d.slot(d.r.Times(d.date)[runs]), Staff: true, Begun: true}
			offer := d.r.Offer(ask, day, d.now)
			req, ok := d.request(ask)
			if !ok {
				continue
			}
			for _, req.Occupied = range [][]int64{nil, occupied} {
				outcomes, _ := Decide(d.state(append([]TimeOfDay{req.Slot.Time}, req.Stay...), true), []Request{req})
				got := outcomes[0].Err == nil
				fits := got == (offer.State == OfferOpen) && !slices.ContainsFunc(outcomes[0].SeatIDs,
					func(id int64) bool { return slices.Contains(occupied, id) })
				switch {
				case req.Occupied == nil && !fits:
					wrong++
				case !fits:
					t.Fatalf("seed %d, %+v, occupied %v: offered %+v, %+v", seed, ask, occupied, offer, outcomes[0])
				case req.Occupied != nil && got:
					accepted++
				}
			}
		}
	}
	if accepted < 20 || wrong < 20 {
		t.Errorf("%d were accepted; without what is occupied %d were wrong", accepted, wrong)
	}
}
