package setup

import (
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"lunchgo/app/booking"
)

var now = time.Date(2026, 12, 24, 9, 0, 0, 0, time.UTC)

func restaurant(t *testing.T) booking.Restaurant {
	t.Helper()
	n := booking.NewRestaurant{Name: "새 식당", TimeZone: "Asia/Seoul", Capacity: 20, SlotMinutes: 60, PartyMax: 8,
		Deposit: 10_000}
	r, err := n.Check()
	if err != nil {
		t.Fatal(err)
	}
	r.District, r.Cuisine, r.Picture = "elsewhere", "various", "table"
	return r
}

// names are the fields and reasons of faults.
func names(found []booking.FieldError) (all []string) {
	for _, f := range found {
		all = append(all, f.Field+" "+f.Reason)
	}
	return all
}

// A document that is served can be sent back as it is, and changes nothing.
func TestDocuments_ComeBackAsTheyAre(t *testing.T) {
	t.Parallel()
	r := restaurant(t)
	r.Hours = []booking.Opening{{Weekday: 5, From: "18:00", Last: "20:00"}, {Weekday: 1, From: "11:30", Last: "13:30"}}
	r.SpecialDays = []booking.SpecialDay{{Date: "2026-12-31", Spans: []booking.Span{{From: "12:00", Last: "12:00"}}}}
	r.Closures, r.ClosureReasons = []booking.Date{"2027-01-01", "2027-01-02", "2027-01-03"},
		map[booking.Date]string{"2027-01-03": "공사"}
	r.DepositTiers = []booking.DepositTier{{FromParty: 5, Kind: booking.PerParty, Amount: 50_000},
		{FromParty: 8, Kind: booking.NoDeposit}}
	r.OpeningRule = booking.OpeningRule{Kind: booking.OpensMonthly, Day: 1, Time: "10:00", Draw: true}
	r.Services = []booking.Service{{Key: "lunch", Name: booking.Text{Ko: "점심"},
		Stays: []booking.StayTier{{FromParty: 1, Slots: 2, Minutes: 105}}}}
	r.Hours[1].Service, r.SpecialDays[0].Spans[0].Service = "lunch", "lunch"
	for _, name := range Names() {
		d := Of(name, r)
		if found := d.check(r, now); len(found) > 0 {
			t.Errorf("%s: %v", name, names(found))
		}
		if again := Of(name, d.apply(r)); tagOf(again) != tagOf(d) {
			t.Errorf("%s comes back as %+v, was %+v", name, again, d)
		}
	}
	if c := closuresOf(r).Closures; len(c) != 2 || c[0].To != "2027-01-02" || c[1].Reason != "공사" {
		t.Errorf("ranges: %+v", c)
	}
	perParty := Deposits{Tiers: []booking.DepositTier{{FromParty: 1, Kind: booking.PerParty, Amount: 30_000}}}
	if got := perParty.apply(r); got.DepositOf(1).For(1) != 30_000 || tagOf(depositsOf(got)) != tagOf(perParty) {
		t.Errorf("a deposit of each party: %+v", got.Deposits())
	}
}

