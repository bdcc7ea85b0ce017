package reports

import (
	"errors"
	"slices"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/team"
)

// A filter is read as it was typed; every fault is named beside its field.
func TestParse(t *testing.T) {
	t.Parallel()
	const today = booking.Date("2030-03-10")
	for _, test := range []struct {
		name  string
		query Query
		want  Filter
		fault string // of the field
	}{
		{"nothing", Query{}, Filter{Period: Period{"2030-02-11", today}, Weekday: -1}, ""},
		{"all", Query{"2030-01-01", "2030-01-31", "0", "18:30", "4", "phone"},
			Filter{Period{"2030-01-01", "2030-01-31"}, 0, "18:30", 4, Phone}, ""},
		{"from only", Query{From: "2030-03-01"}, Filter{Period: Period{"2030-03-01", today}, Weekday: -1}, ""},
		{"from of the future only", Query{From: "2030-04-01"}, Filter{Period: Period{"2030-04-01", "2030-04-01"}, Weekday: -1}, ""},
		{"to only", Query{To: "2030-01-31"}, Filter{Period: Period{"2030-01-04", "2030-01-31"}, Weekday: -1}, ""},
		{"366 days", Query{From: "2028-01-01", To: "2028-12-31"}, Filter{Period: Period{"2028-01-01", "2028-12-31"}, Weekday: -1}, ""},
		{"367 days", Query{From: "2028-01-01", To: "2029-01-01"}, Filter{}, "to too_many"},
		{"backwards", Query{From: "2030-02-02", To: "2030-02-01"}, Filter{}, "to before_from"},
		{"no date", Query{From: "2030-02-30"}, Filter{}, "from invalid_date"},
		{"no weekday", Query{Weekday: "7"}, Filter{}, "weekday out_of_range"},
		{"no time", Query{Time: "25:00"}, Filter{}, "time invalid_time"},
		{"no party", Query{Party: "0"}, Filter{}, "party out_of_range"},
		{"no source", Query{Source: "fax"}, Filter{}, "source unknown"},
	} {
		got, err := Parse(test.query, today)
		var invalid *booking.InvalidError
		switch {
		case test.fault == "" && (err != nil || got != test.want):
			t.Errorf("%s: %+v, %v; want %+v", test.name, got, err, test.want)
		case test.fault != "" && (!errors.As(err, &invalid) || len(invalid.Fields) != 1 ||
			invalid.Fields[0].Field+" "+invalid.Fields[0].Reason != test.fault):
			t.Errorf("%s: %v, want %s", test.name, err, test.fault)
		}
	}
}

// Periods have both ends, and the one before is as long, over the ends of months and years and through a leap day.
func TestPeriod_HasBothEnds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		period, before Period
		days           int
	}{
		{Last(1, "2030-01-01"), Period{"2029-12-31", "2029-12-31"}, 1},
		{Last(28, "2028-03-01"), Period{"2028-01-06", "2028-02-02"}, 28},
		{MonthOf("2028-02-10"), Period{"2028-01-03", "2028-01-31"}, 29},
	} {
		if got := test.period; got.Days() != test.days || got.Before() != test.before ||
			got.Before().Days() != test.days {
			t.Errorf("%+v: %d days, before %+v", got, got.Days(), got.Before())
		}
	}
}

