package booking

import (
	"errors"
	"slices"
	"time"

	"lunchgo/app/refusal"
)

// ErrBalanceTooLow reports that a change costs more than the diner's wallet has.
var ErrBalanceTooLow = refusal.BalanceTooLow.Because("booking: the change costs more than the wallet has")

// Changing is a reservation that a run changes, as it is under the lock of its row.
type Changing struct {
	Reservation
	Start time.Time // of its slot
	Lines []Line
	// Offered says that staff offer another time instead.
	Offered bool
}

// Line is a dish of a reservation.
type Line struct {
	MenuItemID int64 `json:"menuItemId"`
	Quantity   int   `json:"quantity"`
	FromStock  bool  `json:"fromStock"` // it was limited when it was ordered
}

// Changed is a change that a run makes.
type Changed struct {
	Revision
	Was      Reservation
	Lines    []Line    // of the dishes that it has now
	Portions []Portion // by which stock changes
}

// Portion is by how much the stock of a dish on a day changes.
type Portion struct {
	Date       Date
	MenuItemID int64
	Quantity   int // negative when it is taken
}

// change decides a request that changes a reservation, and applies it to the state.
func (s *SlotState) change(req Request) Outcome {
	out := Outcome{Request: req, ReservationID: req.Change.ReservationID}
	was, known := s.Changing[req.Change.ReservationID]
	past, repeated := s.Past[req.Submission()]
	seen := was.Changes == req.Change.Number
	switch {
	case !known || was.UserID != req.Diner() || was.RestaurantID != req.Slot.RestaurantID:
		out.Err = ErrNotFound
	case repeated && (seen || !past.Matches(req)):
		out.Err = ErrKeyReused
	case repeated:
		out.Existing = &was.Reservation
	case !seen || !slices.Equal(was.Slots(), req.Change.From):
		out.Err = ErrChangedMeanwhile
	default:
		s.decideChange(was, &out)
	}
	return out
}

func (s *SlotState) decideChange(was Changing, out *Outcome) {
	state := s.changeState(was, out.Request)
	next, err := DecideChange(state, out.Request)
	if err == nil && next.State == Temporary && !out.Request.IsByStaff() {
		err = s.tooManyInSlots(was.UserID, additionalCovers(was.Reservation, out.Request))
	}
	if err == nil {
		err = s.checkMoney(next, out.Request.Change)
	}
	if err != nil {
		if out.Err = err; errors.Is(err, ErrDuplicate) {
			out.ReservationID = state.Duplicate
		}
		return
	}
	out.Changed, out.Passed = &Changed{Revision: next, Was: was.Reservation}, next.Passed
	out.Overridden = next.Overridden
	out.Changed.moveDishes(was, state.Stock)
	s.replace(out.Changed, out.Request)
}

// checkMoney returns ErrBalanceTooLow when there is not the money for a change, and *AmountChangedError when it costs
// another amount than the one that its payment was authorised for.
func (s *SlotState) checkMoney(next Revision, change *Change) error {
	card, ready := s.Cards[change.PaymentID]
	switch {
	case change.PaymentID != "" && !ready:
		return ErrBalanceTooLow
	case change.PaymentID != "" && next.Amount() != change.Quoted:
		return &AmountChangedError{Amount: next.Amount()}
	case next.Amount() > 0 && next.Amount() > s.Balances[next.UserID]+card:
		return ErrBalanceTooLow
	}
	return nil
}

// additionalCovers returns by how many covers a change has more in each requested slot.
func additionalCovers(was Reservation, req Request) []int {
	more := make([]int, 0, len(req.Slots()))
	for _, slot := range req.Slots() {
		covers := req.PartySize
		if slices.Contains(was.Slots(), slot) {
			covers -= was.PartySize
		}
		more = append(more, covers)
	}
	return more
}

// changeState returns what DecideChange needs, as it is when the turn comes to the request.
func (s *SlotState) changeState(was Changing, req Request) ChangeState {
	state := ChangeState{Reservation: was.Reservation, Start: was.Start, Offered: was.Offered, Now: s.Now, Plan: s.Plan,
		Slots: map[SlotKey]Occupancy{}, Stock: s.Stock.clone(), Waitlist: s.Waitlist, Vacancies: s.Vacancies,
		Limits: s.Limits, FireLimit: s.FireLimit, Diner: s.Diners[was.UserID], NextStart: s.Start, NextEnd: s.End,
		Coupon: s.Coupons[Owner{was.UserID, was.Discount.CouponID}].CouponTerms}
	for i, slot := range req.Slots() {
		state.Slots[slot] = s.Slots[i]
	}
	for _, live := range s.Live[was.UserID] {
		if live.ID != was.ID {
			state.Duplicate = live.ID
		}
	}
	if was.Slot.Date == req.Slot.Date {
		state.Stock.free(was.Lines, req.Items)
	}
	return state
}