func TestSettings_EveryBound(t *testing.T) {
	t.Parallel()
	r := restaurant(t)
	for want, change := range map[string]func(*Settings){
		"name.ko required":             func(s *Settings) { s.Settings.Name.Ko = " " },
		"name.ko too_long":             func(s *Settings) { s.Settings.Name.Ko = strings.Repeat("가", 81) },
		"name.en invalid_text":         func(s *Settings) { s.Settings.Name.En = "a\u202eb" },
		"description.ko too_long":      func(s *Settings) { s.Description.Ko = strings.Repeat("가", 1_001) },
		"description.en invalid_text":  func(s *Settings) { s.Description.En = "a\x00" },
		"story.ko too_long":            func(s *Settings) { s.Story.Ko = strings.Repeat("가", 3_001) },
		"directions.en too_long":       func(s *Settings) { s.Directions.En = strings.Repeat("a", 501) },
		"address.ko invalid_text":      func(s *Settings) { s.Address.Ko = "a\nb" },
		"address.en too_long":          func(s *Settings) { s.Address.En = strings.Repeat("a", 201) },
		"phone invalid_phone":          func(s *Settings) { s.Phone = "call me" },
		"district unknown":             func(s *Settings) { s.District = "atlantis" },
		"cuisine unknown":              func(s *Settings) { s.Cuisine = "stone" },
		"picture unknown":              func(s *Settings) { s.Picture = "../logo" },
		"timeZone unknown":             func(s *Settings) { s.TimeZone = "Local" },
		"slotMinutes out_of_range":     func(s *Settings) { s.SlotMinutes = 4 },
		"capacity out_of_range":        func(s *Settings) { s.Capacity = 1_001 },
		"arrivalsPerSlot out_of_range": func(s *Settings) { s.ArrivalsPerSlot = -1 },
		"openingRule.kind unknown": func(s *Settings) {
			s.OpeningRule = &booking.OpeningRule{Kind: "weekly", Time: "10:00"}
		},
		"openingRule.day out_of_range": func(s *Settings) {
			s.OpeningRule = &booking.OpeningRule{Kind: booking.OpensMonthly, Day: 32, Time: "10:00"}
		},
		"openingRule.daysAhead out_of_range": func(s *Settings) {
			s.OpeningRule = &booking.OpeningRule{Kind: booking.OpensDaily, Time: "10:00"}
		},
		"openingRule.time invalid_time": func(s *Settings) {
			s.OpeningRule = &booking.OpeningRule{Kind: booking.OpensDaily, DaysAhead: 7, Time: "10 am"}
		},
		"partyMin out_of_range":         func(s *Settings) { s.PartyMin = 0 },
		"partyMax out_of_range":         func(s *Settings) { s.PartyMin, s.PartyMax = 5, 4 },
		"leadMinutes out_of_range":      func(s *Settings) { s.LeadMinutes = -1 },
		"horizonDays out_of_range":      func(s *Settings) { s.HorizonDays = 366 },
		"holdMinutes out_of_range":      func(s *Settings) { s.HoldMinutes = 2 },
		"extensionMinutes out_of_range": func(s *Settings) { s.ExtensionMinutes = 61 },
		"stays too_many":                func(s *Settings) { s.Stays = rising(11) },
		"stays[0].slots out_of_range":   func(s *Settings) { s.Stays = []booking.StayTier{{FromParty: 5, Slots: 13}} },
		"stays[1].slots out_of_range": func(s *Settings) { // longer than any number of minutes may be
			s.SlotMinutes, s.Stays = 120, []booking.StayTier{{FromParty: 5, Slots: 6}, {FromParty: 6, Slots: 7}}
		},
		"stays[0].minutes out_of_range": func(s *Settings) {
			s.Stays = []booking.StayTier{{FromParty: 5, Minutes: 721}}
		},
		"stays[0].minutes contradicts_slots": func(s *Settings) {
			s.Stays = []booking.StayTier{{FromParty: 5, Slots: 2, Minutes: 130}}
		},
		"stays[1].minutes not_rising": func(s *Settings) {
			s.Stays = []booking.StayTier{{FromParty: 5, Slots: 2}, {FromParty: 6, Minutes: 119}}
		},
		"stays[0].fromParty out_of_range": func(s *Settings) { s.Stays = []booking.StayTier{{FromParty: 0, Slots: 2}} },
		"stays[1].fromParty not_rising":   func(s *Settings) { s.Stays = []booking.StayTier{{FromParty: 5, Slots: 2}, {FromParty: 5, Slots: 3}} },
		"stays[1].slots not_rising":       func(s *Settings) { s.Stays = []booking.StayTier{{FromParty: 5, Slots: 3}, {FromParty: 6, Slots: 2}} },
	} {
		s := settingsOf(r)
		change(&s)
		if got := names(s.check(r, now)); !slices.Equal(got, []string{want}) {
			t.Errorf("%v, want %s alone", got, want)
		}
	}
	shorter := settingsOf(r) // its slots are those of before
	shorter.SlotMinutes, shorter.Stays = 30, []booking.StayTier{{FromParty: 5, Slots: 2, Minutes: 90}}
	if got := shorter.check(r, now); len(got) > 0 {
		t.Errorf("with shorter slots: %v", names(got))
	}
	if got := (Settings{}).check(r, now); len(got) < 9 {
		t.Errorf("of an empty document only %v", names(got))
	}
}

