package booking

import (
	"fmt"
	"slices"
	"time"

	"lunchgo/app/refusal"
)

// A diner can change the time, party size or menu of a reservation. It keeps its id, code and state, and takes the new
// seats before it gives back the old ones. The rules:
//
//   - A temporary reservation can be changed while its hold lasts; the hold keeps its deadline. A paid reservation can be
//     changed until its slot begins, or until Policy.ChangeHours before that.
//   - The changed reservation has today's prices and terms. A change of the texts alone keeps price and terms.
//   - The diner pays a higher price at once. Of a lower price the diner gets back the share that the old terms refund for
//     a cancellation at that moment; the restaurant retains the rest.
//   - The time in which a reservation can be cancelled for free goes on as it was agreed: a change does not renew it.
//   - A change never raises a later refund: a later cancellation refunds at most the share that applied at the change.
//   - A coupon stays valid, even after its last day, because it was used in time. It returns to the diner when it no
//     longer lowers any price.

// Reasons why a reservation cannot be changed, besides ErrNotFound, ErrWrongState, ErrHoldExpired and ErrPast.
var (
	ErrTooLateToChange = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "too_late_to_change", Turn: true,
		Text: "booking: too close to the slot's start for a change"})
	ErrNothingToChange = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "nothing_to_change", Turn: true,
		Field: "form",
		Text:  "booking: the change equals the reservation"})
	ErrChangedMeanwhile = refusal.ChangedMeanwhile.Because("booking: the reservation has changed since the diner saw it")
)

// AmountChangedError reports that a change or payment costs more, or refunds less, than the quoted amount. Nothing
// changed.
type AmountChangedError struct {
	Amount int64 `json:"amount"` // won to pay now; negative for what comes back
}

// ErrAmountChanged is what an *AmountChangedError unwraps to.
var ErrAmountChanged = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "amount_changed", Turn: true,
	Field: "form", Unchanged: "unchanged_amount", New: func() error { return new(AmountChangedError) },
	Text: "booking: the amount is more than quoted"})

func (e *AmountChangedError) Unwrap() error { return ErrAmountChanged }

// Phrase implements refusal.Phrased.
func (e *AmountChangedError) Phrase() (string, []any) { return "", []any{"Amount", e.Amount} }

func (e *AmountChangedError) Error() string {
	return fmt.Sprintf("booking: the amount is %d won now, more than quoted", e.Amount)
}

// Change names the reservation that a request replaces, as it was when the diner saw the quote.
type Change struct {
	ReservationID string    `json:"reservationId"`
	Number        int       `json:"number"` // earlier changes of it
	From          []SlotKey `json:"from"`   // its slots
	FromParty     int       `json:"fromParty"`
	Quoted        int64     `json:"quoted"` // won to pay as quoted to the diner; negative for a refund
	ByStaff       bool      `json:"byStaff,omitempty"`
	Diner         string    `json:"diner,omitempty"` // whose reservation staff change; empty: a guest's
	// Offered says that the diner takes another time that the restaurant has offered.
	Offered bool `json:"offered,omitempty"`
	// Read are the texts that the request was made of: one that it leaves as it is does not undo what staff correct
	// meanwhile. nil: those of the request count.
	Read *Texts `json:"read,omitempty"`
	// PaymentID is of the payment that has what the wallet lacks; empty: the wallet pays.
	PaymentID string `json:"paymentId,omitempty"`
	// Undo is what a change goes back to whose payment was refused; nil for any other.
	Undo *Reservation `json:"-"`
}

// Texts are what a diner writes with a reservation.
type Texts struct {
	Note      string `json:"note,omitempty"`
	Allergies string `json:"allergies,omitempty"`
}

// texts are those of a reservation after a request.
func (r Reservation) texts(req Request) Texts {
	texts := Texts{req.Note, req.Allergies}
	if req.Change == nil || req.Change.Read == nil {
		return texts
	}
	if texts.Note == req.Change.Read.Note {
		texts.Note = r.Note
	}
	if texts.Allergies == req.Change.Read.Allergies {
		texts.Allergies = r.Allergies
	}
	return texts
}

// AdditionalSeats returns how many seats a request takes in a slot in addition to those that its diner already holds
// there.
func (r Request) AdditionalSeats(slot SlotKey) int {
	if r.Change != nil && slices.Contains(r.Change.From, slot) {
		return max(0, r.PartySize-r.Change.FromParty)
	}
	return r.PartySize
}

// ChangeDraft is an unchecked change from a form or a program. A nil field stays as it is.
type ChangeDraft struct {
	Date      *string
	Time      *string
	PartySize *int
	Items     *[]DraftItem
	SeatIDs   []int64 // empty: the present seats if they still fit, else the restaurant's choice
	Note      *string
	Allergies *string
	Quoted    int64
	PaymentID string `json:"-"` // as in Change
	Seen      *int   `json:"-"` // earlier changes of the reservation, as its diner saw it; nil: as it is
}

