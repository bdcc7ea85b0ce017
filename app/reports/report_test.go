package reports

import (
	"errors"
	"testing"

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
		{"2030-01-01", "12:00", Figures{Slots: 1, Parties: 2, Covers: 5, NoShowParties: 1, SoldOutSlots: 1, SellOutSeconds: 10}},
		{"2030-01-01", "13:00", Figures{Slots: 1, SoldOutSlots: 1, SellOutSeconds: 20, Line: Line{Served: 1, Left: 2}}},
		{"2030-01-08", "12:00", Figures{Slots: 1, Parties: 1, Covers: 2}},
	}
	parties := []Parties{{Web, 2, 0, 1}, {Web, 3, 3, 1}, {Phone, 2, 40, 1}}
	r := Build(Filter{Period: Period{"2030-01-01", "2030-01-08"}, Weekday: 2}, Facts{Cells: cells, Parties: parties})
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
	if empty := Build(r.Filter,
		Facts{Cells: []Cell{{Date: "2030-01-01", Time: "12:00",
			Figures: Figures{Slots: 1, Capacity: 20}}}}); !empty.IsEmpty() || r.IsEmpty() ||
		empty.Total.AverageParty()+empty.Total.NoShowShare()+empty.Total.Served()+int(empty.Total.SellOutMean()) != 0 {
		t.Errorf("of nothing: %+v", empty.Total)
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
