package views

import (
	"time"

	"lunchgo/app/booking"
)

// Change is the form that changes the time, party or menu of a reservation. It is the booking form with other words.
// Component: pages.Change(views.Change).
type Change struct {
	Booking
	ReservationID string
	Now           ChangeSide // what is reserved
}

// ChangeSide is what is reserved before or after a change.
type ChangeSide struct {
	At    time.Time
	Until time.Time // the end of a stay over several slots; zero for one
	Party int
	Items []booking.Item
	Seats []string // labels; none where they have no names, or it is not known which
}

// ChangePreview says what a change would make of a reservation and what it costs, and asks whether to go on.
// Component: pages.ChangePreview(views.ChangePreview).
type ChangePreview struct {
	Layout
	ReservationID string
	Restaurant    *booking.Restaurant
	From, To      ChangeSide
	Texts         bool // note or allergies change
	Deposit       [2]int64
	MenuTotal     [2]int64
	Off           [2]int64 // by the coupon
	Unpaid        bool     // it waits for payment
	Amount        int64    // won to pay now; negative for what comes back
	Kept          int64    // won of the difference that the restaurant keeps
	CouponBack    bool
	Policy        booking.Policy // afterwards
	Changed       bool           // the amount differs from the one quoted before
	Errors        FieldErrors
	Form          BookingForm
	CannotTopUp   bool  // no wallet is topped up here
	Card          int64 // won of Amount that a payment provider takes; 0: the wallet pays, or lacks it
}

// IsShort returns whether the change costs more than is in the wallet: then topping up comes first, where that is
// possible.
func (p ChangePreview) IsShort() bool {
	return p.BalanceKnown && !p.Unpaid && p.Card == 0 && p.Amount > p.Balance
}

// PastChange is a line of a reservation's history.
type PastChange struct {
	When     time.Time
	From, To ChangeSide
	Charged  int64
	Refunded int64
	Kept     int64
}
