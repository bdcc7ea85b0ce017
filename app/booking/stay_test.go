package booking

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"lunchgo/app/refusal"
)

// longLunch is a restaurant with slots from noon to two and from six to nine, where large parties stay.
func longLunch(t *testing.T) Restaurant {
	t.Helper()
	r := inZone(t, "Asia/Seoul")
	r.ID, r.SlotMinutes, r.PartyMax, r.Capacity = 1, 60, 20, 20
	r.StayTiers = []StayTier{{FromParty: 9, Slots: 2}, {FromParty: 15, Slots: 3}}
	r.Hours = nil
	for day := time.Sunday; day <= time.Saturday; day++ {
		r.Hours = append(r.Hours, Opening{Weekday: day, From: "12:00", Last: "14:00"},
			Opening{Weekday: day, From: "18:00", Last: "21:00"})
	}
	return r
}

func TestStayOf_BySizeOrMenu(t *testing.T) {
	t.Parallel()
	course, soup := MenuItem{ID: 1, StaySlots: 3}, MenuItem{ID: 2}
	for _, c := range []struct {
		party   int
		ordered []MenuItem
		want    int
	}{
		{2, nil, 1}, {8, nil, 1}, {9, nil, 2}, {14, []MenuItem{soup}, 2}, {15, nil, 3}, {20, nil, 3},
		{2, []MenuItem{soup}, 1}, {2, []MenuItem{soup, course}, 3}, {9, []MenuItem{course}, 3},
		{2, []MenuItem{{StaySlots: 13}}, MaxStay},
	} {
		if got := StayOf(longLunch(t), SlotKey{}, c.party, c.ordered); got != c.want {
			t.Errorf("a party of %d that orders %v stays for %d slots, want %d", c.party, c.ordered, got, c.want)
		}
	}
}

// Stays are given in minutes, and take every slot that they touch. Those given in slots last for as long as these.
func TestStayMinutes_TakeWhatTheyTouch(t *testing.T) {
	t.Parallel()
	r := longLunch(t)
	r.StayTiers = []StayTier{{FromParty: 2, Minutes: 45}, {FromParty: 4, Minutes: 90}, {FromParty: 8, Slots: 3}}
	feast := []MenuItem{{StayMinutes: 200}}
	for _, c := range []struct {
		slotMinutes, party int
		ordered            []MenuItem
		minutes, slots     int
	}{
		{60, 1, nil, 60, 1}, {60, 2, nil, 45, 1}, {60, 4, nil, 90, 2}, {60, 8, nil, 180, 3}, {60, 2, feast, 200, 4},
		{30, 1, nil, 30, 1}, {30, 2, nil, 45, 2}, {30, 4, nil, 90, 3}, {30, 8, nil, 90, 3}, {30, 4, feast, 200, 7},
		{15, 2, nil, 45, 3}, {15, 4, nil, 90, 6}, {15, 4, feast, 180, MaxStay},
		{60, 1, []MenuItem{{StayMinutes: 20}}, 60, 1},
	} {
		r.SlotMinutes = c.slotMinutes
		minutes, slots := StayMinutes(r, SlotKey{}, c.party, c.ordered), StayOf(r, SlotKey{}, c.party, c.ordered)
		if minutes != c.minutes || slots != c.slots {
			t.Errorf("%+v: %d minutes, %d slots", c, minutes, slots)
		}
	}
	for _, tier := range []StayTier{{4, 2, 0}, {4, 2, 120}, {4, 2, 90}, {4, 0, 90}, {4, 1, 60}, {4, 0, 45}} {
		in, brief := tier.In(60), tier.Brief(60)
		if brief.In(60) != in || in.In(60) != in || (brief.Minutes == 0) != (in.Minutes%60 == 0) {
			t.Errorf("%+v is %+v, in short %+v", tier, in, brief)
		}
	}
	for _, dish := range []MenuItem{{}, {StaySlots: 1}, {StaySlots: 2}, {StayMinutes: 90}, {StayMinutes: 60}} {
		if in, brief := dish.In(60), dish.Brief(60); brief.In(60).StayMinutes != in.StayMinutes || in.StaySlots < 1 {
			t.Errorf("%+v is %+v, in short %+v", dish, in, brief)
		}
	}
}