// Slots of no date divide by nothing, shares are rounded, averages are of the slots that there were.
func TestBuild_Shares(t *testing.T) {
	t.Parallel()
	cells := []Cell{
		{"2029-12-31", "12:00", Figures{Slots: 1, Parties: 9}}, // before
		{"2030-01-01", "12:00", Figures{Slots: 1, Parties: 2, Covers: 5, NoShowParties: 1, SoldOutSlots: 1,
			TimedSoldOutSlots: 1, SellOutSeconds: 10}},
		{"2030-01-01", "13:00", Figures{Slots: 1, SoldOutSlots: 1, TimedSoldOutSlots: 1, SellOutSeconds: 20,
			Line: Line{Served: 1, Left: 2}}},
		{"2030-01-08", "12:00", Figures{Slots: 1, Parties: 1, Covers: 2, SoldOutSlots: 1}}, // at once
	}
	parties := []Parties{{Web, 2, 0, true, 1, 0}, {Web, 3, 3, true, 1, 0}, {Phone, 2, 40, false, 1, 0},
		{Phone, 4, 2, false, 0, 1}}
	r := Build(booking.Restaurant{}, Filter{Period: Period{"2030-01-01", "2030-01-08"}, Weekday: 2},
		Facts{Cells: cells, Parties: parties})
	total := r.Total
	if len(r.Days) != 2 || total.Parties != 3 || r.Past.Parties != 9 || total.AverageParty() != 233 ||
		total.NoShowShare() != 250 ||
		total.SellOutMean() != 15 || total.Served() != 333 {
		t.Errorf("%d days, %+v: %d %d %d %d", len(r.Days), total, total.AverageParty(), total.NoShowShare(),
			total.SellOutMean(), total.Served())
	}
	heat := r.Heat()
	if tuesday := heat[0][1]; len(heat) != 2 || tuesday != (HeatCell{7, 2}) || tuesday.Average() != 4 ||
		heat[1][1].Average() != 0 {
		t.Errorf("heat %+v", heat)
	}
	leads := r.Leads()
	if leads[0] != (Lead{0, 0, 1}) || leads[2] != (Lead{2, 3, 1}) || leads[6] != (Lead{31, -1, 1}) {
		t.Errorf("leads %+v", leads)
	}
	if web := r.Of(BySource)[0]; web.Value != "web" || web.Parties != 2 || web.Covers != 5 {
		t.Errorf("by web %+v", web)
	}
	if unpaid := r.Of(ByPayment)[1]; unpaid.Value != Unpaid || unpaid.Parties != 1 || unpaid.NoShowShare() != 500 ||
		len(r.Of(ByParty)) != 2 {
		t.Errorf("without a deposit %+v, sizes %+v", unpaid, r.Of(ByParty))
	}
	if n := (Guests{New: 2, Returning: 1, Unknown: 7}).ReturningShare(); n != 333 {
		t.Errorf("came back: %d", n)
	}
	if empty := Build(booking.Restaurant{}, r.Filter,
		Facts{Cells: []Cell{{Date: "2030-01-01", Time: "12:00",
			Figures: Figures{Slots: 1, Capacity: 20}}}}); !empty.IsEmpty() || r.IsEmpty() ||
		empty.Total.AverageParty()+empty.Total.NoShowShare()+empty.Total.Served()+int(empty.Total.SellOutMean()) != 0 {
		t.Errorf("of nothing: %+v", empty.Total)
	}
}

// Each hour of each seat that was open counts once, whether anything is stored of it or not; what is divided by it is
// worked out by hand here.
func TestBuild_CountsEverySeatHour(t *testing.T) {
	t.Parallel()
	of := booking.Restaurant{Location: time.UTC,
		Closures: []booking.Date{"2030-01-03"},
		Seats:    []booking.Seat{{ID: 7, Label: "T1"}, {ID: 8, Label: "T2"}},
		Settings: booking.Settings{Capacity: 10, SlotMinutes: 30}}
	for day := time.Sunday; day <= time.Saturday; day++ {
		of.Hours = append(of.Hours, booking.Opening{Weekday: day, From: "12:00", Last: "12:30"})
	}
	facts := Facts{Since: "2029-12-31", Cells: []Cell{
		{"2029-12-31", "12:00", Figures{OpenSlots: 1, SeatMinutesOpen: 300}}, // before, as is 12:30 of that day
		{"2030-01-01", "12:00", Figures{OpenSlots: 1, SeatMinutesOpen: 240, SeatMinutesTaken: 120, Deposits: 24_000}},
		{"2030-01-02", "12:30", Figures{}}, // closed
	}, Tables: []Table{{SeatID: 8, Slots: 2}, {SeatID: 9, Slots: 3}}}
	r := Build(of, Filter{Period: Period{"2030-01-01", "2030-01-04"}, Weekday: -1}, facts)
	// 240 of the smaller slot, and 10 seats for 30 minutes: one on the 1st, one on the 2nd, none on the 3rd, two on the
	// 4th.
	total := r.Total
	if total.OpenSlots != 5 || total.SeatMinutesOpen != 1440 || total.SeatHourRevenue() != 1000 ||
		total.SeatUse() != 83 || r.Past.SeatMinutesOpen != 600 || len(r.Cells) != 2 {
		t.Errorf("%+v, before %+v, %d cells", total, r.Past, len(r.Cells))
	}
	if len(r.Tables) != 2 || r.Tables[0].Slots != 0 || r.TableUse(r.Tables[1]) != 400 {
		t.Errorf("tables %+v", r.Tables)
	}
	if (Figures{Deposits: 5}).SeatHourRevenue() != 0 {
		t.Error("revenue of no seat-hour")
	}
}

