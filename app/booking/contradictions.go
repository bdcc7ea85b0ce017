package booking

import (
	"cmp"
	"slices"
	"time"
)

// Severity says what a contradiction in a restaurant's rules prevents.
type Severity string

// The severities. A restaurant with an error is not published.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Contradiction is a rule of a restaurant that cannot work beside another. Which numbers it has depends on its code.
type Contradiction struct {
	Code     string   `json:"code"`           // stable
	Severity Severity `json:"severity"`       // error: the restaurant is not published with it
	Document string   `json:"document"`       // that has the field
	Field    string   `json:"field"`          // as in the document
	Value    int      `json:"value"`          // what the field says, where it is a number
	Limit    int      `json:"limit"`          // what the other rule allows, where it is a number
	Date     Date     `json:"date,omitempty"` // the date, where it is about one
	// The last time that works, where it is about later ones.
	Time TimeOfDay `json:"time,omitempty"`
	Name Text      `json:"-"` // of the dish or service, where it is about one
}

// What contradictions are about, as the set-up names its documents.
const (
	DocSettings     = "settings"
	DocHours        = "hours"
	DocClosures     = "closures"
	DocDeposits     = "deposits"
	DocCancellation = "cancellation"
	DocMenu         = "menu"
	DocSeats        = "seats"
)

// NoPayments is that of a restaurant which asks for deposits where nobody can pay them.
var NoPayments = Contradiction{Code: "no_payments", Severity: SeverityError, Document: DocDeposits, Field: "tiers"}

// longFreeHold is how many minutes a hold without a deposit may last before it keeps seats from others for nothing.
const longFreeHold = 15

// Contradictions returns what in a restaurant's rules cannot work together at now: errors first, then in the order of
// the set-up.
func Contradictions(r Restaurant, menu []MenuItem, now time.Time) []Contradiction {
	c := checker{Restaurant: r, menu: menu, now: now}
	for _, check := range []func(*checker){
		(*checker).sizes, (*checker).seating, (*checker).horizon, (*checker).opening, (*checker).hold, (*checker).spans,
		(*checker).specialDays, (*checker).services,
		(*checker).stays, (*checker).deposits, (*checker).refunds, (*checker).dishes, (*checker).basics,
	} {
		check(&c)
	}
	slices.SortStableFunc(c.found, func(a, b Contradiction) int {
		return cmp.Compare(a.Severity, b.Severity) // "error" before "warning"
	})
	return c.found
}

// Blocks returns whether one of them keeps a restaurant from being published.
func Blocks(found []Contradiction) bool {
	return slices.ContainsFunc(found, func(c Contradiction) bool { return c.Severity == SeverityError })
}

// checker collects contradictions.
type checker struct {
	Restaurant
	menu  []MenuItem
	now   time.Time
	found []Contradiction
}

func (c *checker) fail(wrong bool, f Contradiction) {
	if wrong {
		f.Severity = SeverityError
		c.found = append(c.found, f)
	}
}

func (c *checker) warn(wrong bool, f Contradiction) {
	if wrong {
		f.Severity = SeverityWarning
		c.found = append(c.found, f)
	}
}

func (c *checker) sizes() {
	c.fail(len(c.Hours) > 0 && c.Capacity < 1,
		Contradiction{Code: "no_capacity", Document: DocSettings, Field: "capacity"})
	c.fail(c.PartyMax > c.Capacity && c.Capacity > 0, Contradiction{Code: "party_above_capacity", Document: DocSettings,
		Field: "partyMax", Value: c.PartyMax, Limit: c.Capacity})
	c.warn(c.ArrivalsPerSlot > 0 && c.PartyMax > c.ArrivalsPerSlot, Contradiction{Code: "party_above_arrivals",
		Document: DocSettings, Field: "partyMax", Value: c.PartyMax, Limit: c.ArrivalsPerSlot})
	c.fail(c.PartyMin > c.PartyMax, Contradiction{Code: "party_range", Document: DocSettings, Field: "partyMin",
		Value: c.PartyMin, Limit: c.PartyMax})
}