func rising(n int) (tiers []booking.StayTier) {
	for i := range n {
		tiers = append(tiers, booking.StayTier{FromParty: i + 1, Slots: 2})
	}
	return tiers
}

func TestOtherDocuments_EveryBound(t *testing.T) {
	t.Parallel()
	r := restaurant(t)
	monday := func(from, last booking.TimeOfDay) booking.Opening {
		return booking.Opening{Weekday: 1, From: from, Last: last}
	}
	day := func(date booking.Date, spans ...booking.Span) Hours {
		return Hours{Special: []booking.SpecialDay{{Date: date, Spans: spans}}}
	}
	lunch := booking.Span{From: "12:00", Last: "13:00"}
	for want, d := range map[string]Document{
		"weekly too_many":                   Hours{Weekly: make([]booking.Opening, 43)},
		"weekly[0].weekday out_of_range":    Hours{Weekly: []booking.Opening{{Weekday: 7, From: "12:00", Last: "13:00"}}},
		"weekly[0].from invalid_time":       Hours{Weekly: []booking.Opening{monday("24:00", "13:00")}},
		"weekly[0].last invalid_time":       Hours{Weekly: []booking.Opening{monday("12:00", "1:00")}},
		"weekly[0].last ends_before":        Hours{Weekly: []booking.Opening{monday("13:00", "12:00")}},
		"weekly[1].from overlaps":           Hours{Weekly: []booking.Opening{monday("12:00", "13:00"), monday("13:00", "14:00")}},
		"special[0].date invalid_date":      day("2026-02-30", lunch),
		"special[0].date too_far":           day("2028-01-01", lunch),
		"special[0].spans required":         day("2026-12-30"),
		"special[0].spans[1].from overlaps": day("2026-12-30", lunch, lunch),
		"special[1].date duplicate": Hours{Special: []booking.SpecialDay{{Date: "2026-12-30", Spans: []booking.Span{lunch}},
			{Date: "2026-12-30", Spans: []booking.Span{lunch}}}},

		"closures[0].from invalid_date":   Closures{Closures: []Closure{{From: "tomorrow"}}},
		"closures[0].to invalid_date":     Closures{Closures: []Closure{{From: "2027-01-01", To: "x"}}},
		"closures[0].to ends_before":      Closures{Closures: []Closure{{From: "2027-01-02", To: "2027-01-01"}}},
		"closures[0].reason too_long":     Closures{Closures: []Closure{{From: "2027-01-02", Reason: strings.Repeat("가", 101)}}},
		"closures[1].from overlaps":       Closures{Closures: []Closure{{From: "2027-01-01", To: "2027-01-05"}, {From: "2027-01-05"}}},
		"closures too_many":               Closures{Closures: []Closure{{From: "2027-01-01", To: "2028-12-31"}}},
		"tiers required":                  Deposits{},
		"tiers[0].kind unknown":           Deposits{Tiers: []booking.DepositTier{{FromParty: 1, Kind: "gift", Amount: 1}}},
		"tiers[0].amount out_of_range":    Deposits{Tiers: []booking.DepositTier{{FromParty: 1, Kind: booking.PerPerson, Amount: 1_000_001}}},
		"tiers[0].amount no_amount":       Deposits{Tiers: []booking.DepositTier{{FromParty: 1, Kind: booking.NoDeposit, Amount: 1}}},
		"tiers[0].fromParty out_of_range": Deposits{Tiers: []booking.DepositTier{{FromParty: 2, Kind: booking.NoDeposit}}},
		"tiers[1].fromParty not_rising": Deposits{Tiers: []booking.DepositTier{{FromParty: 1, Kind: booking.NoDeposit},
			{FromParty: 1, Kind: booking.NoDeposit}}},
		"photos too_many":                     Gallery{Pictures()[:MaxPhotos+1]},
		"photos[1] unknown":                   Gallery{[]string{"pub", "../logo"}},
		"photos[1] duplicate":                 Gallery{[]string{"pub", "pub"}},
		"changeHours out_of_range":            Cancellation{ChangeHours: -1},
		"freeCancelMinutes out_of_range":      Cancellation{FreeCancelMinutes: new(booking.MaxFreeCancel + 1)},
		"refunds[0].hoursBefore out_of_range": Cancellation{Refunds: []booking.RefundTier{{HoursBefore: 8_761, Percent: 50}}},
		"refunds[0].percent out_of_range":     Cancellation{Refunds: []booking.RefundTier{{HoursBefore: 1, Percent: 101}}},
		"refunds[1].hoursBefore not_falling": Cancellation{Refunds: []booking.RefundTier{{HoursBefore: 1, Percent: 100},
			{HoursBefore: 1, Percent: 50}}},
		"refunds[1].percent not_falling": Cancellation{Refunds: []booking.RefundTier{{HoursBefore: 9, Percent: 50},
			{HoursBefore: 1, Percent: 50}}},
	} {
		if got := names(d.check(r, now)); !slices.Equal(got, []string{want}) {
			t.Errorf("%v, want %s alone", got, want)
		}
	}
}

