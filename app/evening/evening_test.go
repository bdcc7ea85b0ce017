package evening

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"lunchgo/app/audit"
	"lunchgo/app/booking"
	"lunchgo/app/reserve"
)

var seven = time.Date(2026, 11, 21, 19, 0, 0, 0, time.UTC)

// place is a restaurant with two tables and slots of an hour.
func place() booking.Restaurant {
	return booking.Restaurant{ID: 1,
		Location: time.UTC,
		Seats:    booking.SeatPlan{{ID: 1, Label: "A", Places: 10}, {ID: 2, Label: "B", Places: 10}},
		Settings: booking.Settings{SlotMinutes: 60, Capacity: 20, PartyMin: 2, PartyMax: 8}}
}

// party is one of the evening's, which comes at an hour.
func party(id string, hour int, state booking.State) Party {
	slot := booking.SlotKey{RestaurantID: 1, Date: "2026-11-21", Time: booking.TimeOfDay(fmt.Sprintf("%02d:00", hour))}
	return Party{Guest: reserve.Guest{Reservation: booking.Reservation{ID: id, RestaurantID: 1, Slot: slot,
		PartySize: 2, State: state, SlotMinutes: 60, PaymentKind: booking.Deposit, PaidAmount: 20_000}, Name: "Guest " +
		id, Phone: "010-1234-5678"}}
}

func at(now time.Time, parties ...Party) Evening {
	r := place()
	e := Evening{Restaurant: r, Date: "2026-11-21", Now: now, Parties: locate(r, parties)}
	e.Slots = slotsOf(e, map[booking.TimeOfDay]booking.Occupancy{"19:00": {Capacity: 20, Held: 12, OnHold: 2},
		"20:00": {Capacity: 20, Held: 18}})
	return e
}

func ids(parties []Party) []string {
	var all []string
	for _, p := range parties {
		all = append(all, p.ID)
	}
	return all
}

// A slot's covers are seated, confirmed, temporary or left; a party that stays longer sits in the later slot too.
func TestSlots_CountWhoIsThere(t *testing.T) {
	t.Parallel()
	stays := party("stays", 19, booking.Seated)
	stays.Stay = []booking.TimeOfDay{"20:00"}
	e := at(seven, stays, party("waits", 19, booking.Arrived), party("left", 19, booking.Completed),
		party("cancelled", 19, booking.Cancelled))
	first, second := e.Slots[0], e.Slots[1]
	if first.Parties != 3 || first.Seated != 2 || first.Arrived != 2 || first.Confirmed() != 8 {
		t.Errorf("19:00: %+v, %d confirmed", first, first.Confirmed())
	}
	if sum := first.Seated + first.Confirmed() + first.OnHold + first.Free(); sum != first.Capacity {
		t.Errorf("%d covers in all, want %d", sum, first.Capacity)
	}
	if second.Parties != 0 || second.Seated != 2 || second.Confirmed() != 16 {
		t.Errorf("20:00: %+v", second)
	}
	if !e.Parties[0].End.Equal(seven.Add(2 * time.Hour)) {
		t.Errorf("the stay ends at %v", e.Parties[0].End)
	}
}

func TestSlot_State(t *testing.T) {
	t.Parallel()
	before := seven.Add(-time.Hour)
	tables := booking.TakenSeats{{ID: 1}, {ID: 2}}
	for _, c := range []struct {
		want SlotState
		o    booking.Occupancy
	}{
		{SlotOpen, booking.Occupancy{Capacity: 20}},
		{SlotOpen, booking.Occupancy{Capacity: 20, Held: 2, Seats: tables[:1]}},
		{SlotSoldOut, booking.Occupancy{Capacity: 20, Held: 19}},
		{SlotSoldOut, booking.Occupancy{Capacity: 20, Held: 7, Seats: tables}}, // whatever covers are left
		{SlotPaused, booking.Occupancy{Capacity: 20, Paused: true}},
		{SlotPlanned, booking.Occupancy{Capacity: 20, OpensAt: seven}},
		{SlotClosed, booking.Occupancy{Capacity: 20, Closed: true, Paused: true}},
	} {
		e := Evening{Restaurant: place(), Date: "2026-11-21", Now: before}
		slot := slotsOf(e, map[booking.TimeOfDay]booking.Occupancy{"19:00": c.o})[0]
		if got := slot.State(place(), before); got != c.want {
			t.Errorf("%+v is %s, want %s", c.o, got, c.want)
		}
		if got := slot.State(place(), seven); got != SlotOver {
			t.Errorf("once begun: %s", got)
		}
	}
}