// A party leaves when its minutes are over, and its seats are held until the slot ends. Who stays for other slots than
// agreed leaves with them.
func TestReservation_LeavesByItsMinutes(t *testing.T) {
	t.Parallel()
	r, now := longLunch(t), time.Date(2026, 12, 20, 12, 0, 0, 0, time.UTC)
	r.StayTiers = []StayTier{{FromParty: 4, Minutes: 90}, {FromParty: 8, Minutes: 120}}
	draft := Draft{RestaurantID: 1, Date: "2026-12-24", Time: "18:00", PartySize: 4}
	made := func(req Request, err error) Reservation {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return Reservation{ID: "r", Slot: req.Slot, Stay: req.Stay, PartySize: req.PartySize, SlotMinutes: 60,
			State: Confirmed, Policy: req.Policy}
	}
	check := func(res Reservation, slots int, end TimeOfDay) {
		t.Helper()
		leaves, err := r.LeaveAt(res.Slot, res.Stay, res.Policy)
		if len(res.Slots()) != slots || res.EndTime() != end || err != nil || leaves.Format("15:04") != string(end) {
			t.Errorf("%v until %s, leaves at %v, %v; want %d slots until %s", res.Slots(), res.EndTime(), leaves, err,
				slots, end)
		}
	}
	guest := func(end string) Reservation {
		return made(GuestDraft{Draft: draft, Source: Phone, EndTime: end}.Check(r, nil, now))
	}
	res := made(draft.Check(r, nil, now))
	check(res, 2, "19:30")
	check(guest(""), 2, "19:30")
	check(guest("19:30"), 2, "19:30")
	check(guest("20:00"), 2, "20:00")
	check(guest("19:00"), 1, "19:00")
	changed := func(res Reservation, c GuestChange) Reservation {
		t.Helper()
		req, err := c.Check(r, res, nil, now)
		next, reviseErr := res.ReviseByStaff(req)
		if errors.Join(err, reviseErr) != nil {
			t.Fatal(err, reviseErr)
		}
		return next.Reservation
	}
	check(changed(res, GuestChange{PartySize: new(8)}), 2, "20:00")
	check(changed(res, GuestChange{Time: new("19:00")}), 2, "20:30")
	check(changed(res, GuestChange{PartySize: new(2)}), 1, "19:00")
	for _, state := range []State{Confirmed, Seated} {
		res.State = state
		short := changed(res, GuestChange{EndTime: "19:00"})
		check(short, 1, "19:00")
		check(changed(res, GuestChange{EndTime: "20:00"}), 2, "20:00")
		check(changed(short, GuestChange{EndTime: "19:30"}), 2, "19:30")
		check(changed(short, GuestChange{EndTime: "20:00"}), 2, "20:00")
		for _, end := range []string{"19:15", "18:00", "21:00", "soon"} {
			if _, err := (GuestChange{EndTime: end}).Check(r, res, nil, now); !errors.Is(err, refusal.Invalid) {
				t.Errorf("until %s: %v", end, err)
			}
		}
		if _, err := (GuestChange{EndTime: "19:30"}).Check(r, res, nil, now); !errors.Is(err, ErrNothingToChange) {
			t.Errorf("until when it stays anyway: %v", err)
		}
	}
	check(changed(res, GuestChange{PartySize: new(2)}), 2, "19:30") // it has its seats until the end that it was given
	res.State = Confirmed
	check(changed(res, GuestChange{Time: new("19:00"), EndTime: "20:00"}), 1, "20:00")
	check(changed(res, GuestChange{PartySize: new(8), EndTime: "19:00"}), 1, "19:00")
}

