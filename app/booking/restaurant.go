package booking

import (
	"encoding/json"
	"fmt"
	"time"
)

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
	DepositPerPerson int64 // won
	HoldMinutes      int   // how long a temporary reservation waits for its deposit
	PartyMin         int
	PartyMax         int
	LeadMinutes      int // how long before its start a slot stops taking reservations
	HorizonDays      int // how many days ahead may be booked
	Policy           Policy
	Hours            []Opening
	Closures         []Date
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

// Policy is a restaurant's rule of refunds, frozen into every reservation when it is made. Tiers are ordered by falling
// HoursBefore; a cancellation falls into the first tier whose bound it meets, and earns nothing after the last.
type Policy struct {
	Tiers []RefundTier `json:"tiers"`
}

// RefundTier returns Percent of what was paid to those who cancel at least HoursBefore hours before the slot.
type RefundTier struct {
	HoursBefore int `json:"hoursBefore"`
	Percent     int `json:"percent"`
}

// Refund says how many won of paid come back to someone who cancels at now a slot that starts at start. Rounded down.
func (p Policy) Refund(paid int64, start, now time.Time) int64 {
	left := start.Sub(now)
	for _, tier := range p.Tiers {
		if left >= time.Duration(tier.HoursBefore)*time.Hour {
			return paid * int64(tier.Percent) / 100
		}
	}
	return 0
}

// MarshalPolicy returns the policy as it is frozen into a reservation.
func (p Policy) MarshalPolicy() ([]byte, error) { return json.Marshal(p) }

// ParsePolicy reads what MarshalPolicy wrote.
func ParsePolicy(b []byte) (Policy, error) {
	var p Policy
	if err := json.Unmarshal(b, &p); err != nil {
		return Policy{}, fmt.Errorf("booking: policy: %w", err)
	}
	return p, nil
}

// MenuItem is a dish or drink that may be chosen with the reservation.
type MenuItem struct {
	ID          int64
	Category    string // key, e.g. "main"
	Name        Text
	Description Text
	Price       int64 // won
	Picture     string
	// DailyQuantity is how many portions a day has where staff say nothing else; 0 means any number.
	DailyQuantity int
}