// seating compares the parties with the named seats that one party can have together.
func (c *checker) seating() {
	if len(c.Seats) == 0 {
		return
	}
	places := 0
	for _, seat := range c.Seats {
		places += seat.Places
	}
	largest := c.Seats.LargestParty(nil, c.PartyMax)
	c.fail(largest < c.PartyMin, Contradiction{Code: "seats_take_nobody", Document: DocSeats, Field: "seats",
		Value: c.PartyMin, Limit: largest})
	c.warn(largest >= c.PartyMin && largest < c.PartyMax,
		Contradiction{Code: "party_above_seats", Document: DocSettings,
			Field: "partyMax", Value: c.PartyMax, Limit: largest})
	c.warn(places < c.Capacity, Contradiction{Code: "capacity_above_seats", Document: DocSettings, Field: "capacity",
		Value: c.Capacity, Limit: places})
}

const minutesADay = 24 * 60

// horizon looks for a slot that can be booked: rules that leave none take no booking ever.
func (c *checker) horizon() {
	ahead := (c.HorizonDays + 1) * minutesADay
	c.fail(c.LeadMinutes >= ahead, Contradiction{Code: "horizon_below_lead", Document: DocSettings,
		Field: "horizonDays", Value: c.HorizonDays, Limit: c.LeadMinutes})
	if len(c.Hours) == 0 && len(c.SpecialDays) == 0 {
		c.fail(true, Contradiction{Code: "no_hours", Document: DocHours, Field: "weekly"})
		return
	}
	c.fail(c.LeadMinutes < ahead && !c.opensWithin(c.HorizonDays), Contradiction{Code: "no_slots", Document: DocHours,
		Field: "weekly", Limit: c.HorizonDays})
}

// opening looks for days that open after they can be booked, or before anybody sees them.
func (c *checker) opening() {
	if !c.OpeningRule.IsSet() {
		return
	}
	least, most := c.OpeningRule.daysAheadRange()
	ahead := least*minutesADay - c.OpeningRule.Time.Minutes() + c.earliest().Minutes()
	c.fail(c.LeadMinutes >= ahead, Contradiction{Code: "opening_after_lead", Document: DocSettings,
		Field: "openingRule.time", Value: ahead, Limit: c.LeadMinutes})
	c.warn(c.HorizonDays < most, Contradiction{Code: "opening_beyond_horizon", Document: DocSettings,
		Field: "horizonDays", Value: c.HorizonDays, Limit: most})
}

// earliest is the time of the earliest slot of any day.
func (r Restaurant) earliest() TimeOfDay {
	first := TimeOfDay("23:59")
	for _, span := range r.spans() {
		first = min(first, span.From)
	}
	return first
}

// opensWithin returns whether a slot of the coming days can still be booked.
func (c *checker) opensWithin(days int) bool {
	today := DateOf(c.now, c.Location)
	for n := range min(days, MaxHorizonDays) + 1 {
		date := today.AddDays(n)
		for _, at := range c.Times(date) {
			if n > 1 && c.LeadMinutes < minutesADay || c.CheckBookable(date, at, c.now) == nil {
				return true
			}
		}
	}
	return false
}

func (c *checker) hold() {
	longest := c.HoldMinutes + c.ExtensionMinutes
	c.warn(longest > c.LeadMinutes, Contradiction{Code: "hold_beyond_lead", Document: DocSettings, Field: "holdMinutes",
		Value: longest, Limit: c.LeadMinutes})
}