// A lower limit of the party does not leave the small ones without their deposit.
func TestSettings_KeepTheFirstDeposit(t *testing.T) {
	t.Parallel()
	r := restaurant(t)
	r.PartyMin, r.DepositPerPerson, r.DepositTiers = 2, 0,
		[]booking.DepositTier{{FromParty: 2, Kind: booking.PerParty, Amount: 40_000}}
	s := settingsOf(r)
	s.PartyMin = 1
	if got := s.apply(r).DepositOf(1).For(1); got != 40_000 {
		t.Errorf("one person pays %d", got)
	}
}

func TestTouchedBy_EachRule(t *testing.T) {
	t.Parallel()
	r := restaurant(t)
	r.Hours = []booking.Opening{{Weekday: 4, From: "18:00", Last: "20:00"}} // 2026-12-31 is a Thursday
	slot := booking.SlotKey{Date: "2026-12-31", Time: "19:00"}
	booked := []Booked{{ID: "a", Slot: slot, Minutes: 60, PartySize: 6, State: booking.Confirmed, Paid: 60_000},
		{ID: "b", Slot: slot, Minutes: 60, PartySize: 2, State: booking.Temporary}}
	if a := touchedBy(r, r, booked, now); a.Reservations != 0 {
		t.Errorf("no change touches %+v", a)
	}
	for want, change := range map[Why]struct {
		change         func(*booking.Restaurant)
		touched, holds int
		money          int64
	}{
		WhyClosed:   {func(r *booking.Restaurant) { r.Closures = []booking.Date{"2026-12-31"} }, 2, 1, 60_000},
		WhyHours:    {func(r *booking.Restaurant) { r.Hours[0].Last = "18:00" }, 2, 1, 60_000},
		WhyCapacity: {func(r *booking.Restaurant) { r.Capacity = 7 }, 1, 1, 0},
		WhyParty:    {func(r *booking.Restaurant) { r.PartyMax = 4 }, 1, 0, 60_000},
		WhyLength:   {func(r *booking.Restaurant) { r.SlotMinutes = 30 }, 2, 1, 60_000},
		WhyNotOpen: {func(r *booking.Restaurant) {
			r.OpeningRule = booking.OpeningRule{Kind: booking.OpensDaily, DaysAhead: 6, Time: "10:00"}
		}, 2, 1, 60_000},
	} {
		next := r
		next.Hours = slices.Clone(r.Hours)
		change.change(&next)
		a := touchedBy(r, next, booked, now)
		if a.Reservations != change.touched || a.Holds != change.holds || a.Money != change.money ||
			a.First[0].Why != want {
			t.Errorf("%s: %+v", want, a)
		}
		if want == WhyNotOpen {
			opened := slices.Clone(booked)
			for i := range opened {
				opened[i].OpensAt = now.Add(-time.Hour) // by staff, who come before the rule
			}
			if a := touchedBy(r, next, opened, now); a.Reservations != 0 {
				t.Errorf("slots that staff have opened: %+v", a)
			}
		}
		if again := touchedBy(next, next, booked, now); again.Reservations != 0 {
			t.Errorf("%s: what was outside before counts again: %+v", want, again)
		}
	}
}
