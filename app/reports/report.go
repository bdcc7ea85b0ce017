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
	Cells   []Cell       // of both periods, by date and time
	Parties []Parties    // of the period
	Dishes  []Dish       // most ordered first
	Since   booking.Date // of the first slot of which anything is stored
	Turns   []Turn       // of the period
	Guests  Guests       // of the period
	Tables  []Table      // of the period, that somebody had
}

// GroupKind says by what parties are grouped.
type GroupKind string

// The kinds of groups. The value of BySource is a Source, of ByPayment Paid or Unpaid, of ByParty a number of people,
// of ByLead days from booking to coming.
const (
	BySource  GroupKind = "source"
	ByPayment GroupKind = "payment"
	ByParty   GroupKind = "party"
	ByLead    GroupKind = "lead"
)

// The values of ByPayment: whether a party had paid a deposit, or its menus, before it was to come.
const (
	Paid   = "paid"
	Unpaid = "unpaid"
)

// Parties is how many parties have source, size, lead and payment in common.
type Parties struct {
	Source   Source
	Size     int
	LeadDays int // from booking to coming
	Paid     bool
	Count    int // that came or are expected
	NoShows  int // that did not come
}

// Group is how many parties of the period have one thing in common.
type Group struct {
	Kind            GroupKind
	Value           string // of BySource and ByPayment
	Number          int    // of ByParty and ByLead
	Parties, Covers int
	NoShows         int // of BySource and ByPayment: parties that did not come
}

// NoShowShare is the share of no-shows, in thousandths, as Figures.NoShowShare.
func (g Group) NoShowShare() int { return share(g.NoShows, g.Parties+g.NoShows, 1000) }

// Turn is how many parties of a size stayed for so many minutes, from when they were seated until they left. Only
// parties that staff marked both times are known.
type Turn struct {
	Size, Minutes, Count int
}

// Guests are the parties that came or are expected, by whether their guest had come on an earlier day. A guest is an
// account, or a phone number.
type Guests struct {
	New       int `json:"new"`
	Returning int `json:"returning"`
	Unknown   int `json:"unknown"` // neither account nor number
}

// ReturningShare is the share of guests that came back among those who are known, in thousandths.
func (g Guests) ReturningShare() int { return share(g.Returning, g.New+g.Returning, 1000) }

// Table is a named seat, and in how many slots somebody had it.
type Table struct {
	SeatID int64
	Label  string
	Slots  int
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
	Total Figures
	Past  Figures // of the period before
	// Comparable says that the period before is covered: something is stored from its first open day on.
	Comparable bool
	Since      booking.Date // of the first slot of which anything is stored; empty if nothing was read
	Days       []Day        // every date of the period that Filter admits
	Times      []TimeOfDay  // that have a slot, ascending
	Cells      []Cell       // of the period, of which something is stored
	Groups     []Group      // by kind, ascending
	Dishes     []Dish
	Turns      []TurnTime // by party size
	Guests     Guests
	Tables     []Table // of the restaurant as it is now, in its order; those that nobody had among them

	turns []Turn
}

// TurnTime is for how many minutes half of the parties of a size stayed at most.
type TurnTime struct {
	Size, Parties, Minutes int
}

// IsEmpty says whether there is nothing to see.
func (r Report) IsEmpty() bool {
	f := r.Total
	f.Slots, f.Capacity, f.OpenSlots, f.SeatMinutesOpen = 0, 0, 0, 0
	return f == Figures{}
}

// Build adds facts up. Nothing else is added up elsewhere: the total is the sum of the days, and of the times.
func Build(of booking.Restaurant, filter Filter, facts Facts) Report {
	r := Report{Filter: filter, Groups: group(facts.Parties), Dishes: facts.Dishes, Guests: facts.Guests,
		Turns: turnTimes(facts.Turns), Tables: tables(of, facts.Tables), turns: facts.Turns,
		Comparable: isCovered(of, filter, facts.Since), Since: facts.Since}
	days, times := map[booking.Date]Figures{}, map[booking.TimeOfDay]Figures{}
	add := func(cell Cell) {
		if !filter.Contains(cell.Date) {
			r.Past = r.Past.Plus(cell.Figures)
			return
		}
		r.Total = r.Total.Plus(cell.Figures)
		days[cell.Date] = days[cell.Date].Plus(cell.Figures)
		times[cell.Time] = times[cell.Time].Plus(cell.Figures)
	}
	for _, cell := range facts.Cells {
		add(cell)
		if filter.Contains(cell.Date) {
			r.Cells = append(r.Cells, cell)
		}
	}
	for _, cell := range emptyCells(of, filter, facts) {
		add(cell)
	}
	for date := filter.From; date <= filter.To; date = date.AddDays(1) {
		if filter.admits(date) {
			r.Days = append(r.Days, Day{date, days[date]})
		}
	}
	for _, time := range slices.Sorted(maps.Keys(times)) {
		r.Times = append(r.Times, TimeOfDay{time, times[time]})
	}
	return r
}