func TestCheckStay_SlotsOfSameDay(t *testing.T) {
	t.Parallel()
	r := longLunch(t)
	for _, c := range []struct {
		at   TimeOfDay
		n    int
		want []TimeOfDay
		end  string
		err  error
	}{
		{"18:00", 1, nil, "19:00", nil},
		{"18:00", 3, []TimeOfDay{"19:00", "20:00"}, "21:00", nil},
		{"21:00", 1, nil, "22:00", nil},
		{"21:00", 2, nil, "", errStayTooLong},
		{"13:00", 3, nil, "", errStayTooLong}, // not over the afternoon
		{"12:00", 3, []TimeOfDay{"13:00", "14:00"}, "15:00", nil},
		{"23:00", 2, nil, "", errStayTooLong},
	} {
		stay, err := r.CheckStay("2026-12-24", c.at, c.n)
		if !errors.Is(err, c.err) || !reflect.DeepEqual(stay, c.want) {
			t.Errorf("%d slots from %s on: %v, %v", c.n, c.at, stay, err)
		}
		if end, err := r.End(SlotKey{1, "2026-12-24", c.at}, stay); c.err == nil &&
			(err != nil || end.Format("15:04") != c.end) {
			t.Errorf("%d slots from %s on end at %v, %v", c.n, c.at, end, err)
		}
	}
}

func TestDraftCheck_TakesSlotsOfStay(t *testing.T) {
	t.Parallel()
	r, now := longLunch(t), time.Date(2026, 12, 20, 12, 0, 0, 0, time.UTC)
	menu := []MenuItem{{ID: 7, Price: 1_000, StaySlots: 2}, {ID: 8, Price: 1_000}}
	draft := Draft{Date: "2026-12-24", Time: "20:00", PartySize: 2, Items: []DraftItem{{7, 2}, {8, 1}}}
	req, err := draft.Check(r, menu, now)
	if err != nil || !reflect.DeepEqual(req.Slots(),
		[]SlotKey{{1, "2026-12-24", "20:00"}, {1, "2026-12-24", "21:00"}}) {
		t.Errorf("a course at eight: %v, %v", req.Slots(), err)
	}
	draft.Time = "21:00"
	var invalid *InvalidError
	if _, err := draft.Check(r, menu, now); !errors.As(err, &invalid) ||
		!reflect.DeepEqual(invalid.Fields, []FieldError{{Field: "time", Reason: "stay_too_long"}}) {
		t.Errorf("a course in the last slot: %v", err)
	}
	draft.Items = []DraftItem{{8, 1}}
	if req, err := draft.Check(r, menu, now); err != nil || len(req.Stay) != 0 {
		t.Errorf("a dish in the last slot: %v, %v", req.Stay, err)
	}
	draft.PartySize, draft.Time = 15, "20:00"
	if _, err := draft.Check(r, menu, now); !errors.As(err, &invalid) {
		t.Errorf("three slots of which one is missing: %v", err)
	}
}

func TestAllOf_FullestSlotDecides(t *testing.T) {
	t.Parallel()
	state := SlotState{Slots: []Occupancy{{Capacity: 20, Held: 2}, {Capacity: 20, Held: 15, OnHold: 4}, {Capacity: 20}}}
	outcomes, after := Decide(state, []Request{request("ann", 6), request("bob", 3), request("cem", 3)})
	var full *SoldOutError
	if !errors.As(outcomes[0].Err, &full) || full.Remaining != 5 || full.OnHold != 4 {
		t.Errorf("a party of six: %v", outcomes[0].Err)
	}
	if !outcomes[1].Reserves() || outcomes[2].Reserves() {
		t.Errorf("got %+v", outcomes)
	}
	for i, held := range []int{5, 18, 3} {
		if after[i].Held != held {
			t.Errorf("%d seats of slot %d are held, want %d", after[i].Held, i, held)
		}
	}
	if state.Slots[0].Held != 2 {
		t.Error("it changed what it was given")
	}
	state.Slots[2].Closed = true
	if outcomes, _ := Decide(state, []Request{request("ann", 1)}); !errors.Is(outcomes[0].Err, ErrClosed) {
		t.Errorf("one of the slots is closed: %v", outcomes[0].Err)
	}
}

