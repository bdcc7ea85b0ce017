package reports

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"lunchgo/app/booking"
)

// Cell is the figures of one slot.
type Cell struct {
	Date booking.Date
	Time booking.TimeOfDay
	Figures
}

// Facts are what is stored about a period and the one before.
type Facts struct {
	Cells   []Cell    // of both periods, by date and time
	Parties []Parties // of the period that came or are expected
	Dishes  []Dish    // most ordered first
}

// GroupKind says by what parties are grouped.
type GroupKind string

// The kinds of groups. The value of BySource is a Source, of ByParty a number of people, of ByLead days from booking to
// coming.
const (
	BySource GroupKind = "source"
	ByParty  GroupKind = "party"
	ByLead   GroupKind = "lead"
)

// Parties is how many parties have source, size and lead in common.
type Parties struct {
	Source   Source
	Size     int
	LeadDays int // from booking to coming
	Count    int
}

// Group is how many parties of the period have one thing in common.
type Group struct {
	Kind            GroupKind
	Value           string // of BySource
	Number          int    // of ByParty and ByLead
	Parties, Covers int
}

// Dish is how often a dish was ordered by parties that came or are expected.
type Dish struct {
	MenuItemID int64
	Name       booking.Text
	Quantity   int
	Amount     int64 // won, at the prices of the orders
}

// Day is the figures of one date.
type Day struct {
	Date booking.Date
	Figures
}

// TimeOfDay is the figures of one slot time over all dates.
type TimeOfDay struct {
	Time booking.TimeOfDay
	Figures
}

// Report is a look back at a period.
type Report struct {
	Filter
	Total  Figures
	Past   Figures     // of the period before
	Days   []Day       // every date of the period that Filter admits
	Times  []TimeOfDay // that have a slot, ascending
	Cells  []Cell      // of the period
	Groups []Group     // by kind, ascending
	Dishes []Dish
}

// IsEmpty says whether there is nothing to see.
func (r Report) IsEmpty() bool {
	f := r.Total
	f.Slots, f.Capacity = 0, 0
	return f == Figures{}
}

// Build adds facts up. Nothing else is added up elsewhere: the total is the sum of the days, and of the times.
func Build(filter Filter, facts Facts) Report {
	r := Report{Filter: filter, Groups: group(facts.Parties), Dishes: facts.Dishes}
	days, times := map[booking.Date]Figures{}, map[booking.TimeOfDay]Figures{}
	for _, cell := range facts.Cells {
		if !filter.Contains(cell.Date) {
			r.Past = r.Past.Plus(cell.Figures)
			continue
		}
		r.Cells = append(r.Cells, cell)
		r.Total = r.Total.Plus(cell.Figures)
		days[cell.Date] = days[cell.Date].Plus(cell.Figures)
		times[cell.Time] = times[cell.Time].Plus(cell.Figures)
	}
	for date := filter.From; date <= filter.To; date = date.AddDays(1) {
		if filter.Weekday < 0 || int(weekday(date)) == filter.Weekday {
			r.Days = append(r.Days, Day{date, days[date]})
		}
	}
	for _, time := range slices.Sorted(maps.Keys(times)) {
		r.Times = append(r.Times, TimeOfDay{time, times[time]})
	}
	return r
}

// group adds parties up by each of the three.
func group(parties []Parties) []Group {
	type key struct {
		kind   GroupKind
		value  string
		number int
	}
	sums := map[key]Group{}
	add := func(k key, p Parties) {
		g := sums[k]
		sums[k] = Group{Kind: k.kind, Value: k.value, Number: k.number, Parties: g.Parties + p.Count,
			Covers: g.Covers + p.Count*p.Size}
	}
	for _, p := range parties {
		add(key{kind: BySource, value: string(p.Source)}, p)
		add(key{kind: ByParty, number: p.Size}, p)
		add(key{kind: ByLead, number: p.LeadDays}, p)
	}
	return slices.SortedFunc(maps.Values(sums), func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Number, b.Number), cmp.Compare(b.Covers, a.Covers),
			cmp.Compare(a.Value, b.Value))
	})
}

// Of are the groups of one kind.
func (r Report) Of(kind GroupKind) []Group {
	var groups []Group
	for _, g := range r.Groups {
		if g.Kind == kind {
			groups = append(groups, g)
		}
	}
	return groups
}

// leadBounds are how many days ahead parties booked at least, for the groups of Leads.
var leadBounds = [...]int{0, 1, 2, 4, 8, 15, 31}

// Lead is how many parties booked From to To days ahead; To is -1 for the last group, which has no end.
type Lead struct {
	From, To, Parties int
}

// Leads are the parties of ByLead in groups that grow with the days.
func (r Report) Leads() []Lead {
	leads := make([]Lead, len(leadBounds))
	for i, from := range leadBounds {
		leads[i] = Lead{From: from, To: -1}
		if i+1 < len(leadBounds) {
			leads[i].To = leadBounds[i+1] - 1
		}
	}
	for _, g := range r.Of(ByLead) {
		i := 0
		for i+1 < len(leads) && g.Number >= leads[i+1].From {
			i++
		}
		leads[i].Parties += g.Parties
	}
	return leads
}

// HeatCell is the covers of one weekday and slot time.
type HeatCell struct {
	Covers int
	Dates  int // on which there was such a slot
}

// Average is the covers of a date, rounded; 0 where there was no such slot.
func (h HeatCell) Average() int { return share(h.Covers, h.Dates, 1) }

// Heat is the covers by slot time, in the order of Times, and by weekday, Monday first.
func (r Report) Heat() [][7]HeatCell {
	rows := make([][7]HeatCell, len(r.Times))
	for _, cell := range r.Cells {
		row, _ := slices.BinarySearchFunc(r.Times, cell.Time, func(t TimeOfDay, time booking.TimeOfDay) int {
			return cmp.Compare(t.Time, time)
		})
		column := (int(weekday(cell.Date)) + 6) % 7
		rows[row][column].Covers += cell.Covers
		rows[row][column].Dates++
	}
	return rows
}

// WeekdayOf is the day of the week of a column of Heat.
func WeekdayOf(column int) time.Weekday { return time.Weekday((column + 1) % 7) }
