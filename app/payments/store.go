package payments

import (
	"context"
	"time"

	"lunchgo/app/booking"
)

// Store keeps payments, and what providers answered of them. Each method is a transaction.
type Store interface {
	// Begin stores a payment of what the diner's wallet cannot pay of an order, under the lock of its reservation, and
	// prolongs the hold if this is the reservation's first. A repeat with the same key returns the payment that is
	// there. Returns the errors of booking.Reservation.PaymentFor, booking.ErrNotFound when it is not the diner's,
	// booking.ErrKeyReused and ErrWalletPays; of a change those of booking.Reservation.CheckPaidChange instead of the
	// first.
	Begin(ctx context.Context, p NewPayment) (Payment, error)
	// Open stores where the diner pays.
	Open(ctx context.Context, id string, opened Opened) error
	// Find returns ErrNotFound if there is none with that id.
	Find(ctx context.Context, id string) (Payment, error)
	// FindUnderWay returns the newest payment of a reservation that its diner may have to go on with: Authorised, or
	// Started with an address to pay at. Returns ErrNotFound if there is none.
	FindUnderWay(ctx context.Context, reservationID string) (Payment, error)
	// Note adds what a provider answered to the record, which nobody changes. What it finds again as it was in its last
	// answer is not added.
	Note(ctx context.Context, answer Answer) error
	// Authorise confirms the reservation of a payment whose money is ready and makes the payment Capturing, both or
	// neither: the money enters the diner's wallet and pays the reservation from there. Seats that were given back are
	// taken again if they are free. A repeat changes nothing. Returns why the reservation cannot be confirmed, nothing
	// being changed: booking.ErrHoldExpired, booking.ErrAlreadyPaid, booking.ErrWrongState, an
	// *booking.AmountChangedError when the price is not the payment's Total any more, wallet.ErrBalanceTooLow.
	Authorise(ctx context.Context, p Payment, report Report) (booking.Reservation, error)
	// Ready makes a Started payment of a change Authorised. One that has gone on stays as it is.
	Ready(ctx context.Context, p Payment, report Report) error
	// End ends a payment that is Started or Authorised; any other stays as it is, but for End.Release of a Cancelled
	// one.
	End(ctx context.Context, id string, end End) error

	// Claim returns up to limit payments of which a step of that kind is due, and keeps others from claiming them for a
	// while.
	Claim(ctx context.Context, kind Step, limit int, lease time.Duration) ([]Due, error)
	// Rest has the next step of a claimed payment taken after a while; after 0 nothing is due any more. It does nothing
	// when the payment is in another state by now, or its next step was made due at another time.
	Rest(ctx context.Context, p Due, after time.Duration) error
	// Hasten has the next step of a Started, Authorised or Cancelled payment taken after a while, unless one is due
	// before. Money that comes for a cancelled one is let go.
	Hasten(ctx context.Context, id string, after time.Duration) error
	// Captured makes a Capturing payment Paid, or Refunding when some of it is to go back already.
	Captured(ctx context.Context, id string, report Report) error
	// RefuseCapture makes a Capturing payment Refused: it cancels the reservation, gives what the wallet paid back to
	// the wallet, and writes to the diner. A change it takes back instead, if its reservation was not changed since and
	// what it had is free still. Of a party that has come it only ends the payment. It returns the slots of the seats
	// that came free.
	RefuseCapture(ctx context.Context, id, code string) ([]booking.SlotKey, error)
	// Uncaptured makes a Capturing payment Cancelled that is to go back as a whole and was let go of instead.
	Uncaptured(ctx context.Context, id string) error
	// ListRefunds returns the refunds of a payment that the provider has not answered.
	ListRefunds(ctx context.Context, id string) ([]Refund, error)
	// Refunded notes that a refund was made. With its last one the payment is Refunded or PartlyRefunded.
	Refunded(ctx context.Context, id string, refund Refund) error
	// RefuseRefund notes that the provider refuses a refund: its money goes into the diner's wallet instead, and a
	// letter says so.
	RefuseRefund(ctx context.Context, id string, refund Refund, code string) error
}

// Changes makes the changes that payments pay for.
type Changes interface {
	// MakePaid enters the change of a payment whose money is ready into the line of its slots, or finds what became of
	// it, and returns whether it is made: by this payment, whose step the transaction of its turn takes, or by the
	// wallet under the same key. Returns why the change was refused, or cannot be entered.
	MakePaid(ctx context.Context, order booking.PaymentOrder) (made bool, err error)
}

// NewPayment is a payment to begin.
type NewPayment struct {
	ID       string
	Provider string
	Grace    time.Duration // prolongs the hold
	Order    booking.PaymentOrder
}

// End is how a payment ends before its money is taken.
type End struct {
	State   State // Refused or Cancelled
	Code    string
	Method  string // what was tried, where the provider says so
	Release bool   // the provider is to let go of the money
}

// Step is a kind of step that a job takes.
type Step string

// The kinds of steps: those of one do not wait for those of the other.
const (
	LookUps Step = "look-ups" // of payments that are Started or Authorised
	Moves   Step = "moves"    // of all others: captures, refunds, and what is let go of
)

// Due is a payment of which a step is due.
type Due struct {
	Payment
	Attempts int       // how often the step was claimed before
	DueAt    time.Time // when others may claim it
	Now      time.Time
}

// Answer is what a provider answered to a call, or that it did not.
type Answer struct {
	PaymentID string
	Call      string // begin, find, capture, cancel, refund
	Report
	Error string // for an answer that decides nothing
}
