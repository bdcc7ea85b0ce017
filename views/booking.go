package views

import (
	"slices"
	"strconv"
	"time"

	"lunchgo/app/booking"
)

// BookingForm holds the answers of the booking form as they were typed.
type BookingForm struct {
	Date           string // YYYY-MM-DD
	Time           string // HH:MM
	Party          string
	Quantities     map[int64]string // by menu item
	Note           string
	Allergies      string
	Was            booking.Texts // of a change: the texts as the diner first saw them
	Coupon         string        // id of its campaign; empty for none
	Seats          []string      // ids
	Name           string        // with email and phone, of somebody who is not signed in
	Email          string
	Phone          string
	IdempotencyKey string // made by the server at the first rendering; each further one repeats it
}

// Booking is the booking form. Component: pages.Booking(views.Booking).
type Booking struct {
	Layout
	Restaurant *booking.Restaurant
	Form       BookingForm
	Errors     FieldErrors
	Problem    *BookingProblem        // why the last press did not lead to a reservation, nil at first
	Day        time.Time              // the chosen date
	FirstDate  time.Time              // the earliest and
	LastDate   time.Time              // the latest date that can be booked
	Slots      []Slot                 // of the chosen date, for the stay of the party and its dishes
	Hours      []booking.ServiceHours // of the day
	Stay       time.Duration          // of the party and its dishes; 0 for one slot
	Party      int                    // the chosen party, within the policy
	Seats      *SeatPicker            // nil where seats have no names
	Dishes     Dishes
	MenuTotal  int64 // of Form.Quantities, computed by the server
	Coupons    []CouponChoice
	Consent    Consent
	MaxNote    int // characters of note and of allergies
	// CannotTopUp says that no wallet is topped up here, and no provider takes what it lacks: a deposit is paid from
	// what is in it, or not at all.
	CannotTopUp bool
	Press       string // where the form goes; empty for ReserveURL
	SignInURL   string // leads back to the form, for somebody who is not signed in and has an account
	SignedOut   bool   // the session has ended since the form was opened
	MustSignIn  bool   // the same, and nobody books here without an account
}

// CouponChoice is a coupon that the diner has, and may use for the reservation.
type CouponChoice struct {
	CouponHead
	ID int64 // of its campaign
}

// LacksDeposit returns whether the deposit of a new reservation is more than the wallet holds, and can come to hold
// here.
func (b Booking) LacksDeposit() bool {
	return b.CannotTopUp && b.Press == "" && (b.BalanceKnown || !b.SignedIn()) && b.DepositToPay() > b.Balance
}

// Tier is the deposit that applies to the chosen party.
func (b Booking) Tier() booking.DepositTier { return b.Restaurant.DepositOf(b.Party) }

// Deposit is what the chosen party pays, without a coupon.
func (b Booking) Deposit() int64 { return b.Tier().For(b.Party) }

// Chosen is the slot of the chosen time; nil if there is none.
func (b Booking) Chosen() *Slot {
	for i := range b.Slots {
		if ClockValue(b.Slots[i].At) == b.Form.Time {
			return &b.Slots[i]
		}
	}
	return nil
}

// Bookable is the slot of the chosen time, if the party can have it; else nil.
func (b Booking) Bookable() *Slot {
	if slot := b.Chosen(); slot != nil && slot.CanBook(b.Party) {
		return slot
	}
	return nil
}

// AsksWhen returns whether date, party and time are still to be chosen, or there is something to read beside them: else
// they are folded.
func (b Booking) AsksWhen() bool {
	slot := b.Bookable()
	return slot == nil || slot.Steering.Opens() || slot.Steering.Paused || b.Press != "" ||
		b.Errors[FieldDate] != "" || b.Errors[FieldParty] != "" || b.Errors[FieldTime] != ""
}

// Coupon is the chosen one; nil for none.
func (b Booking) Coupon() *CouponChoice {
	for i := range b.Coupons {
		if strconv.FormatInt(b.Coupons[i].ID, 10) == b.Form.Coupon {
			return &b.Coupons[i]
		}
	}
	return nil
}

// DepositToPay is the deposit less what the chosen coupon takes off it.
func (b Booking) DepositToPay() int64 {
	if c := b.Coupon(); c != nil && c.Use == booking.OffDeposit {
		return max(b.Deposit()-c.Amount, 0)
	}
	return b.Deposit()
}

// HasDishes returns whether dishes are ordered ahead, or there is something wrong with them: else the menu is folded.
func (b Booking) HasDishes() bool {
	wrong := b.Errors[FieldMenu] != "" || len(b.Dishes.Errors) > 0
	for _, typed := range b.Form.Quantities {
		if typed != "" && typed != "0" {
			return true
		}
	}
	return wrong
}

// HasNotes returns whether there is a note to the restaurant, or something wrong with one: else its fields are
// folded.
func (b Booking) HasNotes() bool {
	return b.Form.Note != "" || b.Form.Allergies != "" || b.Errors[FieldNote] != "" || b.Errors[FieldAllergies] != ""
}

// Dishes is the menu within the booking form, with what is left on the day. While some of it is limited, htmx polls
// DishesURL into "#dishes"; where a dish is not served at every time, it also asks when another is chosen.
// Component: pages.Dishes(views.Dishes).
type Dishes struct {
	Lang        string
	Slug        string
	Day         time.Time
	At          booking.TimeOfDay // the chosen time; empty: none
	Menu        []MenuSection
	Quantities  map[int64]string // as typed, by menu item
	Errors      FieldErrors      // under ItemField
	MaxQuantity int              // of one dish
	Press       string           // as in Booking
}

// HasLimited returns whether the stock of a dish is limited.
func (d Dishes) HasLimited() bool { return d.has(func(i MenuItem) bool { return i.Stock >= 0 }) }

// DependsOnTime returns whether a dish is served to parties of some times only.
func (d Dishes) DependsOnTime() bool { return d.has(func(i MenuItem) bool { return i.Served != nil }) }

func (d Dishes) has(what func(MenuItem) bool) bool {
	return slices.ContainsFunc(d.Menu, func(s MenuSection) bool { return slices.ContainsFunc(s.Items, what) })
}

// IsServed returns whether a dish is served to a party of the chosen time, or no time is chosen.
func (d Dishes) IsServed(i MenuItem) bool { return d.At == "" || i.IsServedAt(d.At) }

// BookingProblem says why the server refused a booking whose form is valid (409).
type BookingProblem struct {
	Kind          OutcomeKind
	Remaining     int      // seats left, for OutcomeSoldOut
	ReservationID string   // the diner's own, for OutcomeDuplicate and OutcomeOverlapping
	Reason        string   // in a sentence, for the limits of an account
	Items         []string // the dishes and what is left of them, for OutcomeOutOfStock
	Seats         []string // labels of chosen seats that are taken, for OutcomeSeatTaken
	OtherSeats    []string // labels of free ones that fit best
	Alternatives  []Slot   // the nearest open slots
	WaitlistURL   string   // where the party can wait for seats, for OutcomeSoldOut
}