// For random runs, a refused request would not have fitted into one of its slots, and no slot exceeds its capacity.
func TestDecide_NeverOversellsAnySlotOfStay(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 2))
		slots := make([]Occupancy, 1+random.IntN(MaxStay))
		for i := range slots {
			slots[i].Capacity = random.IntN(40)
			slots[i].Held = random.IntN(slots[i].Capacity + 1)
		}
		left := AllOf(slots).Remaining()
		var run []Request
		for i := range 20 {
			run = append(run, request(string(rune('a'+i)), 1+random.IntN(9)))
		}
		outcomes, after := Decide(SlotState{Slots: slots}, run)
		for _, out := range outcomes {
			fits := out.Request.PartySize <= left
			if out.Reserves() != fits {
				t.Fatalf("seed %d: a party of %d with %d left: %v", seed, out.Request.PartySize, left, out.Err)
			}
			if fits {
				left -= out.Request.PartySize
			}
		}
		for i, o := range after {
			if o.Held > o.Capacity {
				t.Fatalf("seed %d: slot %d has %d of %d", seed, i, o.Held, o.Capacity)
			}
		}
	}
}

func TestReservation_EndTime(t *testing.T) {
	t.Parallel()
	res := Reservation{Slot: SlotKey{1, "2026-12-24", "22:30"}, SlotMinutes: 30}
	if end := res.EndTime(); end != "23:00" {
		t.Errorf("one slot ends at %s", end)
	}
	if res.Stay = []TimeOfDay{"23:00", "23:30"}; res.EndTime() != "00:00" {
		t.Errorf("three slots end at %s", res.EndTime())
	}
}

// Who comes to the door in a slot that runs stays from then on: it has its seats in every slot that its stay touches,
// and leaves when its minutes are over. Who books ahead, or by phone, stays from the beginning of the slot.
func TestGuestDraft_WalkInStaysFromNow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		slotMinutes, stay int
		at                TimeOfDay
		now               string
		slots             int
		end               TimeOfDay
	}{
		{60, 60, "19:00", "19:55:40", 2, "20:55"},
		{60, 90, "19:00", "19:55:00", 3, "21:25"},
		{60, 60, "19:00", "19:00:20", 1, "20:00"},
		{60, 60, "20:00", "19:55:00", 1, "21:00"}, // it sits down early
		{15, 60, "19:45", "19:55:40", 5, "20:55"},
		{15, 60, "19:45", "19:45:30", 4, "20:45"},
		{15, 15, "19:45", "19:55:00", 2, "20:10"},
		{15, 180, "19:45", "19:55:00", MaxStay, "22:45"}, // as many slots as there may be
		{60, 60, "23:00", "23:55:00", 1, "00:00"},        // as many as the day has
	} {
		r := longLunch(t)
		r.SlotMinutes, r.StayTiers = c.slotMinutes, []StayTier{{FromParty: 1, Minutes: c.stay}}
		r.Hours = []Opening{{Weekday: time.Thursday, From: "18:00", Last: "23:45"}}
		now, err := time.ParseInLocation(time.DateTime, "2026-12-24 "+c.now, r.Location)
		if err != nil {
			t.Fatal(err)
		}
		draft := GuestDraft{Draft: Draft{RestaurantID: 1, Date: "2026-12-24", Time: string(c.at), PartySize: 2},
			Source: WalkIn, Seated: true}
		req, err := draft.Check(r, nil, now)
		res := Reservation{Slot: req.Slot, Stay: req.Stay, SlotMinutes: c.slotMinutes, Policy: req.Policy}
		offer := r.Offer(Ask{PartyStay: PartyStay{Party: 2}, Slot: req.Slot, Staff: true, Begun: true}, nil, now)
		leaves, leaveErr := r.LeaveAt(req.Slot, req.Stay, req.Policy)
		if errors.Join(err, leaveErr) != nil || len(res.Slots()) != c.slots || res.EndTime() != c.end ||
			leaves.Format("15:04") != string(c.end) || offer.EndTime(req.Slot) != c.end ||
			!slices.Equal(offer.Stay, req.Stay) || len(draft.At(r, now).Slots(r, nil, req.Slot)) < c.slots {
			t.Errorf("%+v: %v until %s, leaves %v, offered %+v: %v", c, res.Slots(), res.EndTime(), leaves, offer, err)
		}
	}
}