// What is left of a slot is left for a whole stay: a party that needs the next one as well gets nothing while that is
// taken.
func TestSlots_LeftForWholeStay(t *testing.T) {
	t.Parallel()
	r := place()
	r.Hours = []booking.Opening{{Weekday: seven.Weekday(), From: "18:00", Last: "21:00"}}
	r.StayTiers = []booking.StayTier{{FromParty: 1, Slots: 2}}
	e := Evening{Restaurant: r, Date: "2026-11-21", Now: seven.Add(-2 * time.Hour)}
	var left []int
	for _, slot := range slotsOf(e, map[booking.TimeOfDay]booking.Occupancy{"18:00": {Capacity: 20},
		"19:00": {Capacity: 20}, "20:00": {Capacity: 20, Held: 7, Seats: booking.TakenSeats{{ID: 1}, {ID: 2}}},
		"21:00": {Capacity: 20, Held: 2, Seats: booking.TakenSeats{{ID: 1}}}}) {
		left = append(left, slot.Left)
	}
	if want := []int{20, 0, 0, 10}; !slices.Equal(left, want) {
		t.Errorf("%v are left, want %v", left, want)
	}
}

// Whose money goes back is none of the evening's; a no-show's deposit stays.
func TestTotals_CountWhoCounts(t *testing.T) {
	t.Parallel()
	prepaid := party("prepaid", 19, booking.Seated)
	prepaid.PaymentKind, prepaid.PaidAmount = booking.Prepay, 66_000
	hold := party("hold", 20, booking.Temporary)
	hold.PaidAmount, hold.PaymentKind = 0, ""
	e := at(seven, prepaid, hold, party("came", 18, booking.Completed), party("expected", 20, booking.Confirmed),
		party("not", 18, booking.NoShow), party("back", 20, booking.RefundPending),
		party("cancelled", 20, booking.Cancelled))
	e.Slots[0].Line.Waiting = 7
	want := Totals{Parties: 4, Covers: 8, Present: 2, OnHold: 2, Waiting: 7, NoShows: 1, Deposits: 60_000,
		Prepaid: 66_000}
	if got := e.Totals(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Who waits for a stay of several slots stands in the line of each of them: the lines do not add up.
func TestEvening_KnowsThatLinesOverlap(t *testing.T) {
	t.Parallel()
	e := at(seven, party("one slot", 19, booking.Confirmed))
	e.Slots[0].Line.Waiting, e.Slots[1].Line.Waiting = 7, 12
	if e.HasJointLines() || e.LongestLine() != 12 {
		t.Errorf("joint %t, longest %d", e.HasJointLines(), e.LongestLine())
	}
	e.Parties[0].Stay = []booking.TimeOfDay{"20:00"}
	if !e.HasJointLines() {
		t.Error("a party stays for two slots")
	}
	e.Parties, e.Restaurant.StayTiers = nil, []booking.StayTier{{FromParty: 1, Slots: 1}, {FromParty: 5, Slots: 2}}
	if !e.HasJointLines() {
		t.Error("large parties stay for two slots")
	}
}

// What asks for attention: who is late, allergies that come within the hour, lines that grow, and slots with little
// left.
func TestAlerts_AskForAttention(t *testing.T) {
	t.Parallel()
	nuts, later := party("nuts", 20, booking.Confirmed), party("later", 21, booking.Confirmed)
	nuts.Allergies, later.Allergies = "peanuts", "milk"
	atTable := party("at table", 19, booking.Seated)
	atTable.Allergies, atTable.Attendance.SeatedAt = "eggs", seven
	tagged, liked := party("tagged", 20, booking.Confirmed), party("liked", 20, booking.Confirmed)
	tagged.Tags, liked.Tags = []string{"vip", "allergy_eggs"}, []string{"vegetarian"}
	parties := []Party{party("late", 19, booking.Confirmed), atTable, party("hold", 19, booking.Temporary), nuts,
		tagged, liked, later}

	if alerts := at(seven.Add(14*time.Minute), parties...).Alerts(nil); len(alerts) != 2 ||
		alerts[0].Kind != AlertAllergies ||
		!slices.Equal(ids(alerts[0].Parties), []string{"nuts", "tagged"}) || alerts[1].Kind != AlertNearly ||
		alerts[1].Slots[0].Key.Time != "20:00" {
		t.Errorf("after 14 minutes: %+v", alerts)
	}
	e := at(seven.Add(15*time.Minute), parties...)
	if alerts := e.Alerts(nil); len(alerts) != 3 || alerts[0].Kind != AlertLate ||
		!slices.Equal(ids(alerts[0].Parties), []string{"late"}) {
		t.Errorf("after 15 minutes: %+v", alerts)
	}
	if alerts := at(seven.Add(time.Hour), parties[0]).Alerts(nil); len(alerts) != 0 {
		t.Errorf("once the slots are over: %+v", alerts)
	}
	before := slices.Clone(e.Slots)
	before[1].Line.Waiting, e.Slots[1].Line.Waiting = 11, 12
	if alerts := e.Alerts(before); len(alerts) != 4 || alerts[2].Kind != AlertGrowing ||
		alerts[2].Slots[0].Key.Time != "20:00" {
		t.Errorf("a line grows: %+v", alerts)
	}
	e.Concerns = []audit.Concern{{RestaurantID: 1, Check: "seats_not_oversold", Found: 1}}
	if alerts := e.Alerts(before); len(alerts) != 5 || alerts[4].Kind != AlertAuditor || len(alerts[4].Concerns) != 1 {
		t.Errorf("the auditor found something: %+v", alerts)
	}
	e.Concerns = nil
	before[1].Line.Waiting = 12
	if alerts := e.Alerts(before); len(alerts) != 3 {
		t.Errorf("a line stays: %+v", alerts)
	}
}

func TestFind_ByNamePhoneCodeAndState(t *testing.T) {
	t.Parallel()
	kim := party("MZ4Q7CAAAA", 19, booking.Confirmed)
	kim.Name, kim.Phone = "김 하늘", "010-9999-0042"
	e := at(seven, kim, party("B", 19, booking.Arrived), party("C", 20, booking.Expired),
		party("D", 20, booking.NoShow), party("E", 20, booking.Temporary))
	for _, c := range []struct {
		query Query
		want  []string
	}{
		{Query{}, []string{"MZ4Q7CAAAA", "B", "D", "E"}},
		{Query{Text: "하늘"}, []string{"MZ4Q7CAAAA"}},
		{Query{Text: "ㄱㅎㄴ"}, []string{"MZ4Q7CAAAA"}},
		{Query{Text: "  GUEST  b "}, []string{"B"}},
		{Query{Text: "0042"}, []string{"MZ4Q7CAAAA"}},
		{Query{Text: "9999-00"}, []string{"MZ4Q7CAAAA"}},
		{Query{Text: "42"}, nil}, // too few digits to mean a phone number
		{Query{Text: "mz4-q7c"}, []string{"MZ4Q7CAAAA"}},
		{Query{Group: GroupPresent}, []string{"B"}},
		{Query{Group: GroupExpected}, []string{"MZ4Q7CAAAA"}},
		{Query{Group: GroupOnHold}, []string{"E"}},
		{Query{Group: GroupGone}, []string{"D"}},
		{Query{Text: "guest", Group: GroupOver}, []string{"C"}},
		{Query{Group: "unheard-of"}, nil},
	} {
		if got := ids(e.Find(c.query)); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.query, got, c.want)
		}
	}
}

