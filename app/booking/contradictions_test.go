package booking

import (
	"slices"
	"testing"
	"time"
)

// sound is a restaurant whose rules work together, and its menu.
func sound(t *testing.T) (Restaurant, []MenuItem) {
	t.Helper()
	r := inZone(t, "Asia/Seoul")
	r.Capacity, r.HoldMinutes, r.ExtensionMinutes, r.LeadMinutes = 20, 7, 5, 60
	r.Address, r.Description = Text{Ko: "종로"}, Text{Ko: "상차림"}
	r.DepositPerPerson = 10_000
	r.DepositTiers = []DepositTier{{FromParty: 6, Kind: PerParty, Amount: 60_000}}
	r.StayTiers = []StayTier{{FromParty: 5, Slots: 2}}
	r.Policy = Policy{Tiers: []RefundTier{{HoursBefore: 24, Percent: 100}, {HoursBefore: 1, Percent: 50}},
		ChangeHours: 2}
	return r, []MenuItem{{ID: 1, Name: Text{Ko: "갈비찜"}, StaySlots: 2}}
}

// Every contradiction is found by its own change of rules that work together, and no other with it.
func TestContradictions_EachFromItsChange(t *testing.T) {
	t.Parallel()
	r, menu := sound(t)
	now := time.Date(2026, 12, 24, 9, 0, 0, 0, r.Location)
	if found := Contradictions(r, menu, now); len(found) > 0 {
		t.Fatalf("sound rules: %+v", found)
	}
	table := SeatPlan{{ID: 1, Places: 4}, {ID: 2, Places: 4}}
	for code, c := range map[string]struct {
		change       func(r *Restaurant, menu *[]MenuItem)
		value, limit int
	}{
		"party_above_capacity": {func(r *Restaurant, _ *[]MenuItem) { r.Capacity = 6 }, 8, 6},
		"party_above_seats":    {func(r *Restaurant, _ *[]MenuItem) { r.Seats, r.Capacity = table, 8 }, 8, 4},
		"capacity_above_seats": {func(r *Restaurant, _ *[]MenuItem) { r.Seats = SeatPlan{{ID: 1, Places: 12}} }, 20, 12},
		"seats_take_nobody":    {func(r *Restaurant, _ *[]MenuItem) { r.Seats, r.Capacity, r.PartyMin = table, 8, 5 }, 5, 4},
		"horizon_below_lead":   {func(r *Restaurant, _ *[]MenuItem) { r.HorizonDays, r.LeadMinutes = 1, 2880 }, 1, 2880},
		"no_hours":             {func(r *Restaurant, _ *[]MenuItem) { r.Hours = nil }, 0, 0},
		"no_slots":             {func(r *Restaurant, _ *[]MenuItem) { r.HorizonDays, r.Closures = 1, []Date{"2026-12-24", "2026-12-25"} }, 0, 1},
		"opening_after_lead": {func(r *Restaurant, _ *[]MenuItem) {
			r.OpeningRule = OpeningRule{Kind: OpensDaily, DaysAhead: 1, Time: "23:00"}
			r.LeadMinutes, r.Policy.Tiers = 800, []RefundTier{{HoursBefore: 13, Percent: 100}}
		}, 750, 800},
		"opening_beyond_horizon": {func(r *Restaurant, _ *[]MenuItem) {
			r.OpeningRule = OpeningRule{Kind: OpensMonthly, Day: 1, Time: "10:00"}
		}, 30, 61},
		"hold_beyond_lead": {func(r *Restaurant, _ *[]MenuItem) { r.HoldMinutes, r.ExtensionMinutes = 50, 20 }, 70, 60},
		"hours_overlap": {func(r *Restaurant, _ *[]MenuItem) {
			r.Hours = append(r.Hours, Opening{Weekday: 1, From: "20:00", Last: "21:00"})
		}, 1, 0},
		"span_too_short": {func(r *Restaurant, _ *[]MenuItem) {
			r.Hours = append(r.Hours, Opening{Weekday: 1, From: "08:00", Last: "08:30"})
		}, 120, 60},
		"last_slot_takes_nobody": {func(r *Restaurant, _ *[]MenuItem) {
			for i := range r.Hours {
				r.Hours[i].Service = "all"
			}
			r.Services = []Service{{Key: "all", Stays: []StayTier{{FromParty: 1, Minutes: 120}}}}
			r.Hours = slices.DeleteFunc(r.Hours, func(o Opening) bool { return o.From < "18:00" })
		}, 120, 0},
		"service_without_hours": {func(r *Restaurant, _ *[]MenuItem) { r.Services = []Service{{Key: "brunch"}} }, 0, 0},
		"special_past":          {special("2026-12-23"), 0, 0},
		"special_closed":        {special("2026-12-26"), 0, 0},
		"stay_beyond_hours":     {func(r *Restaurant, _ *[]MenuItem) { r.SlotMinutes = 90 }, 270, 180},
		"party_above_arrivals":  {func(r *Restaurant, _ *[]MenuItem) { r.ArrivalsPerSlot = 5 }, 8, 5},
		"stay_unused": {func(r *Restaurant, _ *[]MenuItem) {
			r.StayTiers = []StayTier{{FromParty: 9, Slots: 2}}
		}, 9, 8},
		"free_long_hold":        {func(r *Restaurant, _ *[]MenuItem) { r.DepositPerPerson, r.HoldMinutes = 0, 20 }, 20, 15},
		"deposit_unused":        {func(r *Restaurant, _ *[]MenuItem) { r.DepositTiers[0].FromParty = 9 }, 9, 8},
		"deposit_drops":         {func(r *Restaurant, _ *[]MenuItem) { r.DepositTiers[0].Amount = 30_000 }, 30_000, 50_000},
		"refund_beyond_horizon": {refunds(RefundTier{1000, 100}, RefundTier{1, 50}), 1000, 744},
		"refund_rises":          {refunds(RefundTier{24, 50}, RefundTier{1, 100}), 100, 50},
		"refund_beyond_lead":    {refunds(RefundTier{24, 100}), 24, 60},
		"change_beyond_horizon": {func(r *Restaurant, _ *[]MenuItem) { r.Policy.ChangeHours = 1000 }, 1000, 744},
		"dish_beyond_hours":     {func(_ *Restaurant, menu *[]MenuItem) { (*menu)[0].StaySlots = 4 }, 240, 180},
		"dish_never_served": {func(_ *Restaurant, menu *[]MenuItem) {
			(*menu)[0].Served = &Span{From: "02:00", Last: "03:00"}
		}, 0, 0},
		"no_menu":    {func(_ *Restaurant, menu *[]MenuItem) { *menu = nil }, 0, 0},
		"no_address": {func(r *Restaurant, _ *[]MenuItem) { r.Address = Text{} }, 0, 0},
	} {
		r, menu := sound(t)
		if code == "span_too_short" || code == "stay_beyond_hours" {
			r.StayTiers = []StayTier{{FromParty: 1, Slots: 2}}
		}
		if code == "stay_beyond_hours" {
			r.StayTiers = []StayTier{{FromParty: 5, Slots: 3}}
			menu[0].StaySlots = 1
		}
		c.change(&r, &menu)
		found := slices.DeleteFunc(Contradictions(r, menu, now), func(f Contradiction) bool {
			return f.Code == "last_slot_takes_nobody" && code != f.Code // with what makes the shortest stay longer
		})
		if len(found) != 1 || found[0].Code != code || found[0].Value != c.value || found[0].Limit != c.limit {
			t.Errorf("%s: %+v, want %d beside %d alone", code, found, c.value, c.limit)
		}
	}
}

