package booking

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"
)

// offerDay is a random day of a random restaurant: with named seats or without, with reservations, blocked seats, slots
// that are closed, paused or open later, and a waitlist.
type offerDay struct {
	*rand.Rand
	r     Restaurant
	date  Date
	now   time.Time
	rows  map[TimeOfDay]Occupancy // as the database has them: without what is promised
	list  Waitlist
	spans bool // some wait for several slots
	held  []Reservation
	seats []int64 // that are asked for; none for any
}

// longStay is how many slots parties stay at most: more than that do not fit into the hours.
const longStay = 4

func newOfferDay(seed uint64) *offerDay {
	d := &offerDay{Rand: rand.New(rand.NewPCG(seed, 23)), date: "2040-05-07", rows: map[TimeOfDay]Occupancy{}}
	d.now = morning.Add(time.Duration(d.IntN(10*60)) * time.Minute)
	d.r = Restaurant{ID: 1,
		Location: time.UTC,
		Settings: Settings{Capacity: 4 + d.IntN(21), SlotMinutes: 30 * (1 + d.IntN(2)), PartyMin: 1 + d.IntN(2),
			PartyMax: 4 + d.IntN(6), LeadMinutes: 15 * d.IntN(8), HorizonDays: 30, HoldMinutes: 7}}
	for _, o := range []Opening{{From: "12:00", Last: "14:00"}, {From: "18:00", Last: "20:00"}} {
		o.Weekday = d.date.Weekday()
		d.r.Hours = append(d.r.Hours, o)
	}
	if d.IntN(3) == 0 {
		d.r.ArrivalsPerSlot = 1 + d.IntN(12)
	}
	if d.IntN(2) == 0 {
		d.r.StayTiers = []StayTier{{FromParty: 1 + d.IntN(5), Slots: 1 + d.IntN(longStay)}}
		if d.IntN(2) == 0 {
			d.r.StayTiers[0].Minutes = 5 * (1 + d.IntN(36))
		}
	}
	if d.IntN(2) == 0 {
		d.divide()
	}
	if d.IntN(4) > 0 {
		d.r.Seats, _ = randomPlan(d.Rand, 9)
	}
	for range d.IntN(30) {
		d.book()
	}
	for at, o := range d.rows {
		d.rows[at] = d.steered(o)
	}
	if d.IntN(2) == 0 {
		d.spans = d.IntN(2) == 0
		for n := range 1 + d.IntN(4) {
			d.wait(int64(n + 1))
		}
	}
	return d
}

// divide makes services of the hours, of which some have stays of their own.
func (d *offerDay) divide() {
	for i := range d.r.Hours {
		service := Service{Key: fmt.Sprint("service-", i)}
		if d.IntN(3) > 0 {
			service.Stays = []StayTier{{FromParty: 1 + d.IntN(5), Minutes: 5 * (1 + d.IntN(36))}}
		}
		d.r.Services, d.r.Hours[i].Service = append(d.r.Services, service), service.Key
	}
}

func (d *offerDay) slot(at TimeOfDay) SlotKey { return SlotKey{1, d.date, at} }

// span returns some slots in a row, from a random one on.
func (d *offerDay) span(most int) []TimeOfDay {
	times := d.r.Times(d.date)
	at := times[d.IntN(len(times))]
	stay, err := d.r.stay(d.date, at, 1+d.IntN(most), true)
	if err != nil {
		panic(err)
	}
	return append([]TimeOfDay{at}, stay...)
}

func (d *offerDay) row(at TimeOfDay) Occupancy {
	if o, ok := d.rows[at]; ok {
		return o
	}
	return d.r.EmptySlot(d.date)
}

// book lets a party have seats, if there are some.
func (d *offerDay) book() {
	times := d.span(longStay)
	req := Request{UserID: fmt.Sprint("u", len(d.held)), IdempotencyKey: fmt.Sprint("k", len(d.held)),
		Slot: d.slot(times[0]), Stay: times[1:], PartySize: 1 + d.IntN(8), HoldTime: time.Hour}
	state := SlotState{Plan: d.r.Seats, Now: d.now}
	for _, at := range times {
		state.Slots = append(state.Slots, d.row(at))
	}
	if d.IntN(4) == 0 {
		state.Slots[0].ArrivalLimit = 0 // as staff may
	}
	outcomes, after := Decide(state, []Request{req})
	if !outcomes[0].Reserves() {
		return
	}
	after[0].ArrivalLimit = d.r.ArrivalsPerSlot
	res := Reservation{ID: req.UserID, RestaurantID: 1, UserID: req.UserID, Slot: req.Slot, Stay: req.Stay,
		PartySize: req.PartySize, State: Temporary, HoldExpiresAt: d.now.Add(time.Hour)}
	if d.IntN(2) == 0 {
		res.State = Confirmed
		for i := range after {
			after[i].OnHold -= req.PartySize
		}
	}
	for _, id := range outcomes[0].SeatIDs {
		res.Seats = append(res.Seats, ReservedSeat{ID: id})
	}
	d.held = append(d.held, res)
	for i, at := range times {
		d.rows[at] = after[i]
	}
}