// A table has who sits there, and all who come there, by time.
func TestTables_WhoSitsWhere(t *testing.T) {
	t.Parallel()
	withSeat := func(p Party, seats ...int64) Party {
		for _, id := range seats {
			p.Seats = append(p.Seats, booking.ReservedSeat{ID: id})
		}
		return p
	}
	e := at(seven.Add(30*time.Minute), withSeat(party("gone", 18, booking.Completed), 1),
		withSeat(party("sits", 19, booking.Seated), 1), withSeat(party("next", 20, booking.Confirmed), 1, 2, 9),
		withSeat(party("after", 21, booking.Confirmed), 1))
	a, b := e.Tables()[0], e.Tables()[1]
	if a.Now == nil || a.Now.ID != "sits" || len(a.Next) != 2 || a.Next[0].ID != "next" ||
		a.Next[1].ID != "after" || a.Now.Left(e.Now) != 30*time.Minute {
		t.Errorf("A: %+v", a)
	}
	if b.Now != nil || len(b.Next) != 1 || b.Next[0].ID != "next" {
		t.Errorf("B: %+v", b)
	}
	if !slices.Equal(ids(e.Seated()), []string{"sits"}) {
		t.Errorf("seated: %q", ids(e.Seated()))
	}
}

// Of today a seat counts as blocked while it is in the slot that runs; of another day only if it is all day.
func TestBlocked_TodayAndAnotherDay(t *testing.T) {
	t.Parallel()
	e := at(seven)
	blocked := func(ids ...int64) (seats booking.TakenSeats) {
		for _, id := range ids {
			seats = append(seats, booking.SeatUse{ID: id, Blocked: true})
		}
		return seats
	}
	e.Slots = []Slot{{End: seven.Add(-time.Hour)}, {End: seven.Add(time.Hour)}, {End: seven.Add(2 * time.Hour)}}
	e.Slots[0].Seats, e.Slots[1].Seats, e.Slots[2].Seats = blocked(3), blocked(1, 2), blocked(2, 3)
	if got := e.Blocked(); !reflect.DeepEqual(got, blocked(1, 2)) {
		t.Errorf("today: %v", got)
	}
	e.Now = seven.AddDate(0, 0, -1)
	e.Slots = e.Slots[1:]
	if got := e.Blocked(); !reflect.DeepEqual(got, blocked(2)) {
		t.Errorf("another day: %v", got)
	}
}