func special(date Date) func(*Restaurant, *[]MenuItem) {
	return func(r *Restaurant, _ *[]MenuItem) {
		r.Closures = []Date{"2026-12-26"}
		r.SpecialDays = []SpecialDay{{date, []Span{{From: "12:00", Last: "14:00"}}}}
	}
}

func refunds(tiers ...RefundTier) func(*Restaurant, *[]MenuItem) {
	return func(r *Restaurant, _ *[]MenuItem) { r.Policy.Tiers = tiers }
}

// Who stays two hours does not come at the last slot of hours that end with it: the last time that works is said, once
// for all days, and is the last seating.
func TestContradictions_LastSlotTakesNobody(t *testing.T) {
	t.Parallel()
	r, menu := sound(t)
	r.StayTiers, r.Hours = []StayTier{{FromParty: 1, Minutes: 120}}, nil
	for day := time.Sunday; day <= time.Saturday; day++ {
		r.Hours = append(r.Hours, Opening{Weekday: day, From: "17:00", Last: "20:00"})
	}
	r.SlotMinutes = 60
	now := time.Date(2026, 12, 24, 9, 0, 0, 0, r.Location)
	found := Contradictions(r, menu, now)
	hours := r.HoursOn("2026-12-25", r.PartyMin)
	if len(found) != 1 || found[0].Code != "last_slot_takes_nobody" || found[0].Time != "19:00" ||
		found[0].Severity != SeverityWarning || hours[0].LastSeating != found[0].Time {
		t.Errorf("%+v, last seating %+v", found, hours)
	}
	ask := Ask{PartyStay: PartyStay{Party: r.PartyMin}, Slot: SlotKey{r.ID, "2026-12-25", "20:00"}}
	if offer := r.Offer(ask, nil, now); offer.State != OfferClosed {
		t.Errorf("at 20:00: %+v", offer)
	}
	for i := range r.Hours {
		r.Hours[i].Last = "21:00"
	}
	if found = Contradictions(r, menu, now); len(found) != 1 || found[0].Time != "20:00" {
		t.Errorf("closing at 22:00: %+v", found)
	}
}

