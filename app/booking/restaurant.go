package booking

import (
	"strings"
	"time"
)

// Text is a text of a restaurant in Korean and English.
type Text struct {
	Ko string `json:"ko"`
	En string `json:"en"` // may be empty: readers of English see the Korean text then
}

// In returns the text for a language tag ("ko" or "en"); Korean if there is no English text.
func (t Text) In(lang string) string {
	if lang == "en" && t.En != "" {
		return t.En
	}
	return t.Ko
}

// Trimmed returns the text without space around it.
func (t Text) Trimmed() Text { return Text{Ko: strings.TrimSpace(t.Ko), En: strings.TrimSpace(t.En)} }

// Restaurant is a restaurant with its rules for reservations.
type Restaurant struct {
	ID               int64
	Slug             string
	Name             Text
	Description      Text
	Story            Text // of its cooks, its house; may be empty
	Address          Text
	Directions       Text     // how to get there; may be empty
	District         string   // key, e.g. "gangnam"
	Cuisine          string   // key, e.g. "korean"
	PriceBand        int      // what a meal costs: 1, inexpensive, to MaxPriceBand; 0: the owner says none
	Phone            string   // may be empty
	Picture          string   // name of a drawn picture, or the hash of an uploaded one
	Photos           []string // more of them, in the order in which they are shown
	Location         *time.Location
	Capacity         int   // covers of a slot without a capacity of its own
	FireLimit        int   // people who may be in the house at once; 0: as many as have a seat
	ArrivalsPerSlot  int   // people who may begin their stay in one slot; 0: any number
	SlotMinutes      int   // between two bookable times
	DepositPerPerson int64 // won, for parties smaller than the first of DepositTiers
	DepositTiers     []DepositTier
	StayTiers        []StayTier // for how long parties stay from a size on; others stay for a slot
	HoldMinutes      int        // how long a temporary reservation waits for its deposit
	ExtensionMinutes int        // by which a diner can extend the hold, once; 0: never
	PartyMin         int
	PartyMax         int
	LeadMinutes      int         // before its start, when a slot stops taking reservations
	HorizonDays      int         // how many days ahead diners can book
	OpeningRule      OpeningRule // when days begin to take reservations
	Policy           Policy
	Hours            []Opening
	Services         []Service    // such as lunch and dinner; empty: the day is one
	SpecialDays      []SpecialDay // by date
	Closures         []Date
	ClosureReasons   map[Date]string // of those that have one
	Seats            SeatPlan        // empty: the restaurant sells covers without named seats
	Floor            Floor
	Shadow           bool // belongs to a load test: bookable, never listed
	Draft            bool // known to its staff and to operators only
	Unpublished      bool // an operator took it off the public pages; it is Stopped too
	Stopped          bool // it takes no new reservations, in no slot, until staff let it go on
	StopReason       string
	Rating           Rating
}

// Rating is what the public reviews of a restaurant sum up to.
type Rating struct {
	Stars   int64 // of all of them; 1 to 5 each
	Reviews int
}

// Average is the mean of the stars, 1 to 5; 0 without reviews.
func (r Rating) Average() float64 { return float64(r.Stars) / float64(max(r.Reviews, 1)) }

// MaxPriceBand is the dearest.
const MaxPriceBand = 4

// EmptySlot returns the occupancy of a slot of a date about which nothing is stored.
func (r Restaurant) EmptySlot(date Date) Occupancy {
	o := r.Planned(date, Occupancy{Capacity: r.Capacity, ArrivalLimit: r.ArrivalsPerSlot})
	if r.Stopped {
		o.Closed, o.Stopped, o.Reason = true, true, r.StopReason
	}
	return o
}

// Opening is a span of a weekday in which slots start: the first at From, the last not after Last.
type Opening struct {
	Weekday time.Weekday `json:"weekday"` // Sunday is 0
	From    TimeOfDay    `json:"from"`    // the first slot
	Last    TimeOfDay    `json:"last"`    // the last slot starts then at the latest
	// The key of the service that it belongs to; missing for none.
	Service string `json:"service,omitempty"`
}

// Span is when slots start on such a day.
func (o Opening) Span() Span { return Span{From: o.From, Last: o.Last, Service: o.Service} }

// Span is a span of a date in which slots start: the first at From, the last not after Last.
type Span struct {
	From TimeOfDay `json:"from"` // the first slot, HH:MM
	Last TimeOfDay `json:"last"` // the last slot starts then at the latest, HH:MM
	// The key of the service that it belongs to; missing for none.
	Service string `json:"service,omitempty"`
}

// Has returns whether a slot that starts at a time is in the span.
func (s Span) Has(at TimeOfDay) bool { return s.From <= at && at <= s.Last }

// SpecialDay is a date with hours of its own, in place of those of its weekday. On a closed date it has no effect.
type SpecialDay struct {
	Date  Date   `json:"date"`
	Spans []Span `json:"spans"`
}

// holdTime returns how long a temporary reservation holds its seats while it waits for payment.
func (r Restaurant) holdTime() time.Duration { return time.Duration(r.HoldMinutes) * time.Minute }