// A period is compared with the one before only where something is stored from the first open day of that one on.
func TestBuild_IsComparable(t *testing.T) {
	t.Parallel()
	of := booking.Restaurant{Location: time.UTC, Closures: []booking.Date{"2030-01-05", "2030-01-06"},
		Settings: booking.Settings{Capacity: 10, SlotMinutes: 30}}
	for day := time.Sunday; day <= time.Saturday; day++ {
		of.Hours = append(of.Hours, booking.Opening{Weekday: day, From: "12:00", Last: "12:30"})
	}
	filter := Filter{Period: Period{"2030-01-12", "2030-01-18"}, Weekday: -1} // the one before begins on the 5th
	mondays := filter
	mondays.Weekday = 1 // the 7th is one
	for _, c := range []struct {
		since  booking.Date
		filter Filter
		want   bool
	}{{"2030-01-01", filter, true}, {"2030-01-05", filter, true}, {"2030-01-07", filter, true},
		{"2030-01-08", filter, false}, {"2030-01-15", filter, false}, {"", filter, false},
		{"2030-01-07", mondays, true}, {"2030-01-08", mondays, false}} {
		if r := Build(of, c.filter, Facts{Since: c.since}); r.Comparable != c.want || r.Since != c.since {
			t.Errorf("since %q, weekday %d: %t, want %t", c.since, c.filter.Weekday, r.Comparable, c.want)
		}
	}
}

// The median is what half stayed at most: of an even number the mean of both in the middle.
func TestBuild_MedianOfTurns(t *testing.T) {
	t.Parallel()
	turns := []Turn{{Size: 2, Minutes: 300, Count: 1}, {Size: 2, Minutes: 60, Count: 2}, {Size: 2, Minutes: 70, Count: 1},
		{Size: 4, Minutes: 90, Count: 3}}
	r := Build(booking.Restaurant{}, Filter{Period: Last(1, "2030-01-01")}, Facts{Turns: turns})
	if want := []TurnTime{{2, 4, 65}, {4, 3, 90}}; !slices.Equal(r.Turns, want) || r.Turn() != (TurnTime{0, 7, 90}) {
		t.Errorf("%+v, of all sizes %+v", r.Turns, r.Turn())
	}
	if (Report{}).Turn() != (TurnTime{}) {
		t.Error("a median of nothing")
	}
}

// Whose try was refused for a reason of their own is none of those who asked for a table.
func TestLine_AskedLeavesRefusedTriesOut(t *testing.T) {
	t.Parallel()
	if n := (Line{Served: 1, SoldOut: 2, Left: 3, TimedOut: 4, Refused: 50}).Asked(); n != 10 {
		t.Errorf("%d asked, want 10", n)
	}
}

// Nobody reads the figures of a restaurant for which they do not work.
func TestRead_RefusesStrangers(t *testing.T) {
	t.Parallel()
	_, err := NewService(nil).Read(t.Context(), team.Staff{}, booking.Restaurant{ID: 1}, Filter{})
	if !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("%v", err)
	}
}