// Errors come before warnings, and only they block.
func TestContradictions_ErrorsFirst(t *testing.T) {
	t.Parallel()
	r, _ := sound(t)
	now := time.Date(2026, 12, 24, 9, 0, 0, 0, r.Location)
	if found := Contradictions(r, nil, now); Blocks(found) || len(found) != 1 {
		t.Errorf("a warning blocks: %+v", found)
	}
	r.Hours = nil
	found := Contradictions(r, nil, now)
	if !Blocks(found) || found[0].Severity != SeverityError || found[len(found)-1].Severity != SeverityWarning {
		t.Errorf("%+v", found)
	}
}

// A special day has its own hours and none of its weekday's, for the list of times and for each of them.
func TestTimes_OfSpecialDays(t *testing.T) {
	t.Parallel()
	r := inZone(t, "Asia/Seoul")
	r.SpecialDays = []SpecialDay{{"2026-12-24", []Span{{From: "10:00", Last: "11:00"}, {From: "15:30", Last: "15:30"}}}}
	want := []TimeOfDay{"10:00", "11:00", "15:30"}
	if got := r.Times("2026-12-24"); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := r.Times("2026-12-25"); len(got) != 6 {
		t.Errorf("the day after: %v", got)
	}
	for _, at := range []TimeOfDay{"10:00", "11:00", "15:30"} {
		if !r.opensAt("2026-12-24", at) {
			t.Errorf("%s is no slot", at)
		}
	}
	for _, at := range []TimeOfDay{"12:00", "18:00", "10:30"} {
		if r.opensAt("2026-12-24", at) {
			t.Errorf("%s is a slot", at)
		}
	}
	r.Closures = []Date{"2026-12-24"}
	if len(r.Times("2026-12-24")) > 0 || r.opensAt("2026-12-24", "10:00") {
		t.Error("a closed special day opens")
	}
}

// The stays of a service count in its hours, and those of the restaurant do not.
func TestContradictions_StaysOfServices(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 24, 3, 0, 0, 0, time.UTC)
	r, menu := sound(t)
	r.Services = []Service{{Key: "brunch",
		Stays: []StayTier{{FromParty: 1, Minutes: 60}, {FromParty: 5, Minutes: 120}}}}
	r.Hours = append(r.Hours, Opening{Weekday: 1, From: "08:00", Last: "08:30", Service: "brunch"})
	found := Contradictions(r, menu, now)
	if len(found) != 1 || found[0].Code != "stay_beyond_hours" || found[0].Document != DocHours || found[0].Limit != 60 {
		t.Errorf("five stay longer than there is brunch: %+v", found)
	}
	r.Services[0].Stays[1].Minutes = 60
	if found = Contradictions(r, menu, now); len(found) != 0 {
		t.Errorf("all can have brunch: %+v", found)
	}
}
