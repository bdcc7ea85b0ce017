package booking

import "time"

// PastChange is one change in the history of a reservation.
type PastChange struct {
	ReservationID string
	UserID        string // whose reservation it is; empty: a guest's
	StaffID       string // the member of staff who made the change; empty: the diner did
	Number        int    // the first is 1
	From, To      Agreed
	Charged       int64 // won
	Refunded      int64
	Retained      int64 // the part of the difference that the restaurant kept
	At            time.Time
}

// Agreed is the reservation before or after a change.
type Agreed struct {
	Slot           SlotKey
	PartySize      int
	Items          []Item
	DepositAmount  int64
	MenuAmount     int64
	DiscountAmount int64
}

// Matches returns whether the result of the change equals a request, so that a repeated key never returns another
// change.
func (c PastChange) Matches(req Request) bool {
	return c.ReservationID == req.Change.ReservationID && c.To.Slot == req.Slot && c.To.PartySize == req.PartySize &&
		sameOrder(c.To.Items, req.Items)
}

// MatchesDraft returns whether the result of the change equals a draft.
func (c PastChange) MatchesDraft(reservationID string, d ChangeDraft) bool {
	asked := d.Draft(Reservation{Slot: c.To.Slot, PartySize: c.To.PartySize, Items: c.To.Items})
	quantities := map[int64]int{}
	for _, it := range asked.Items {
		quantities[it.MenuItemID] += it.Quantity
	}
	for _, it := range c.To.Items {
		if quantities[it.MenuItemID] != it.Quantity {
			return false
		}
	}
	return c.ReservationID == reservationID && string(c.To.Slot.Date) == asked.Date &&
		string(c.To.Slot.Time) == asked.Time &&
		c.To.PartySize == asked.PartySize && len(quantities) == len(c.To.Items)
}

// MatchesMove returns whether the result of a change by staff equals what they ask for. The seats are not in the
// history; the end of the stay, and why it is over the plan, which is over, are known of the latest change.
func (c PastChange) MatchesMove(now Reservation, over string, asked GuestChange) bool {
	date, at, party := string(c.To.Slot.Date), string(c.To.Slot.Time), c.To.PartySize
	set(&date, asked.Date)
	set(&at, asked.Time)
	set(&party, asked.PartySize)
	latest := c.ReservationID == now.ID && c.Number == now.Changes
	otherEnd := asked.EndTime != "" && asked.EndTime != string(now.EndTime())
	otherWhy := over != "" && (asked.Override == nil || asked.Override.Reason != over)
	return c.ReservationID == now.ID && date == string(c.To.Slot.Date) && at == string(c.To.Slot.Time) &&
		party == c.To.PartySize && !(latest && (otherEnd || otherWhy))
}