// spans looks for hours of a weekday that overlap, and for spans in which not even the shortest stay ends.
func (c *checker) spans() {
	for i, a := range c.Hours {
		overlaps := slices.ContainsFunc(c.Hours[i+1:], func(b Opening) bool {
			return a.Weekday == b.Weekday && a.From <= b.Last && b.From <= a.Last
		})
		c.fail(overlaps, Contradiction{Code: "hours_overlap", Document: DocHours, Field: "weekly",
			Value: int(a.Weekday)})
		stay := c.staysOf(c.FindService(a.Service)).minutes(c.PartyMin, c.SlotMinutes)
		slots, shortest := c.slotsOf(a.Span()), SlotsOfStay(stay, c.SlotMinutes)
		c.fail(slots < shortest, Contradiction{Code: "span_too_short", Document: DocHours, Field: "weekly",
			Value: shortest * c.SlotMinutes, Limit: slots * c.SlotMinutes})
		c.lastSlot(a.Span(), shortest, Contradiction{Document: DocHours, Field: "weekly", Value: stay})
	}
}

// lastSlot warns, once for all days alike, of a span in whose last slots not even the shortest stay, of some slots,
// ends.
func (c *checker) lastSlot(span Span, shortest int, f Contradiction) {
	slots := c.slotsOf(span)
	if shortest < 2 || slots < shortest {
		return
	}
	f.Code, f.Time = "last_slot_takes_nobody", timeOfDay(span.From.Minutes()+(slots-shortest)*c.SlotMinutes)
	alike := func(known Contradiction) bool {
		return known.Code == f.Code && known.Time == f.Time && known.Value == f.Value
	}
	c.warn(!slices.ContainsFunc(c.found, alike), f)
}

// slotsOf is how many slots a span has.
func (r Restaurant) slotsOf(span Span) int {
	if r.SlotMinutes < 1 || span.Last < span.From {
		return 0
	}
	return (span.Last.Minutes()-span.From.Minutes())/r.SlotMinutes + 1
}

func (c *checker) specialDays() {
	today := DateOf(c.now, c.Location)
	for _, day := range c.SpecialDays {
		c.warn(day.Date < today, Contradiction{Code: "special_past", Document: DocHours, Field: "special",
			Date: day.Date})
		closed := day.Date >= today && slices.Contains(c.Closures, day.Date)
		c.warn(closed, Contradiction{Code: "special_closed", Document: DocHours, Field: "special", Date: day.Date})
	}
}

// services looks for services that have no hours.
func (c *checker) services() {
	for _, service := range c.Services {
		c.warn(len(c.spansOf(service)) == 0, Contradiction{Code: "service_without_hours", Document: DocHours,
			Field: "services", Name: service.Name})
	}
}

// longestOf is how many slots of some spans follow one another at most.
func (r Restaurant) longestOf(spans []Span) int {
	longest := 0
	for _, span := range spans {
		longest = max(longest, r.slotsOf(span))
	}
	return longest
}

// spans are those of all weekdays and special days.
func (r Restaurant) spans() []Span {
	var spans []Span
	for _, o := range r.Hours {
		spans = append(spans, o.Span())
	}
	for _, day := range r.SpecialDays {
		spans = append(spans, day.Spans...)
	}
	return spans
}

// spansOf are those that belong to a service.
func (r Restaurant) spansOf(service Service) []Span {
	return slices.DeleteFunc(r.spans(), func(span Span) bool { return span.Service != service.Key })
}

// hasSlotIn returns whether a slot of any day is in a span.
func (r Restaurant) hasSlotIn(served Span) bool {
	return slices.ContainsFunc(r.spans(), func(span Span) bool {
		slots := append(r.StayFrom(span.From, r.slotsOf(span)), span.From)
		return slices.ContainsFunc(slots, served.Has)
	})
}

// stays looks for parties that stay longer than the restaurant opens, and for rules about parties that it does not
// take.
func (c *checker) stays() {
	c.staysWithin(c.Restaurant.spans(), c.StayTiers, Contradiction{Document: DocSettings, Field: "stays"})
	for _, service := range c.Services {
		c.staysWithin(c.spansOf(service), service.Stays, Contradiction{Document: DocHours, Field: "services"})
	}
}

