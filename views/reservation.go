package views

import (
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reviews"
)

// Visit is where and when a party comes.
type Visit struct {
	Restaurant *booking.Restaurant
	At         time.Time
	Until      time.Time // the end of a stay over several slots; zero for one
	Party      int
}

// AskedDeposit is what the restaurant asks such a party for, in won.
func (v Visit) AskedDeposit() int64 { return v.Restaurant.DepositOf(v.Party).For(v.Party) }

// Booked is what pages say of a reservation, and of one that a change leads to.
type Booked struct {
	ReservationID string
	Visit
	Seats []string // labels; none where they have no names
}

// Payment is the page on which a diner pays a temporary reservation: from the wallet, whose balance is the Layout's,
// and what that lacks through a payment provider where there is one. Component: pages.Payment(views.Payment).
type Payment struct {
	Layout
	Booked
	Items          []booking.Item
	Deposit        int64  // to be paid: less what a coupon takes off it
	MenuTotal      int64  // 0 when no dish was chosen: then only the deposit can be paid
	Prepay         int64  // what paying the whole menu in advance costs, less a coupon: never less than the deposit
	PaymentID      string // of a payment that is under way; empty if none is
	Cards          bool   // a provider takes what the wallet lacks: so much of the deposit, so much of Prepay
	DepositByCard  int64
	PrepayByCard   int64
	Policy         booking.Policy // as it was at the booking
	Discount       booking.Discount
	Kind           string // KindDeposit or KindPrepay: the one that is chosen
	HoldExpiresAt  time.Time
	Now            time.Time // the server's clock, which sets the countdown in the browser
	MoreMinutes    int       // by which the diner can still prolong the time to pay; 0 for none
	Extended       bool      // the diner has prolonged it
	IdempotencyKey string
	Charge         ChargeForm // shown when the balance is too low and no provider takes the rest; returns here
	Errors         FieldErrors
}

// Shortage is what has to be put into the wallet before it can pay an amount, 0 if it is enough or a provider takes the
// rest.
func (p Payment) Shortage(amount int64) int64 {
	if p.Cards {
		return 0
	}
	return max(amount-p.Balance, 0)
}

// Reservation is the page of one reservation. Component: pages.Reservation(views.Reservation); what is shown at the
// door is pages.Pass(views.Reservation).
type Reservation struct {
	Layout
	booking.Reservation
	Restaurant *booking.Restaurant
	At         time.Time
	Until      time.Time // the end of a stay over several slots; zero for one
	Now        time.Time
	QR         [][]bool // modules of the QR code, row by row, true for dark; nil for none
	Changeable bool     // it may still be changed
	History    []PastChange
	Pager      Pager        // of History
	GoogleURL  string       // adds the visit to a calendar at Google
	PaymentID  string       // of a payment that is under way, of a hold; empty if none is
	Cancel     *CancelOffer // nil when it cannot be cancelled any more
	Push       Push         // to whom the evening before, and what is urgent, can be pushed
	Keep       Keep
	ForOthers  string          // the address of the link for those who come along; empty where nobody does
	Review     *reviews.Review // the diner's own; nil for none
	Reviewable bool            // it has none, and may have one
	MoveOffer  string          // the day on which the restaurant offers another time; empty: none waits for an answer
	Withdrawn  bool            // what the restaurant had offered instead
}

// CostsNothing says whether a reservation was made for nothing: no deposit was asked, and nothing paid.
func (r Reservation) CostsNothing() bool { return r.DepositAmount == 0 && r.PaidAmount == 0 }

// CancelOffer is what a cancellation would give back; the page shows it before the click.
type CancelOffer struct {
	Refund    int64
	Percent   int
	FreeUntil time.Time // it is free until then, because it was confirmed a short while ago; zero: for no such reason
	Coupon    bool      // the one that was used
}

// Cancel asks whether to cancel, for browsers without JavaScript. Component: pages.Cancel(views.Cancel).
type Cancel struct {
	Layout
	Booked
	Paid    int64
	Offer   CancelOffer
	Changed bool // less comes back than the page quoted before
}

// Reservations lists a diner's reservations. Component: pages.Reservations(views.Reservations).
type Reservations struct {
	Layout
	Lines    []WaitPlace      // places in lines, the oldest first
	Offers   []WaitlistRow    // offers of the waitlist that wait for an answer
	Upcoming []ReservationRow // soonest first
	Waits    []WaitlistRow    // places on waitlists
	Ended    []ReservationRow // cancelled or expired before their time came, latest first
	Past     []ReservationRow // latest first

	Keep        Keep
	Later       bool // not the first page of what is over: the rest is not shown
	ComingPager Pager
	PastPager   Pager
}

// SetWaits sorts a diner's places on waitlists: those with an offer come first. The temporary reservation behind an
// offer leaves the list, because it is the offer.
func (r *Reservations) SetWaits(rows []WaitlistRow) {
	for _, row := range rows {
		if row.Offer == "" {
			r.Waits = append(r.Waits, row)
			continue
		}
		r.Offers = append(r.Offers, row)
		r.Upcoming = slices.DeleteFunc(r.Upcoming, func(own ReservationRow) bool { return own.ID == row.ReservationID })
	}
}

// ReservationRow is a reservation in a list.
type ReservationRow struct {
	ID string
	Visit
	State         booking.State
	HoldExpiresAt time.Time // for booking.Temporary
	Reviewable    bool      // it has no review, and may have one
}
