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
	Told          int64     `json:"told"` // won that the diner was told to pay; negative for what comes back
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
	Told      int64
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

// ChangeState is what a turn reads, under the locks of all that a change moves, before it decides.
type ChangeState struct {
	Reservation Reservation
	Start       time.Time             // of its slot
	Now         time.Time             // by the database's clock
	Slots       map[SlotKey]Occupancy // those that are asked for, its own seats among the held ones
	Plan        SeatPlan              // of the restaurant
	Duplicate   string                // another live reservation of the diner in one of them
	Stock       Stock                 // what is left on the day asked for, its own portions added
	Coupon      CouponTerms           // of the coupon that it has
	Waitlist    Waitlist              // those who wait for seats in one of the slots asked for
	Rooms       map[TimeOfDay]Room    // other slots that some of them need as well
}

// DecideChange says what becomes of a reservation. Like Decide it reads nothing but its arguments, and is right while the
// locks are held. Returns ErrChangedMeanwhile, the errors of CheckChange and Revise, those of Decide, and
// *AmountChangedError.
func DecideChange(state ChangeState, req Request) (Revision, error) {
	r := state.Reservation
	if r.Changes != req.Change.Number {
		return Revision{}, ErrChangedMeanwhile
	}
	if err := r.CheckChange(state.Start, state.Now); err != nil {
		return Revision{}, err
	}
	next, err := r.Revise(req, state.Coupon, state.Start, state.Now)
	if err != nil {
		return Revision{}, err
	}
	if !slices.Equal(r.Slots(), next.Slots()) || r.PartySize != next.PartySize || len(req.SeatIDs) > 0 {
		err = state.seat(&next, req)
	} else if short := state.Stock.short(req.Items); len(short) > 0 {
		err = &OutOfStockError{Items: short}
	}
	if err != nil {
		return Revision{}, err
	}
	return next, next.Check(req.Change.Told)
}

// seat gives a changed party its seats, or says why it gets none.
func (s ChangeState) seat(next *Revision, req Request) (err error) {
	others := s.others(req)
	if err := refuse(others, req, s.Duplicate != ""); err != nil {
		return err
	}
	if next.Seats, err = others.seatsAfter(s.Reservation, next.Reservation, req.SeatIDs); err != nil {
		return err
	}
	next.Passed = s.passed(req)
	return nil
}

// asked is the state of the slots asked for, as it is.
func (s ChangeState) asked(slots []SlotKey) SlotState {
	asked := SlotState{Plan: s.Plan, Stock: s.Stock, Waitlist: s.Waitlist, Rooms: s.Rooms}
	for _, slot := range slots {
		asked.Slots, asked.Times = append(asked.Slots, s.Slots[slot]), append(asked.Times, slot.Time)
	}
	return asked
}

// others is the state of the slots asked for as if the reservation were not there: what is its own is there to be had again,
// also of a slot that is closed, and is not the waitlist's.
func (s ChangeState) others(req Request) SlotState {
	r := s.Reservation
	others := s.asked(req.Slots()).seenBy(r.UserID)
	others.Slots = slices.Clone(others.Slots)
	for i, slot := range req.Slots() {
		if !slices.Contains(r.Slots(), slot) {
			continue
		}
		o := &others.Slots[i]
		o.Held -= r.PartySize
		if r.State == Temporary {
			o.OnHold -= r.PartySize
		}
		o.Seats = o.Seats.without(r.SeatIDs())
		o.Closed = o.Closed && req.Further(slot) > 0
	}
	return others
}

// passed are the entries of the waitlist that a change is seated past: where it takes seats that it did not have.
func (s ChangeState) passed(req Request) []string {
	asked := s.asked(req.Slots())
	var times []TimeOfDay
	for _, slot := range req.Slots() {
		if req.Further(slot) > 0 {
			times = append(times, slot.Time)
		}
	}
	if len(times) == 0 || len(s.Waitlist) == 0 {
		return nil
	}
	return slices.Clone(s.Waitlist.Without(s.Reservation.UserID)).Pass(times, s.Plan, asked.rooms())
}

// After is how full the slots of a turn are once the reservation has become another, and what of that is the waitlist's.
func (s ChangeState) After(slots []SlotKey, is Reservation) []Occupancy {
	after := s.asked(slots)
	for i, slot := range slots {
		after.Slots[i] = after.Slots[i].after(slot, s.Reservation, is)
	}
	after.keepPromises()
	return after.Slots
}

// after is how full a slot is once a reservation has become another.
func (o Occupancy) after(slot SlotKey, was, is Reservation) Occupancy {
	if slices.Contains(was.Slots(), slot) {
		o.Held -= was.PartySize
		o.Seats = o.Seats.without(was.SeatIDs())
	}
	if slices.Contains(is.Slots(), slot) {
		o.Held += is.PartySize
		o.Seats = o.Seats.With(is.SeatIDs())
	}
	return o
}

// seatsAfter gives a changed party its named seats: those that it chooses now, or else those that it had if they are free and
// still do, or else the best that are free.
func (s SlotState) seatsAfter(r, next Reservation, chosen []int64) ([]ReservedSeat, error) {
	had := r.SeatIDs()
	if len(chosen) == 0 && s.canKeep(had, next.PartySize) {
		return r.Seats, nil
	}
	ids, err := s.seatsFor(Request{PartySize: next.PartySize, SeatIDs: chosen})
	if err != nil {
		return nil, err
	}
	var seats []ReservedSeat
	for _, id := range ids {
		seat, _ := s.Plan.Find(id)
		seats = append(seats, ReservedSeat{ID: id, Label: seat.Label, Chosen: len(chosen) > 0})
	}
	return seats, nil
}

// canKeep says whether a party may keep seats that it has, and nobody else has them in another slot.
func (s SlotState) canKeep(ids []int64, party int) bool {
	all := AllOf(s.Slots)
	for _, id := range ids {
		if s.Plan.find(id) < 0 || all.Seats.Has(id) {
			return false
		}
	}
	if len(ids) == 0 {
		return false
	}
	_, wrong := s.Plan.fault(ids, party)
	return !wrong
}

// without returns the seats that are taken by others than whoever has some.
func (t TakenSeats) without(ids []int64) TakenSeats {
	return slices.DeleteFunc(slices.Clone(t), func(use SeatUse) bool { return slices.Contains(ids, use.ID) })
}