// free makes portions of a reservation available for what it is changed to: those that came from the stock; of a dish
// that was not limited when it was ordered, as many as were ordered then.
func (s Stock) free(lines []Line, wanted []Item) {
	for _, line := range lines {
		left, limited := s[line.MenuItemID]
		switch {
		case limited && line.FromStock:
			s[line.MenuItemID] = left + line.Quantity
		case limited && quantityOf(wanted, line.MenuItemID) <= line.Quantity:
			delete(s, line.MenuItemID)
		}
	}
}

func quantityOf(items []Item, id int64) int {
	for _, it := range items {
		if it.MenuItemID == id {
			return it.Quantity
		}
	}
	return 0
}

// moveDishes sets the lines of the changed reservation, and what goes back into stock less what is taken from it. stock
// is what the change could take from.
func (c *Changed) moveDishes(was Changing, stock Stock) {
	for _, line := range was.Lines {
		if line.FromStock {
			c.Portions = append(c.Portions, Portion{was.Slot.Date, line.MenuItemID, line.Quantity})
		}
	}
	for _, it := range c.Items {
		_, limited := stock[it.MenuItemID]
		c.Lines = append(c.Lines, Line{it.MenuItemID, it.Quantity, limited})
		if limited {
			c.Portions = append(c.Portions, Portion{c.Slot.Date, it.MenuItemID, -it.Quantity})
		}
	}
}

// replace applies a change to the state.
func (s *SlotState) replace(c *Changed, req Request) {
	s.Changing[c.ID] = Changing{Reservation: c.Reservation, Start: s.Start, Lines: c.Lines}
	s.Past[req.Submission()] = PastChange{ReservationID: c.ID,
		To: Agreed{Slot: c.Slot, PartySize: c.PartySize, Items: c.Items}}
	s.Balances[c.UserID] += s.Cards[req.Change.PaymentID] - c.Amount()
	for _, portion := range c.Portions {
		if left, limited := s.Stock[portion.MenuItemID]; limited && portion.Date == c.Slot.Date {
			s.Stock[portion.MenuItemID] = left + portion.Quantity
		}
	}
	more := additionalCovers(c.Was, req)
	for i, slot := range req.Slots() {
		s.Slots[i] = s.Slots[i].replaced(slot, c.Was, c.Reservation)
		if c.State == Temporary {
			s.Unconfirmed.add(c.UserID, i, more[i])
		}
	}
	for _, slot := range c.Was.Slots() {
		room, listed := s.Vacancies[slot.Time]
		if listed && slot.Date == req.Slot.Date && !slices.Contains(c.Slots(), slot) {
			s.Vacancies[slot.Time] = room.without(slot, c.Was)
		}
	}
	others := slices.DeleteFunc(slices.Clone(s.Live[c.UserID]), func(r Reservation) bool { return r.ID == c.ID })
	s.Live[c.UserID] = append(others, c.Reservation)
	s.follow(c)
}

// follow keeps the waitlist as the database does: a diner who moves into a slot does not wait for it any more.
func (s *SlotState) follow(c *Changed) {
	for i := range s.Waitlist {
		if slices.Contains(c.Passed, s.Waitlist[i].ID) {
			s.Waitlist[i].Passes++
		}
	}
	if c.Was.Slot != c.Slot {
		s.Waitlist = slices.DeleteFunc(s.Waitlist, func(entry WaitingEntry) bool {
			return entry.UserID == c.UserID && slices.Contains(entry.Times, c.Slot.Time)
		})
	}
}

// replaced returns the occupancy of a slot after one reservation has replaced another.
func (o Occupancy) replaced(slot SlotKey, was, is Reservation) Occupancy {
	if slices.Contains(was.Slots(), slot) {
		o = o.without(slot, was)
	}
	if slices.Contains(is.Slots(), slot) {
		o = o.with(is.PartySize, is.SeatIDs(), is.State == Temporary)
	}
	if slot == is.Slot {
		o.Arriving += is.PartySize
	}
	return o
}

// with returns the occupancy with one more party. onHold says that its seats may return.
func (o Occupancy) with(party int, seats []int64, onHold bool) Occupancy {
	o.Held += party
	if onHold {
		o.OnHold += party
	}
	o.Seats = o.Seats.with(seats, onHold)
	return o
}

// without returns the occupancy of a slot without a reservation that is there.
func (o Occupancy) without(slot SlotKey, r Reservation) Occupancy {
	o.Held -= r.PartySize
	if slot == r.Slot {
		o.Arriving -= r.PartySize
	}
	if r.State == Temporary {
		o.OnHold -= r.PartySize
	}
	o.Seats = o.Seats.without(r.seatsIn(slot))
	return o
}

// without returns the vacancy of a slot that a reservation leaves.
func (v Vacancy) without(slot SlotKey, r Reservation) Vacancy {
	if slot == r.Slot {
		v.Arriving -= r.PartySize
	}
	if !v.Closed {
		v.Free += r.PartySize
	}
	v.Seats = v.Seats.without(r.seatsIn(slot))
	return v
}
