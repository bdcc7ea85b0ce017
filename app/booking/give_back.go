package booking

import (
	"fmt"

	"lunchgo/app/refusal"
)

// GiveBack is money of a reservation's payment that staff give back, whatever its terms say.
type GiveBack struct {
	ReservationID string
	StaffID       string
	Key           string // idempotency key of the member of staff
	Amount        int64  // won
	Reason        string // for the diner
	Left          *int64 // won that staff saw to be left; nil if they saw nothing
}

// MoreThanLeftError reports that less is left of a payment than is to be given back. Nothing changed.
type MoreThanLeftError struct {
	Left int64 `json:"left"` // won
}

// ErrMoreThanLeft is what a *MoreThanLeftError unwraps to.
var ErrMoreThanLeft = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "more_than_left", Field: "amount",
	New: func() error { return new(MoreThanLeftError) }, Text: "booking: more than is left of the payment"})

func (e *MoreThanLeftError) Unwrap() error { return ErrMoreThanLeft }

// Phrase implements refusal.Phrased.
func (e *MoreThanLeftError) Phrase() (string, []any) { return "", []any{"Amount", e.Left} }

func (e *MoreThanLeftError) Error() string {
	return fmt.Sprintf("booking: only %d won are left of the payment", e.Left)
}

// Left returns what of a reservation's payment is neither back nor to come back, in won.
func (r Reservation) Left() int64 { return max(0, r.PaidAmount-r.RefundAmount-r.GivenBack) }

// CheckGiveBack returns why staff cannot give so much back: ErrChangedMeanwhile when something else is left than they
// saw, and *MoreThanLeftError.
func (r Reservation) CheckGiveBack(g GiveBack) error {
	switch left := r.Left(); {
	case g.Left != nil && *g.Left != left:
		return ErrChangedMeanwhile
	case g.Amount > left:
		return &MoreThanLeftError{Left: left}
	}
	return nil
}
