package booking

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// RestaurantState says who sees a restaurant.
type RestaurantState string

// The states of a restaurant. A draft is known to its staff and to operators only, and takes no reservations.
const (
	RestaurantDraft     RestaurantState = "draft"
	RestaurantPublished RestaurantState = "published"
)

// Bounds of a new restaurant.
const (
	MaxRestaurantName = 80 // runes
	MinSlotMinutes    = 5
	MaxSlotMinutes    = 240
	MaxDrafts         = 5 // of one person at a time
)

// Bounds of what an owner decides later.
const (
	MaxDescription = 1_000 // runes
	MaxStory       = 3_000 // runes
	MaxAddress     = 200   // runes
	MaxDirections  = 500   // runes
	MaxReason      = 100   // runes, of a closure
	MaxLeadMinutes = 14 * 24 * 60
	MaxHorizonDays = 365
	MaxServices    = 6
	MaxServiceName = 40
	MinHoldMinutes = 3
	MaxHoldMinutes = 60
	MaxExtension   = 60  // minutes
	MaxFreeCancel  = 120 // minutes
	MaxDeposit     = 1_000_000
	MaxTiers       = 10   // of deposits, refunds and stays each
	MaxRefundHours = 8760 // a year
	MaxSpansADay   = 6
	MaxSpecialDays = 100
	MaxClosures    = 100 // ranges
	MaxClosedDays  = 400 // of all ranges together
)

// NewRestaurant is what somebody says who opens a restaurant. It becomes a draft with the usual rules, which its staff
// change later.
type NewRestaurant struct {
	Name        string
	TimeZone    string // IANA name, e.g. "Asia/Seoul"
	Capacity    int    // covers of a slot
	SlotMinutes int    // between two bookable times
	PartyMax    int
	Deposit     int64 // won, of each person; 0: none
}

// UsualRestaurant is one for which nothing else is said.
func UsualRestaurant(name, timeZone string, capacity int) NewRestaurant {
	return NewRestaurant{Name: name, TimeZone: timeZone, Capacity: capacity, SlotMinutes: 60,
		PartyMax: max(1, min(8, capacity))}
}

// Check returns the draft, or *InvalidError with every invalid field.
func (n NewRestaurant) Check() (Restaurant, error) {
	var faults []FieldError
	fault := func(wrong bool, f FieldError) {
		if wrong {
			faults = append(faults, f)
		}
	}
	name := strings.TrimSpace(n.Name)
	fault(name == "", FieldError{Field: "name", Reason: "required"})
	fault(utf8.RuneCountInString(name) > MaxRestaurantName,
		FieldError{Field: "name", Reason: "too_long", Max: MaxRestaurantName})
	fault(!IsVisible(name), FieldError{Field: "name", Reason: "invalid_text"})
	zone, err := time.LoadLocation(n.TimeZone)
	fault(err != nil || n.TimeZone == "" || n.TimeZone == "Local", FieldError{Field: "timeZone", Reason: "unknown"})
	fault(n.Capacity < 1 || n.Capacity > MaxCapacity, FieldError{Field: "capacity", Reason: "out_of_range", Min: 1,
		Max: MaxCapacity})
	fault(n.SlotMinutes < MinSlotMinutes || n.SlotMinutes > MaxSlotMinutes,
		FieldError{Field: "slotMinutes", Reason: "out_of_range", Min: MinSlotMinutes, Max: MaxSlotMinutes})
	fault(n.Deposit < 0 || n.Deposit > MaxDeposit,
		FieldError{Field: "deposit", Reason: "out_of_range", Max: MaxDeposit})
	fault(n.PartyMax < 1 || n.PartyMax > MaxCapacity, FieldError{Field: "partyMax", Reason: "out_of_range", Min: 1,
		Max: MaxCapacity})
	if len(faults) > 0 {
		return Restaurant{}, &InvalidError{Fields: faults}
	}
	n.Name = name
	return n.draft(zone), nil
}

// draft is the restaurant with the usual rules. It has no hours, and so no slots, before its staff enter some.
func (n NewRestaurant) draft(zone *time.Location) Restaurant {
	return Restaurant{
		Location:         zone,
		DepositPerPerson: n.Deposit,
		Policy: Policy{Tiers: []RefundTier{{HoursBefore: 24, Percent: 100}, {HoursBefore: 1, Percent: 50}},
			FreeCancelMinutes: 15},
		Settings: Settings{Name: Text{Ko: n.Name, En: n.Name}, Capacity: n.Capacity,
			SlotMinutes: n.SlotMinutes, HoldMinutes: 7, ExtensionMinutes: 5, PartyMin: 1,
			PartyMax: n.PartyMax, LeadMinutes: 60, HorizonDays: 30},
	}
}

// IsVisible returns whether a name is text without characters that nobody sees or that turn the order of what follows.
func IsVisible(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) ||
			unicode.Is(unicode.Zp, r)
	})
}
