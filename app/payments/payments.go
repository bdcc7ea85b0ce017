// Package payments is the domain of money from cards and Korean wallets: what a payment is, which steps it takes, and
// what a payment provider has to answer. Money is integer won.
//
// Money is taken only when the seat is certain, and the seat is certain only when money will be taken. A provider first
// authorises a payment, while the hold lasts. One transaction then confirms the reservation and makes the payment
// Capturing; a job captures it until the provider answers. A refused capture gives the seats back.
//
// A change that costs more is paid in the same way. Once its payment is Authorised, the change enters the line of its
// slots, and the transaction of its turn makes the change and the payment Capturing, or else the payment Cancelled. A
// refused capture takes the change back; where the old seats are gone by then, the reservation is cancelled.
package payments

import (
	"slices"
	"time"

	"lunchgo/app/booking"
)

// State says how far a payment has come.
type State string

// The states of a payment.
const (
	Started        State = "started"         // the diner is at the provider's page, or on the way there
	Authorised     State = "authorised"      // the provider keeps the money ready, and the change waits for its turn
	Capturing      State = "capturing"       // the reservation is confirmed or changed, and the money is to be taken
	Paid           State = "paid"            // the provider has taken the money
	Refused        State = "refused"         // the provider takes no money; a refused capture has given the seats back
	Cancelled      State = "cancelled"       // nothing is taken: the window was left, came too late, or another one won
	Refunding      State = "refunding"       // the provider is to give money back
	Refunded       State = "refunded"        // all of it went back
	PartlyRefunded State = "partly_refunded" // some of it went back
)

// next are the states that may follow each state.
var next = map[State][]State{
	Started:        {Authorised, Capturing, Refused, Cancelled},
	Authorised:     {Capturing, Refused, Cancelled},
	Capturing:      {Paid, Refused, Cancelled},
	Paid:           {Refunding},
	Refunding:      {Refunded, PartlyRefunded, Paid},
	PartlyRefunded: {Refunding},
}

// MayBecome says whether a payment may go from one state to another.
func (s State) MayBecome(to State) bool { return slices.Contains(next[s], to) }

// TakesMoney says whether the provider has the diner's money, or will have it.
func (s State) TakesMoney() bool {
	switch s {
	case Capturing, Paid, Refunding, PartlyRefunded:
		return true
	}
	return false
}

// Payment is what a diner pays for a reservation through a provider. What the wallet has is used first; Amount is the
// rest. Its ID is also the provider's order id.
type Payment struct {
	ID            string              `json:"id"`
	ReservationID string              `json:"reservationId"`
	UserID        string              `json:"-"`
	Provider      string              `json:"-"` // its Name
	Kind          booking.PaymentKind `json:"kind"`
	Amount        int64               `json:"amount"` // won that the provider takes
	Total         int64               `json:"total"`  // won that the provider and the wallet pay together
	State         State               `json:"state"`
	Reference     string              `json:"-"` // the provider's own id; empty until it has given one
	Key           string              `json:"-"` // the idempotency key that began it
	CheckoutURL   string              `json:"-"` // where the diner's browser goes to pay: absolute, or a path of ours
	// What was paid with, by the provider's word, such as card; missing until it is known.
	Method string `json:"method,omitempty"`
	// Why it was refused or cancelled: left, expired, mismatch or returned, the code of a refusal, or the provider's
	// own word.
	Code      string    `json:"code,omitempty"`
	Returned  int64     `json:"refunded"`  // won that went back by the same way, or are on the way back
	ExpiresAt time.Time `json:"expiresAt"` // until when the seats were held
	CreatedAt time.Time `json:"createdAt"`

	Change *booking.PaidChange `json:"-"` // what it pays for, until that is decided; nil for none
}

// Order returns the order that the payment was begun with, as it is once its money is ready.
func (p Payment) Order() booking.PaymentOrder {
	return booking.PaymentOrder{ReservationID: p.ReservationID, UserID: p.UserID, Kind: p.Kind, IdempotencyKey: p.Key,
		Quoted: &p.Total, Card: p.Amount, PaymentID: p.ID, Change: p.Change}
}

// Missing returns how many won of a refused payment are where they should not be: it did not bring them, and they did
// not go back.
func (p Payment) Missing() int64 { return p.Amount - p.Returned }

// RefundWithout returns what comes back of a reservation that was paid with paid, and is to be refunded refund of it,
// once the payment is refused: what it did not bring, and of the rest the same share as of the whole.
func (p Payment) RefundWithout(paid, refund int64) int64 {
	missing := min(p.Missing(), paid)
	if paid == 0 {
		return refund
	}
	return missing + refund*(paid-missing)/paid
}

// minAmount is the least that a provider is asked to take, in won: less, they refuse. The wallet pays so much less.
const minAmount = 1_000

// ByCard returns how much of a total the provider takes where the wallet has a balance, in won; 0 if the wallet pays
// all.
func ByCard(total, balance int64) int64 {
	if balance >= total {
		return 0
	}
	return max(total-balance, min(minAmount, total))
}

// Refund is money of a payment that goes back the way it came.
type Refund struct {
	ID     string // also its idempotency key at the provider
	Amount int64  // won
	Reason string // for the provider's books, in the diner's language or English
}
