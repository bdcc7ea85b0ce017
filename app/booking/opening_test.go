package booking

import (
	"testing"
	"time"
)

// ruled is a restaurant of a zone that opens its days by a rule.
func ruled(t *testing.T, zone string, rule OpeningRule) Restaurant {
	t.Helper()
	r := inZone(t, zone)
	r.OpeningRule = rule
	return r
}

func TestOpensAt_ByExample(t *testing.T) {
	t.Parallel()
	monthly := func(day int, at TimeOfDay) OpeningRule { return OpeningRule{Kind: OpensMonthly, Day: day, Time: at} }
	daily := func(days int, at TimeOfDay) OpeningRule {
		return OpeningRule{Kind: OpensDaily, DaysAhead: days, Time: at}
	}
	for _, c := range []struct {
		zone string
		rule OpeningRule
		date Date
		want string // in UTC
	}{
		{"Asia/Seoul", monthly(1, "10:00"), "2026-12-01", "2026-11-01T01:00:00Z"},
		{"Asia/Seoul", monthly(1, "10:00"), "2026-12-31", "2026-11-01T01:00:00Z"},
		{"Asia/Seoul", monthly(1, "10:00"), "2027-01-15", "2026-12-01T01:00:00Z"},
		{"Asia/Seoul", monthly(31, "10:00"), "2027-03-31", "2027-02-28T01:00:00Z"}, // in a shorter month its last day
		{"Asia/Seoul", monthly(30, "00:00"), "2028-03-01", "2028-02-28T15:00:00Z"}, // of a leap year
		{"Asia/Seoul", daily(30, "10:00"), "2026-12-31", "2026-12-01T01:00:00Z"},
		{"Asia/Seoul", daily(1, "23:30"), "2027-01-01", "2026-12-31T14:30:00Z"},
		{"Europe/Berlin", daily(1, "02:30"), "2026-03-30", "2026-03-29T01:00:00Z"}, // the clock skips it
		{"Europe/Berlin", daily(1, "02:30"), "2026-10-26", "2026-10-25T00:30:00Z"}, // it occurs twice
		{"Europe/Berlin", daily(7, "10:00"), "2026-03-30", "2026-03-23T09:00:00Z"},
		{"Europe/Berlin", daily(7, "10:00"), "2026-04-06", "2026-03-30T08:00:00Z"},
		{"America/New_York", monthly(8, "02:15"), "2026-04-20", "2026-03-08T07:00:00Z"},
		{"Pacific/Apia", daily(1, "10:00"), "2011-12-31", "2011-12-30T10:00:00Z"}, // the day was skipped
		{"Asia/Seoul", OpeningRule{}, "2026-12-31", ""},
	} {
		got := ruled(t, c.zone, c.rule).OpensAt(c.date)
		if c.want == "" != got.IsZero() || c.want != "" && got.UTC().Format(time.RFC3339) != c.want {
			t.Errorf("%s, %+v: %s opens at %v, want %s", c.zone, c.rule, c.date, got.UTC(), c.want)
		}
	}
}

// Over years of dates, in zones that change their clocks at different hours, a day opens before it begins, never before
// an earlier day does, on the date and at the time that the rule says, or as soon as the clock shows more. Days of a
// month open at once.
func TestOpensAt_OverYears(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"Asia/Seoul", "Europe/Berlin", "America/New_York", "America/Santiago",
		"Australia/Lord_Howe", "Africa/Cairo", "Pacific/Apia"} {
		for _, at := range []TimeOfDay{"00:00", "02:15", "10:00", "23:59"} {
			for _, n := range []int{1, 15, 28, 29, 30, 31} {
				checkYears(t, ruled(t, zone, OpeningRule{Kind: OpensMonthly, Day: n, Time: at}))
				checkYears(t, ruled(t, zone, OpeningRule{Kind: OpensDaily, DaysAhead: n, Time: at}))
			}
		}
	}
}

// checkYears looks at the days of three years, one of which is a leap year.
func checkYears(t *testing.T, r Restaurant) {
	t.Helper()
	rule := r.OpeningRule
	least, most := rule.daysAheadRange()
	var before time.Time
	for date := Date("2026-12-15"); date < "2029-03-15"; date = date.AddDays(1) {
		opens := r.OpensAt(date)
		local := opens.In(r.Location)
		day := DateOf(opens, r.Location)
		switch {
		case opens.Before(before):
			t.Fatalf("%s, %+v: %s opens before the day before it", r.Location, rule, date)
		case day < date.AddDays(-most) || day > date.AddDays(-least):
			t.Fatalf("%s, %+v: %s opens on %s", r.Location, rule, date, day)
		case TimeOfDay(local.Format("15:04")) < rule.Time && day == rule.opensOn(date):
			t.Fatalf("%s, %+v: %s opens at %s", r.Location, rule, date, local)
		case rule.Kind == OpensMonthly && date.dayOfMonth() > 1 && !before.IsZero() && !opens.Equal(before):
			t.Fatalf("%s, %+v: %s opens apart from its month", r.Location, rule, date)
		}
		if a, b := local.Add(-time.Minute), local; rule.Time == "10:00" && (a.Day() != b.Day() || b.Hour() != 10) {
			t.Fatalf("%s, %+v: %s opens at %s", r.Location, rule, date, local)
		}
		before = opens
	}
}

// A slot without a plan of its own opens by the rule, one that staff have planned or opened does not; who asks before
// waits, and gets a seat after.
func TestOffer_ByOpeningRule(t *testing.T) {
	t.Parallel()
	r := ruled(t, "Asia/Seoul", OpeningRule{Kind: OpensMonthly, Day: 1, Time: "10:00", Draw: true})
	r.HorizonDays, r.Capacity = 60, 20
	opens := time.Date(2026, 12, 1, 1, 0, 0, 0, time.UTC)
	slot := SlotKey{r.ID, "2027-01-08", "18:00"}
	early := opens.Add(-time.Minute)
	stored := func(o Occupancy) map[TimeOfDay]Occupancy { return map[TimeOfDay]Occupancy{slot.Time: o} }
	planned := Occupancy{Capacity: 20, OpensAt: early.Add(-time.Hour)}
	for name, c := range map[string]struct {
		day  map[TimeOfDay]Occupancy
		now  time.Time
		want error
	}{
		"before":                {nil, early, ErrNotOpenYet},
		"at its time":           {nil, opens, nil},
		"opened by staff":       {stored(planned), early, nil},
		"as the cache keeps it": {stored(r.Planned(slot.Date, Occupancy{Capacity: 20})), early, ErrNotOpenYet},
	} {
		offer := r.Offer(Ask{PartyStay: PartyStay{Party: 2}, Slot: slot}, c.day, c.now)
		if err := offer.Joint.Waits(c.now); err != c.want || offer.State != OfferOpen {
			t.Errorf("%s: %s, %v; want %v", name, offer.State, err, c.want)
		}
		if offer.Joint.Draw != (c.day == nil || name == "as the cache keeps it") {
			t.Errorf("%s: drawn: %v", name, offer.Joint.Draw)
		}
	}
	turn := Turn{Slot: slot}.By(r)
	if o := turn.Limited(Occupancy{Capacity: 20}); !o.OpensAt.Equal(opens) || !o.Draw {
		t.Errorf("a turn opens the slot at %v", o.OpensAt)
	}
	if o := turn.Limited(planned); !o.OpensAt.Equal(planned.OpensAt) || o.Draw {
		t.Errorf("a turn opens a planned slot at %v", o.OpensAt)
	}
}