func (c *checker) staysWithin(spans []Span, tiers []StayTier, found Contradiction) {
	longest := min(c.longestOf(spans), MaxStay)
	for _, tier := range tiers {
		if tier.FromParty > c.PartyMax {
			found.Code, found.Value, found.Limit = "stay_unused", tier.FromParty, c.PartyMax
			c.warn(true, found)
			continue
		}
		tier = tier.In(c.SlotMinutes)
		found.Code, found.Value, found.Limit = "stay_beyond_hours", tier.Minutes, longest*c.SlotMinutes
		c.fail(longest > 0 && found.Value > found.Limit, found)
	}
}

func (c *checker) deposits() {
	free := c.DepositOf(c.PartyMin).For(c.PartyMin) == 0
	c.warn(free && c.HoldMinutes > longFreeHold, Contradiction{Code: "free_long_hold", Document: DocSettings,
		Field: "holdMinutes", Value: c.HoldMinutes, Limit: longFreeHold})
	for _, tier := range c.DepositTiers {
		if tier.FromParty > c.PartyMax {
			c.warn(true, Contradiction{Code: "deposit_unused", Document: DocDeposits, Field: "tiers",
				Value: tier.FromParty, Limit: c.PartyMax})
			continue
		}
		before := tier.FromParty - 1
		drops := before >= c.PartyMin && tier.Kind != NoDeposit &&
			tier.For(tier.FromParty) < c.DepositOf(before).For(before)
		c.warn(drops, Contradiction{Code: "deposit_drops", Document: DocDeposits, Field: "tiers",
			Value: int(tier.For(tier.FromParty)), Limit: int(c.DepositOf(before).For(before))})
	}
}

// refunds looks for promises that nobody can use: nobody books that early.
func (c *checker) refunds() {
	earliest := (c.HorizonDays + 1) * 24
	for i, tier := range c.Policy.Tiers {
		c.warn(tier.HoursBefore > earliest, Contradiction{Code: "refund_beyond_horizon", Document: DocCancellation,
			Field: "refunds", Value: tier.HoursBefore, Limit: earliest})
		earlier := c.Policy.Tiers[max(0, i-1)].Percent
		c.warn(i > 0 && tier.Percent >= earlier, Contradiction{Code: "refund_rises", Document: DocCancellation,
			Field: "refunds", Value: tier.Percent, Limit: earlier})
	}
	if last := len(c.Policy.Tiers) - 1; last >= 0 {
		bound := c.Policy.Tiers[last].HoursBefore
		c.warn(bound*60 > c.LeadMinutes, Contradiction{Code: "refund_beyond_lead", Document: DocCancellation,
			Field: "refunds", Value: bound, Limit: c.LeadMinutes})
	}
	c.warn(c.Policy.ChangeHours > earliest, Contradiction{Code: "change_beyond_horizon", Document: DocCancellation,
		Field: "changeHours", Value: c.Policy.ChangeHours, Limit: earliest})
}

// dishes looks for dishes that take longer than the restaurant opens, or that are served while it takes nobody.
func (c *checker) dishes() {
	longest := c.longestOf(c.Restaurant.spans())
	for _, dish := range c.menu {
		takes, most := dish.In(c.SlotMinutes).StayMinutes, min(longest, MaxStay)*c.SlotMinutes
		c.warn(longest > 0 && takes > most, Contradiction{Code: "dish_beyond_hours", Document: DocMenu,
			Field: "items", Value: takes, Limit: most, Name: dish.Name})
		c.warn(longest > 0 && dish.Served != nil && !c.hasSlotIn(*dish.Served), Contradiction{Code: "dish_never_served",
			Document: DocMenu, Field: "items", Name: dish.Name})
	}
	c.warn(len(c.menu) == 0, Contradiction{Code: "no_menu", Document: DocMenu, Field: "items"})
}

func (c *checker) basics() {
	c.warn(c.Address.Ko == "", Contradiction{Code: "no_address", Document: DocSettings, Field: "address"})
	c.warn(c.Description.Ko == "", Contradiction{Code: "no_description", Document: DocSettings, Field: "description"})
}