// steered returns a slot as staff may have set it.
func (d *offerDay) steered(o Occupancy) Occupancy {
	switch d.IntN(10) {
	case 0:
		o.Closed = true
	case 1:
		o.Paused = true
	case 2:
		o.OpensAt = d.now.Add(time.Hour)
	case 3:
		o.Capacity = d.IntN(d.r.Capacity + 1)
	case 4:
		for _, seat := range d.r.Seats {
			if !o.Seats.Has(seat.ID) && d.IntN(3) == 0 {
				o.Seats = o.Seats.Union(TakenSeats{{ID: seat.ID, Blocked: true}})
			}
		}
	}
	return o
}

// wait puts a party on the waitlist of one slot, or of several.
func (d *offerDay) wait(number int64) {
	times := d.span(1)
	if d.spans {
		times = d.span(longStay)
	}
	entry := WaitingEntry{ID: fmt.Sprint("e", number), Number: number, UserID: fmt.Sprint("w", number),
		PartySize: 1 + d.IntN(9), Passes: d.IntN(MaxPasses + 1), Times: times, Keeps: d.IntN(MaxKeeps + 1),
		KeepBefore: d.now.Add(time.Duration(d.IntN(180)-30) * time.Minute)}
	if d.IntN(4) == 0 {
		entry.KeptUntil = d.now.Add(time.Duration(d.IntN(60)-30) * time.Minute)
		entry.SlotsKeptUntil = entry.KeptUntil
	}
	for _, at := range times {
		d.rows[at] = d.row(at) // who waits for a slot makes its row
	}
	d.list = append(d.list, entry)
}

// shown returns the day as lists of slots and the cache have it: with what is promised.
func (d *offerDay) shown() map[TimeOfDay]Occupancy {
	day := maps.Clone(d.rows)
	d.list.PromiseDay(d.r.Seats, day, d.now)
	return day
}

// state returns what the transaction of a turn reads for some slots. goesOn says that none of them is paused or opens
// later.
func (d *offerDay) state(times []TimeOfDay, goesOn bool) SlotState {
	state := SlotState{Plan: d.r.Seats, Now: d.now, Times: times, Vacancies: map[TimeOfDay]Vacancy{}}
	for _, entry := range d.list {
		if share(entry.Times, times) {
			state.Waitlist = append(state.Waitlist, entry)
		}
		for _, at := range entry.Times {
			state.Vacancies[at] = d.rows[at].Vacancy()
		}
	}
	for _, at := range times {
		o := d.row(at)
		if goesOn {
			o.Paused, o.OpensAt = false, time.Time{}
		}
		state.Slots = append(state.Slots, o)
	}
	return state
}

// request returns what becomes of an ask when it is submitted; false when it is refused before it enters the line.
func (d *offerDay) request(ask Ask) (Request, bool) {
	draft := Draft{RestaurantID: 1, Date: string(ask.Slot.Date), Time: string(ask.Slot.Time), PartySize: ask.Party,
		SeatIDs: d.seats}
	var menu []MenuItem
	if ask.Stay+ask.Minutes > 0 {
		menu = []MenuItem{{ID: 1, StaySlots: ask.Stay, StayMinutes: ask.Minutes}}
		draft.Items = []DraftItem{{1, 1}}
	}
	var req Request
	var err error
	switch {
	case ask.Own != nil && ask.Staff:
		change := GuestChange{Date: &draft.Date, Time: &draft.Time, PartySize: &draft.PartySize, SeatIDs: d.seats}
		req, err = change.Check(d.r, *ask.Own, nil, d.now)
	case ask.Own != nil:
		draft.CurrentSlot, draft.CurrentStay = ask.Own.Slot, ask.Own.Stay
		req, err = draft.Check(d.r, menu, d.now)
		req.Change = &Change{ReservationID: ask.Own.ID, From: ask.Own.Slots(), FromParty: ask.Own.PartySize,
			Quoted: 1_000_000}
	case ask.Staff:
		source := Phone
		if ask.Begun {
			source = WalkIn
		}
		req, err = GuestDraft{Draft: draft, Source: source}.Check(d.r, menu, d.now)
	default:
		req, err = draft.Check(d.r, menu, d.now)
	}
	req.UserID, req.IdempotencyKey = "me", "key"
	return req, err == nil
}

