package booking

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// A diner may have another time, party or menu instead of what is reserved. The reservation stays the same one, with its
// code and its state; what is new is held before what is old is freed. The rules are:
//
//   - What waits for payment may be changed while its hold lasts, and keeps the deadline of that. What is paid may be changed
//     until its slot begins, or until as many hours before as its terms say.
//   - The new costs what the restaurant asks now, and its terms are agreed anew. A change of nothing but the texts leaves
//     price and terms alone.
//   - What the new costs more is paid at once. When it costs less, of the difference comes back what the terms agreed
//     before would give back for a cancellation at that moment, and the restaurant keeps the rest.
//   - Nobody gets more back by changing first: of what is cancelled later comes back at most the share that a cancellation
//     would have given back at the moment of the change.
//   - A coupon goes on counting, however late it is, because it was used in time. When there is nothing left that it could
//     lower, it comes back.

// Why a reservation cannot be changed, besides ErrNotFound, ErrWrongState, ErrHoldExpired and ErrPast.
var (
	ErrTooLateToChange  = errors.New("booking: too close to the slot's start for a change")
	ErrNothingToChange  = errors.New("booking: it is reserved like that already")
	ErrChangedMeanwhile = errors.New("booking: the reservation is not what the diner saw any more")
)

// AmountChangedError says that a change costs more, or gives less back, than the diner was told. Nothing was changed.
type AmountChangedError struct {
	Amount int64 // won to pay now; negative for what comes back
}

func (e *AmountChangedError) Error() string {
	return fmt.Sprintf("booking: the change costs %d won by now, more than was told", e.Amount)
}

// Change says in a request which reservation it takes the place of, as that was when the diner was told what it costs.
type Change struct {
	ReservationID string    `json:"reservationId"`
	Number        int       `json:"number"` // how often it had been changed before
	From          []SlotKey `json:"from"`   // its slots
	FromParty     int       `json:"fromParty"`
	Quoted        int64     `json:"told"` // won that the diner was told to pay; negative for what comes back
}

// Further is how many seats a request takes of a slot besides those that are its diner's already.
func (r Request) Further(slot SlotKey) int {
	if r.Change != nil && slices.Contains(r.Change.From, slot) {
		return max(0, r.PartySize-r.Change.FromParty)
	}
	return r.PartySize
}

// ChangeDraft is what a diner wants instead, as it comes in from a form or a program. What is nil stays as it is.
type ChangeDraft struct {
	Date      *string
	Time      *string
	PartySize *int
	Items     *[]DraftItem
	SeatIDs   []int64 // none for those that it has, if they still do, or else the restaurant's choice
	Note      *string
	Allergies *string
	Quoted    int64
}

// Draft is what a reservation would be made by, changed as the diner wants.
func (d ChangeDraft) Draft(r Reservation) Draft {
	draft := Draft{RestaurantID: r.RestaurantID, Date: string(r.Slot.Date), Time: string(r.Slot.Time), PartySize: r.PartySize,
		Note: r.Note, Allergies: r.Allergies, CouponID: r.Discount.CouponID, SeatIDs: d.SeatIDs, Keeps: r.Slot}
	for _, it := range r.Items {
		draft.Items = append(draft.Items, DraftItem{MenuItemID: it.MenuItemID, Quantity: it.Quantity})
	}
	set(&draft.Date, d.Date)
	set(&draft.Time, d.Time)
	set(&draft.PartySize, d.PartySize)
	set(&draft.Items, d.Items)
	set(&draft.Note, d.Note)
	set(&draft.Allergies, d.Allergies)
	return draft
}

func set[T any](to *T, wanted *T) {
	if wanted != nil {
		*to = *wanted
	}
}

// CheckChange says whether a reservation whose slot begins at start may be changed at now. Returns ErrWrongState,
// ErrHoldExpired, ErrPast or ErrTooLateToChange.
func (r Reservation) CheckChange(start, now time.Time) error {
	bound := time.Duration(r.Policy.ChangeHours) * time.Hour
	switch {
	case r.State == Expired, r.State == Temporary && !r.Held(now):
		return ErrHoldExpired
	case r.State != Temporary && r.State != Confirmed && r.State != PrepaidConfirmed:
		return ErrWrongState
	case !now.Before(start):
		return ErrPast
	case start.Sub(now) < bound:
		return ErrTooLateToChange
	}
	return nil
}

// Revision is what a change makes of a reservation, and the money that it moves.
type Revision struct {
	Reservation
	Charge        int64 // won to pay now
	Refund        int64 // won that come back now
	Kept          int64 // won of the difference that the restaurant keeps
	ReturnsCoupon bool
	Passed        []string // entries of the waitlist that it was seated past
}

// Amount is what the diner pays now; negative for what comes back.
func (v Revision) Amount() int64 { return v.Charge - v.Refund }

// Check returns *AmountChangedError when the diner would pay more, or get less back, than they were told.
func (v Revision) Check(told int64) error {
	if v.Amount() > told {
		return &AmountChangedError{Amount: v.Amount()}
	}
	return nil
}

// Revise works out what a request makes at now of a reservation whose slot begins at start. Coupon are the terms of the
// coupon that it has, if it has one. Returns ErrNothingToChange.
func (r Reservation) Revise(req Request, coupon CouponTerms, start, now time.Time) (Revision, error) {
	next := Revision{Reservation: r}
	same := r.Slot == req.Slot && r.PartySize == req.PartySize && sameOrder(r.Items, req.Items)
	seated := len(req.SeatIDs) == 0 || slices.Equal(req.SeatIDs, r.SeatIDs())
	if same && seated && r.Note == req.Note && r.Allergies == req.Allergies {
		return Revision{}, ErrNothingToChange
	}
	next.Note, next.Allergies, next.Changes = req.Note, req.Allergies, r.Changes+1
	if same {
		return next, nil
	}
	next.Slot, next.Stay, next.PartySize, next.Items = req.Slot, req.Stay, req.PartySize, req.Items
	next.DepositAmount, next.MenuAmount = req.DepositAmount, req.MenuAmount()
	next.agree(r, req.Policy, start, now)
	if r.Discount.CouponID != 0 {
		var err error
		next.Discount, err = coupon.DiscountOn(req, r.CreatedAt)
		next.ReturnsCoupon = err != nil
	}
	next.PaidAmount = next.price()
	switch due := next.PaidAmount - r.PaidAmount; {
	case due > 0:
		next.Charge = due
	case due < 0:
		next.Refund = r.Policy.Refund(-due, start, now)
		next.Kept = -due - next.Refund
	}
	return next, nil
}

// agree puts the restaurant's terms of now in place of those of r. The hold goes on as it was agreed.
func (v *Revision) agree(r Reservation, terms Policy, start, now time.Time) {
	terms.HoldMinutes, terms.ExtensionMinutes = r.Policy.HoldMinutes, r.Policy.ExtensionMinutes
	if r.State != Temporary {
		terms = terms.capped(r.Policy.percent(start, now))
	}
	v.Policy = terms
}

// price is what a reservation in its state has to be paid with: nothing while it waits for payment.
func (r Reservation) price() int64 {
	switch r.State {
	case Confirmed:
		return r.DepositToPay()
	case PrepaidConfirmed:
		return max(r.MenuToPay(), r.DepositAmount) - r.Discount.off(OffDeposit)
	}
	return 0
}

func sameOrder(a, b []Item) bool {
	return slices.EqualFunc(a, b, func(x, y Item) bool { return x.MenuItemID == y.MenuItemID && x.Quantity == y.Quantity })
}
