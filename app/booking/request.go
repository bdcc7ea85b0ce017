package booking

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Limits of what a diner may write or order with a reservation.
const (
	MaxNoteRunes    = 500
	MaxItems        = 50
	MaxItemQuantity = 99
)

// Request is a checked request for a reservation, as it waits in the line. Server processes exchange it as JSON.
type Request struct {
	UserID         string        `json:"userId"` // who submits it: a diner, or a member of staff
	IdempotencyKey string        `json:"key"`
	Ticket         string        `json:"ticket"`
	Arrival        int64         `json:"arrival"`        // the line's arrival number, kept with the reservation
	Slot           SlotKey       `json:"slot"`           // in which the party arrives
	Stay           []TimeOfDay   `json:"stay,omitempty"` // times of the further slots of its stay, in order
	PartySize      int           `json:"partySize"`
	Items          []Item        `json:"items"` // merged by menu item, ascending, priced
	Note           string        `json:"note"`
	Allergies      string        `json:"allergies"`
	CouponID       int64         `json:"couponId,omitempty"` // campaign of the coupon to use; 0 for none
	SeatIDs        []int64       `json:"seatIds,omitempty"`  // ascending; empty: the restaurant chooses
	DepositAmount  int64         `json:"depositAmount"`
	HoldTime       time.Duration `json:"holdTime"`
	UnseenTime     time.Duration `json:"-"` // how long the hold lasts at most until the diner sees it; 0: they watch
	Policy         Policy        `json:"policy"`
	Change         *Change       `json:"change,omitempty"` // set when it replaces a reservation
	Guest          *Guest        `json:"guest,omitempty"`  // for whom the user books as staff; nil: for themselves
	// EndTime is when the party leaves, if staff give it its seats for a shorter stay only.
	EndTime TimeOfDay `json:"endTime,omitempty"`
	// Override is set when staff have the party seated over the plan, should the plan have no seats for it.
	Override *Override `json:"override,omitempty"`
	// Occupied are the named seats that a walk-in cannot have, since a party still sits there.
	Occupied []int64 `json:"occupied,omitempty"`
}

// MenuAmount returns the price of the chosen menu, in won.
func (r Request) MenuAmount() int64 {
	var sum int64
	for _, it := range r.Items {
		sum += it.UnitPrice * int64(it.Quantity)
	}
	return sum
}

// Draft is an unchecked request from a form or a program.
type Draft struct {
	RestaurantID int64
	Date         string
	Time         string
	PartySize    int
	Items        []DraftItem
	Note         string
	Allergies    string
	CouponID     int64   // 0 for none
	SeatIDs      []int64 // empty: the restaurant chooses
	CurrentSlot  SlotKey // the slot that the diner already has; it need not be bookable any more
	// CurrentStay has the times of the further slots that the diner already has; they stay where the party does for as
	// long, although the hours may have changed.
	CurrentStay []TimeOfDay

	passed int // minutes of the slot that are over when a walk-in sits down in it
}

// DraftItem is one order line of a Draft.
type DraftItem struct {
	MenuItemID int64
	Quantity   int
}

// Check turns a draft into a request that can enter the line. It checks the date, the slot, the party size, the texts,
// the items, which it merges, sorts and prices, and the seats. Returns *InvalidError with every invalid field.
func (d Draft) Check(r Restaurant, menu []MenuItem, now time.Time) (Request, error) {
	return d.check(r, menu, r.dinerRules(now))
}

// rules are what differs between the requests of diners and those of staff.
type rules struct {
	bookable           func(date Date, at TimeOfDay) error // returns the errors of CheckBookable
	partyMin, partyMax int
	byStaff            bool // a stay ends with the slots of its day, and chosen seats only have to suffice
}

func (r Restaurant) dinerRules(now time.Time) rules {
	return rules{bookable: func(date Date, at TimeOfDay) error { return r.CheckBookable(date, at, now) },
		partyMin: r.PartyMin, partyMax: r.PartyMax}
}

// staffRules are those of staff; begun says whether the slot may have begun.
func (r Restaurant) staffRules(now time.Time, begun bool) rules {
	return rules{bookable: func(date Date, at TimeOfDay) error { return r.checkBookableByStaff(date, at, now, begun) },
		partyMin: 1, partyMax: max(r.PartyMax, r.Capacity), byStaff: true}
}