// A seat that is blocked for parts of a day says for which, of what is not over.
func TestBlockedHours_JoinSlots(t *testing.T) {
	t.Parallel()
	e := at(seven)
	e.Slots = nil
	for i, isBlocked := range []bool{true, true, false, true, true} {
		s := Slot{Start: seven.Add(time.Duration(i-1) * time.Hour), End: seven.Add(time.Duration(i) * time.Hour)}
		if isBlocked {
			s.Seats = booking.TakenSeats{{ID: 1, Blocked: true}}
		}
		e.Slots = append(e.Slots, s)
	}
	e.Slots[4].Seats = append(e.Slots[4].Seats, booking.SeatUse{ID: 2, Blocked: true})
	hour := func(from, to int) Hours {
		return Hours{seven.Add(time.Duration(from) * time.Hour), seven.Add(time.Duration(to) * time.Hour)}
	}
	if got := e.BlockedHours(1); !slices.Equal(got, []Hours{hour(0, 1), hour(2, 4)}) {
		t.Errorf("%v", got)
	}
	if got := e.BlockedHours(3); len(got) > 0 {
		t.Errorf("one that is not: %v", got)
	}
	e.Slots = e.Slots[3:]
	if got := e.BlockedHours(1); len(got) > 0 {
		t.Errorf("all of what is left: %v", got)
	}
}

// Two readings show the same until something changes, or the minute.
func TestSame_UntilSomethingChanges(t *testing.T) {
	t.Parallel()
	a := at(seven, party("A", 19, booking.Confirmed))
	for name, c := range map[string]struct {
		other Evening
		same  bool
	}{
		"59 seconds later":  {at(seven.Add(59*time.Second), party("A", 19, booking.Confirmed)), true},
		"a minute later":    {at(seven.Add(time.Minute), party("A", 19, booking.Confirmed)), false},
		"one has come":      {at(seven, party("A", 19, booking.Arrived)), false},
		"one more is there": {at(seven, party("A", 19, booking.Confirmed), party("B", 20, booking.Confirmed)), false},
	} {
		if Same(a, c.other) != c.same {
			t.Errorf("%s: %v", name, !c.same)
		}
	}
	b := at(seven, party("A", 19, booking.Confirmed))
	if b.Slots[0].Line.Waiting = 1; Same(a, b) {
		t.Error("a line is the same with one more in it")
	}
}

// The latest bookings are those of diners that are confirmed; staff know their own.
func TestBooked_LatestOfDiners(t *testing.T) {
	t.Parallel()
	by := func(id string, source booking.Source, state booking.State, minute int) Party {
		p := party(id, 19, state)
		if p.Source = source; minute > 0 {
			p.ConfirmedAt = seven.Add(time.Duration(minute) * time.Minute)
		}
		return p
	}
	e := at(seven, by("first", booking.Web, booking.Confirmed, 1), by("hold", booking.Web, booking.Temporary, 0),
		by("phone", booking.Phone, booking.Confirmed, 9), by("latest", booking.Web, booking.Arrived, 3),
		by("cancelled", booking.Web, booking.Cancelled, 4))
	want := []time.Time{seven.Add(3 * time.Minute), seven.Add(time.Minute)}
	if got := e.Booked(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The sheet has who comes or is there, by time and table, with the dishes of all of them.
func TestSheets_ByTimeAndTable(t *testing.T) {
	t.Parallel()
	with := func(p Party, seat int64, dishes ...int64) Party {
		if seat > 0 {
			p.Seats = []booking.ReservedSeat{{ID: seat}}
		}
		for _, dish := range dishes {
			p.Items = append(p.Items, booking.Item{MenuItemID: dish, Quantity: 2})
		}
		return p
	}
	e := at(seven, with(party("nowhere", 19, booking.Confirmed), 0, 8), with(party("b", 19, booking.Seated), 2, 8, 5),
		with(party("a", 19, booking.PrepaidConfirmed), 1, 5), with(party("gone", 19, booking.Completed), 1, 5),
		with(party("hold", 20, booking.Temporary), 1, 5), with(party("later", 21, booking.Arrived), 9))
	sheets := e.Sheets()
	if len(sheets) != 2 || !slices.Equal(ids(sheets[0].Parties), []string{"a", "b", "nowhere"}) ||
		!slices.Equal(ids(sheets[1].Parties), []string{"later"}) {
		t.Fatalf("%+v", sheets)
	}
	if d := sheets[0].Dishes; len(d) != 2 || d[0].MenuItemID != 5 || d[0].Quantity != 4 || d[1].Quantity != 4 {
		t.Errorf("dishes %+v", d)
	}
	if e.Parties[1].Items[1].Quantity != 2 {
		t.Errorf("the sum changed an order: %+v", e.Parties[1].Items)
	}
}
