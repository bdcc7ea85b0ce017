package booking

import "time"

// PastChange is one change in the history of a reservation.
type PastChange struct {
	ReservationID string
	UserID        string
	Number        int // the first is 1
	From, To      Agreed
	Charged       int64 // won
	Refunded      int64
	Retained      int64 // of the difference, by the restaurant
	At            time.Time
}

// Agreed is what was reserved before or after a change.
type Agreed struct {
	Slot           SlotKey
	PartySize      int
	Items          []Item
	DepositAmount  int64
	MenuAmount     int64
	DiscountAmount int64
}

// Makes says whether the change made of its reservation what a request asks for, so that a repeated key is not answered
// with another change.
func (c PastChange) Makes(req Request) bool {
	return c.ReservationID == req.Change.ReservationID && c.To.Slot == req.Slot && c.To.PartySize == req.PartySize &&
		sameOrder(c.To.Items, req.Items)
}

// MakesDraft says whether the change made of a reservation what a draft names.
func (c PastChange) MakesDraft(reservationID string, d ChangeDraft) bool {
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
	return c.ReservationID == reservationID && string(c.To.Slot.Date) == asked.Date && string(c.To.Slot.Time) == asked.Time &&
		c.To.PartySize == asked.PartySize && len(quantities) == len(c.To.Items)
}