func (d Draft) check(r Restaurant, menu []MenuItem, rules rules) (Request, error) {
	var faults []FieldError
	fault := func(field, reason string) { faults = append(faults, FieldError{Field: field, Reason: reason}) }

	date, dateErr := ParseDate(d.Date)
	if dateErr != nil {
		fault("date", "invalid_date")
	}
	at, timeErr := ParseTimeOfDay(d.Time)
	if timeErr != nil {
		fault("time", "invalid_time")
	}
	var whenErr error
	if dateErr == nil && timeErr == nil {
		slot := SlotKey{RestaurantID: r.ID, Date: date, Time: at}
		if whenErr = rules.bookable(date, at); whenErr != nil && d.CurrentSlot != slot {
			fault(bookableFault(whenErr))
		}
	}
	if d.PartySize < rules.partyMin || d.PartySize > rules.partyMax {
		faults = append(faults, FieldError{Field: "partySize", Reason: "out_of_range", Min: rules.partyMin,
			Max: rules.partyMax})
	}
	faults = append(faults, CheckNote("note", d.Note)...)
	faults = append(faults, CheckNote("allergies", d.Allergies)...)
	items, itemFaults := mergeItems(d.Items, menu, at)
	faults = append(faults, itemFaults...)
	slot := SlotKey{RestaurantID: r.ID, Date: date, Time: at}
	minutes := r.sincePassed(StayMinutes(r, slot, d.PartySize, orderedOf(items, menu)), d.passed)
	n := SlotsOfStay(minutes, r.SlotMinutes)
	stay, stayErr := r.stay(date, at, n, rules.byStaff)
	if d.CurrentSlot == slot && len(d.CurrentStay) == n-1 {
		stay, stayErr = d.CurrentStay, nil
	}
	if stayErr != nil && errors.Join(dateErr, timeErr) == nil && (whenErr == nil || d.CurrentSlot == slot) {
		fault("time", "stay_too_long")
	}
	seats, seatFaults := checkSeats(r.Seats, d.SeatIDs, d.PartySize, rules.byStaff)
	faults = append(faults, seatFaults...)
	if len(faults) > 0 {
		return Request{}, &InvalidError{Fields: faults}
	}
	return Request{
		Slot:          slot,
		Stay:          stay,
		PartySize:     d.PartySize,
		Items:         items,
		Note:          d.Note,
		Allergies:     d.Allergies,
		CouponID:      d.CouponID,
		SeatIDs:       seats,
		DepositAmount: r.DepositOf(d.PartySize).For(d.PartySize),
		HoldTime:      r.holdTime(),
		Policy:        r.Terms(d.PartySize).stayTerms(minutes, 1+len(stay)),
	}, nil
}

func bookableFault(err error) (field, reason string) {
	switch err {
	case ErrPast:
		return "time", "past"
	case ErrTooSoon:
		return "time", "too_soon"
	case ErrTooFar:
		return "date", "too_far"
	case ErrNoSuchTime:
		return "time", "no_such_time"
	default:
		return "time", "outside_hours"
	}
}

// Lines is a text of a form as it is stored: its lines end as elsewhere.
func Lines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// CheckNote returns what is wrong with a text of a diner or of staff.
func CheckNote(field, s string) []FieldError { return CheckLines(field, s, MaxNoteRunes) }

// CheckLines returns what is wrong with a text that may have several lines.
func CheckLines(field, s string, mostRunes int) []FieldError {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, isMisleading) {
		return []FieldError{{Field: field, Reason: "invalid_text"}}
	}
	if utf8.RuneCountInString(s) > mostRunes {
		return []FieldError{{Field: field, Reason: "too_long", Max: mostRunes}}
	}
	return nil
}

// isMisleading says whether a character ends a text where it goes on, or shows what follows it in another order: NUL,
// and Unicode's bidirectional controls.
func isMisleading(r rune) bool { return r == 0 || unicode.Is(unicode.Bidi_Control, r) }

// mergeItems sums order lines of the same item and sorts them by item, which is the order of storing and locking. Each
// is served to a party that comes at the time, if that is known.
func mergeItems(drafts []DraftItem, menu []MenuItem, comes TimeOfDay) ([]Item, []FieldError) {
	if len(drafts) > MaxItems {
		return nil, []FieldError{{Field: "items", Reason: "too_many", Max: MaxItems}}
	}
	var faults []FieldError
	merged := map[int64]Item{}
	for i, d := range drafts {
		at := slices.IndexFunc(menu, func(m MenuItem) bool { return m.ID == d.MenuItemID })
		if at < 0 {
			faults = append(faults, FieldError{Field: fmt.Sprintf("items[%d].menuItemId", i), Reason: "unknown"})
			continue
		}
		if comes != "" && !menu[at].IsServedAt(comes) {
			faults = append(faults, FieldError{Field: fmt.Sprintf("items[%d].menuItemId", i), Reason: "not_served"})
		}
		it := merged[d.MenuItemID]
		it.MenuItemID, it.Name, it.UnitPrice = d.MenuItemID, menu[at].Name, menu[at].Price
		if d.Quantity < 1 || d.Quantity > MaxItemQuantity || it.Quantity+d.Quantity > MaxItemQuantity {
			faults = append(faults, FieldError{Field: fmt.Sprintf("items[%d].quantity", i), Reason: "out_of_range",
				Min: 1, Max: MaxItemQuantity})
			continue
		}
		it.Quantity += d.Quantity
		merged[d.MenuItemID] = it
	}
	items := make([]Item, 0, len(merged))
	for _, it := range merged {
		items = append(items, it)
	}
	slices.SortFunc(items, func(a, b Item) int { return int(a.MenuItemID - b.MenuItemID) })
	return items, faults
}

// orderedOf returns the dishes of the menu that are among the order lines.
func orderedOf(items []Item, menu []MenuItem) []MenuItem {
	var ordered []MenuItem
	for _, dish := range menu {
		if slices.ContainsFunc(items, func(it Item) bool { return it.MenuItemID == dish.ID }) {
			ordered = append(ordered, dish)
		}
	}
	return ordered
}