// Draft returns the draft of the changed reservation.
func (d ChangeDraft) Draft(r Reservation) Draft {
	draft := Draft{RestaurantID: r.RestaurantID, Date: string(r.Slot.Date), Time: string(r.Slot.Time),
		PartySize: r.PartySize, Note: r.Note, Allergies: r.Allergies, CouponID: r.Discount.CouponID, SeatIDs: d.SeatIDs,
		CurrentSlot: r.Slot, CurrentStay: r.Stay}
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

// CategoryRetired is the category of a dish that only a reservation still has.
const CategoryRetired = "retired"

// MenuFor returns a menu with the reservation's own dishes that are not on it any more, so that a change can keep them:
// for the price that was agreed, and for the stay that the reservation has. Likewise it keeps, at any time, those that
// are not served any more at the reservation's own.
func (r Reservation) MenuFor(menu []MenuItem) []MenuItem {
	all := slices.Clone(menu) // others read it
	for _, it := range r.Items {
		at := slices.IndexFunc(menu, func(m MenuItem) bool { return m.ID == it.MenuItemID })
		switch {
		case at < 0:
			all = append(all, MenuItem{ID: it.MenuItemID, Category: CategoryRetired, Name: it.Name, Price: it.UnitPrice,
				StaySlots: len(r.Slots()), StayMinutes: r.agreedMinutes()})
		case !menu[at].IsServedAt(r.Slot.Time):
			all[at].Served = nil
		}
	}
	return all
}

// agreedMinutes is for how many minutes the party stays, where that was agreed and is not the length of its slots.
func (r Reservation) agreedMinutes() int {
	minutes := r.StayMinutes()
	if minutes == len(r.Slots())*r.SlotMinutes {
		return 0
	}
	return minutes
}

func set[T any](to *T, wanted *T) {
	if wanted != nil {
		*to = *wanted
	}
}

// CheckChange returns nil if a reservation whose slot begins at start can be changed at now, else ErrWrongState,
// ErrHoldExpired, ErrPast or ErrTooLateToChange.
func (r Reservation) CheckChange(start, now time.Time) error {
	bound := time.Duration(r.Policy.ChangeHours) * time.Hour
	switch {
	case r.State == Expired, r.State == Temporary && !r.IsHeld(now):
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

// Revision is the reservation after a change, and the money that the change moves.
type Revision struct {
	Reservation
	Charge        int64 // won to pay now
	Refund        int64 // won to refund now
	Retained      int64 // won of the difference that the restaurant retains
	ReturnsCoupon bool
	Passed        []string // ids of the waitlist entries that it overtakes
	Reseated      bool     // it was given its seats anew: over the plan if Overridden, else within it
	Overridden    bool
}

// Amount returns what the diner pays now; negative for a refund.
func (v Revision) Amount() int64 { return v.Charge - v.Refund }

// Check returns *AmountChangedError when the diner would pay more, or get less back, than quoted.
func (v Revision) Check(quoted int64) error {
	if v.Amount() > quoted {
		return &AmountChangedError{Amount: v.Amount()}
	}
	return nil
}

// Revise computes the reservation after a change at now; its present slot begins at start. coupon has the terms of its
// coupon, if it has one. Returns ErrNothingToChange.
func (r Reservation) Revise(req Request, coupon CouponTerms, start, now time.Time) (Revision, error) {
	next := Revision{Reservation: r}
	same := r.Slot == req.Slot && r.PartySize == req.PartySize && sameOrder(r.Items, req.Items)
	seated := len(req.SeatIDs) == 0 || slices.Equal(req.SeatIDs, r.SeatIDs())
	texts := r.texts(req)
	if same && seated && texts == (Texts{r.Note, r.Allergies}) {
		return Revision{}, ErrNothingToChange
	}
	next.Note, next.Allergies, next.Changes = texts.Note, texts.Allergies, r.Changes+1
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
		next.Refund = min(r.refund(-due, start, now), r.Left())
		next.Retained = -due - next.Refund
	}
	return next, nil
}

// agree replaces the terms of r by the restaurant's present terms. The hold and the time for a
// free cancellation keep their length.
func (v *Revision) agree(r Reservation, terms Policy, start, now time.Time) {
	terms.HoldMinutes, terms.ExtensionMinutes = r.Policy.HoldMinutes, r.Policy.ExtensionMinutes
	terms.FreeCancelMinutes = r.Policy.FreeCancelMinutes
	if r.State != Temporary {
		terms = terms.capped(r.percent(start, now))
	}
	v.Policy = terms
}

// price returns what a reservation in its state costs: nothing while it waits for payment.
func (r Reservation) price() int64 {
	switch r.State {
	case Confirmed:
		return r.DepositToPay()
	case PrepaidConfirmed:
		return max(r.menuToPay(), r.DepositAmount) - r.Discount.off(OffDeposit)
	}
	return 0
}

func sameOrder(a, b []Item) bool {
	return slices.EqualFunc(a, b, func(x, y Item) bool {
		return x.MenuItemID == y.MenuItemID && x.Quantity == y.Quantity
	})
}