// accepts returns whether the booking transaction accepts an ask.
func (d *offerDay) accepts(ask Ask, goesOn bool) bool {
	req, ok := d.request(ask)
	if !ok {
		return false
	}
	times := append([]TimeOfDay{req.Slot.Time}, req.Stay...)
	state := d.state(times, goesOn)
	if ask.Own == nil {
		outcomes, _ := Decide(state, []Request{req})
		return outcomes[0].Err == nil
	}
	start, _ := d.r.Start(d.date, ask.Own.Slot.Time)
	end, _ := d.r.End(req.Slot, req.Stay)
	change := ChangeState{Reservation: *ask.Own, Start: start, Now: d.now, NextEnd: end, Slots: map[SlotKey]Occupancy{},
		Plan: d.r.Seats, Waitlist: state.Waitlist, Vacancies: state.Vacancies, Limits: DefaultLimits()}
	for i, slot := range req.Slots() {
		change.Slots[slot] = state.Slots[i]
	}
	_, err := DecideChange(change, req)
	return err == nil
}

// fits returns how many of many parties that ask for the same the transaction accepts.
func (d *offerDay) fits(ask Ask) int {
	req, ok := d.request(ask)
	if !ok {
		return 0
	}
	var run []Request
	for i := range 40 {
		req.UserID, req.IdempotencyKey = fmt.Sprint("me", i), fmt.Sprint("key", i)
		run = append(run, req)
	}
	outcomes, _ := Decide(d.state(append([]TimeOfDay{req.Slot.Time}, req.Stay...), true), run)
	n := 0
	for _, out := range outcomes {
		if out.Err == nil {
			n++
		}
	}
	return n
}

// ask returns a random one.
func (d *offerDay) ask() Ask {
	ask := Ask{Slot: d.slot(d.span(1)[0]), Staff: d.IntN(3) == 0}
	ask.Begun = ask.Staff && d.IntN(2) == 0
	runs := slices.IndexFunc(d.r.Times(d.date), func(at TimeOfDay) bool { return d.r.passed(d.slot(at), d.now) > 0 })
	if ask.Begun && runs >= 0 && d.IntN(2) == 0 {
		ask.Slot = d.slot(d.r.Times(d.date)[runs])
	}
	ask.Party = 1 + d.IntN(11)
	longer := 0
	if d.IntN(3) == 0 {
		longer = 1 + d.IntN(longStay)
	}
	if len(d.held) > 0 && d.IntN(3) == 0 {
		ask.Own = &d.held[d.IntN(len(d.held))]
		if d.IntN(2) == 0 {
			ask.Slot = ask.Own.Slot
		}
		if ask.Staff {
			ask.Begun, ask.PartyStay = true, ask.Own.PartyStay(d.r, ask.Party, nil)
			return ask
		}
	}
	switch {
	case ask.Begun:
		ask.Minutes = longer * d.r.SlotMinutes
	case longer > 0:
		ask.Stay = max(longer, StayOf(d.r, ask.Slot, ask.Party, nil))
	}
	return ask
}

// isOut returns whether an ask is not what the property is about: a change that changes nothing, or comes too late for
// its reservation; and a stay over several slots where some wait for several as well.
func (d *offerDay) isOut(ask Ask) bool {
	if d.spans && ask.at(d.r, d.now).slots(d.r, ask.Party) > 1 {
		return true
	}
	if ask.Own == nil {
		return false
	}
	same := len(d.seats) == 0 || slices.Equal(d.seats, ask.Own.SeatIDs())
	start, _ := d.r.Start(d.date, ask.Own.Slot.Time)
	tooLate := ask.Own.CheckChange(start, d.now) != nil
	if ask.Staff {
		tooLate = !ask.Own.State.IsConfirmed()
	}
	return tooLate || ask.Own.Slot == ask.Slot && ask.Own.PartySize == ask.Party && same
}
