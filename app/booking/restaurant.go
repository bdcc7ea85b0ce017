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

// Settings are how a restaurant is shown, and whom it takes for how long.
type Settings struct {
	// English may be empty, as in the other texts
	Name Text `json:"name"`
	// Its part of its pages' addresses, e.g. damdam-bansang; empty or missing leaves it as it is. Addresses with earlier
	// ones go on leading to it.
	Slug        string `json:"slug,omitempty"`
	Description Text   `json:"description"`
	// Of its cooks, its house, its dishes. May be empty.
	Story   Text `json:"story,omitzero"`
	Address Text `json:"address"`
	// How to get there. May be empty.
	Directions Text   `json:"directions,omitzero"`
	Phone      string `json:"phone"` // may be empty
	// Key, e.g. gangnam; elsewhere for those without one.
	District string `json:"district"`
	// Key, e.g. korean; various for those without one.
	Cuisine string `json:"cuisine"`
	// What a meal costs: 1, inexpensive, to 4; none where it is not shown.
	PriceBand int `json:"priceBand,omitempty"`
	// Name of a drawn picture, or the hash of one that the restaurant has uploaded.
	Picture     string `json:"picture"`
	SlotMinutes int    `json:"slotMinutes"` // from one slot to the next
	// Covers of a slot. Coming slots follow it unless staff gave them their own, and never below their guests.
	Capacity int `json:"capacity"`
	// People who may be in the house at once: no override goes beyond it. 0: as many as have a seat.
	FireLimit int `json:"fireLimit,omitempty"`
	// How many people may begin their stay in one slot: diners cannot book beyond it, staff can. 0: any number.
	ArrivalsPerSlot int `json:"arrivalsPerSlot,omitempty"`
	PartyMin        int `json:"partyMin"`
	PartyMax        int `json:"partyMax"`
	// Before its start, when a slot stops taking reservations.
	LeadMinutes int `json:"leadMinutes"`
	// How many days ahead diners can book.
	HorizonDays int `json:"horizonDays"`
	// How long a temporary reservation waits for its deposit.
	HoldMinutes int `json:"holdMinutes"`
	// By which a hold can be extended, once; 0: never.
	ExtensionMinutes int `json:"extensionMinutes"`
}

// Restaurant is a restaurant with its rules for reservations.
type Restaurant struct {
	ID int64
	Settings
	Photos           []string // more pictures, in the order in which they are shown
	Location         *time.Location
	DepositPerPerson int64 // won, for parties smaller than the first of DepositTiers
	DepositTiers     []DepositTier
	StayTiers        []StayTier  // for how long parties stay from a size on; others stay for a slot
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