// isCovered returns whether something is stored, since a date, from the first day of the period before on that was
// open: else it is compared with a time that is shorter than it says.
func isCovered(of booking.Restaurant, filter Filter, since booking.Date) bool {
	before := filter.Before()
	if since == "" || since > before.To {
		return false
	}
	for date := before.From; date < since; date = date.AddDays(1) {
		if filter.admits(date) && len(of.Times(date)) > 0 {
			return false
		}
	}
	return true
}

// emptyCells are the slots of both periods that were open without anything being stored of them: by the hours that the
// restaurant has now, from the first day of which anything is stored.
func emptyCells(of booking.Restaurant, filter Filter, facts Facts) (cells []Cell) {
	type slot struct {
		date booking.Date
		time booking.TimeOfDay
	}
	stored := map[slot]bool{}
	for _, cell := range facts.Cells {
		stored[slot{cell.Date, cell.Time}] = true
	}
	if facts.Since == "" {
		return nil
	}
	for date := max(facts.Since, filter.Before().From); date <= filter.To; date = date.AddDays(1) {
		if !filter.admits(date) {
			continue
		}
		for _, time := range of.Times(date) {
			if (filter.Time == "" || filter.Time == time) && !stored[slot{date, time}] {
				cells = append(cells, Cell{date, time,
					Figures{OpenSlots: 1, SeatMinutesOpen: of.EmptySlot(date).Capacity * of.SlotMinutes}})
			}
		}
	}
	return cells
}

// tables are all tables of a restaurant, with the slots of those that somebody had.
func tables(of booking.Restaurant, had []Table) (all []Table) {
	for _, seat := range of.Seats {
		table := Table{SeatID: seat.ID, Label: seat.Label}
		if i := slices.IndexFunc(had, func(t Table) bool { return t.SeatID == seat.ID }); i >= 0 {
			table.Slots = had[i].Slots
		}
		all = append(all, table)
	}
	return all
}

// TableUse is the share of the open slots in which somebody had a table, in thousandths.
func (r Report) TableUse(t Table) int { return share(t.Slots, r.Total.OpenSlots, 1000) }

// Turn is the turn time of parties of all sizes; Size is 0.
func (r Report) Turn() TurnTime { return turnTime(0, r.turns) }

// turnTimes are the turn times by party size, ascending.
func turnTimes(turns []Turn) (all []TurnTime) {
	bySize := map[int][]Turn{}
	for _, t := range turns {
		bySize[t.Size] = append(bySize[t.Size], t)
	}
	for _, size := range slices.Sorted(maps.Keys(bySize)) {
		all = append(all, turnTime(size, bySize[size]))
	}
	return all
}

// turnTime is the median of turns; of an even number the mean of both in the middle.
func turnTime(size int, turns []Turn) TurnTime {
	of := TurnTime{Size: size}
	for _, t := range turns {
		of.Parties += t.Count
	}
	turns = slices.SortedFunc(slices.Values(turns), func(a, b Turn) int { return cmp.Compare(a.Minutes, b.Minutes) })
	lower, passed := 0, 0
	for _, t := range turns {
		if passed <= (of.Parties-1)/2 {
			lower = t.Minutes
		}
		if passed <= of.Parties/2 {
			of.Minutes = (lower + t.Minutes + 1) / 2
		}
		passed += t.Count
	}
	return of
}

// group adds parties up by each of the four.
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
			Covers: g.Covers + p.Count*p.Size, NoShows: g.NoShows + p.NoShows}
	}
	for _, p := range parties {
		add(key{kind: BySource, value: string(p.Source)}, p)
		add(key{kind: ByPayment, value: paymentOf(p)}, p)
		if p.Count == 0 {
			continue
		}
		add(key{kind: ByParty, number: p.Size}, p)
		add(key{kind: ByLead, number: p.LeadDays}, p)
	}
	return slices.SortedFunc(maps.Values(sums), func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Number, b.Number), cmp.Compare(b.Covers, a.Covers),
			cmp.Compare(a.Value, b.Value))
	})
}

func paymentOf(p Parties) string {
	if p.Paid {
		return Paid
	}
	return Unpaid
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
		column := (int(cell.Date.Weekday()) + 6) % 7
		rows[row][column].Covers += cell.Covers
		rows[row][column].Dates++
	}
	return rows
}

// WeekdayOf is the day of the week of a column of Heat.
func WeekdayOf(column int) time.Weekday { return time.Weekday((column + 1) % 7) }
