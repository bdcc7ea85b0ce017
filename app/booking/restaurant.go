package booking

import "time"

// Text is a sentence of the product's content in its two languages.
type Text struct {
	Ko string `json:"ko"`
	En string `json:"en"`
}

// In returns the text for a language tag ("ko" or "en"); Korean where the asked one is empty.
func (t Text) In(lang string) string {
	if lang == "en" && t.En != "" {
		return t.En
	}
	return t.Ko
}

// Defaults of a restaurant that says nothing else.
const (
	DefaultCapacity    = 20 // covers a slot
	DefaultSlotMinutes = 60
	DefaultHoldMinutes = 7
)

// Restaurant is a place that takes reservations, with the rules it takes them by.
type Restaurant struct {
	ID               int64
	Slug             string
	Name             Text
	Description      Text
	Address          Text
	District         string // key, e.g. "gangnam"
	Cuisine          string // key, e.g. "korean"
	Picture          string // name of a drawn picture
	Location         *time.Location
	Capacity         int   // covers a slot where the slot says nothing else
	SlotMinutes      int   // distance between two bookable times
	DepositPerPerson int64 // won, of parties smaller than those of the first of DepositTiers
	DepositTiers     []DepositTier
	StayTiers        []StayTier // for how many slots large parties stay; the others stay for one
	HoldMinutes      int        // how long a temporary reservation waits for its deposit
	ExtensionMinutes int        // by which a diner may prolong that, once; 0 for never
	PartyMin         int
	PartyMax         int
	LeadMinutes      int // how long before its start a slot stops taking reservations
	HorizonDays      int // how many days ahead may be booked
	Policy           Policy
	Hours            []Opening
	Closures         []Date
	Seats            SeatPlan // empty where it names none
	Floor            Floor
	Shadow           bool // made by a load test: bookable, never listed
}

// Opening is a span of a weekday in which slots start: the first at From, the last not after Last.
type Opening struct {
	Weekday time.Weekday
	From    TimeOfDay
	Last    TimeOfDay
}

// HoldTime is how long a temporary reservation holds its seats while it waits for payment.
func (r Restaurant) HoldTime() time.Duration { return time.Duration(r.HoldMinutes) * time.Minute }

// MenuItem is a dish or drink that may be chosen with the reservation.
type MenuItem struct {
	ID          int64
	Category    string // key, e.g. "main"
	Name        Text
	Description Text
	Price       int64 // won
	Picture     string
	StaySlots   int // for how many slots whoever orders it stays; 0 means as long as without it
	// DailyQuantity is how many portions a day has where staff say nothing else; 0 means any number.
	DailyQuantity int
}
