package booking

import (
	"context"
	"time"
)

// PastChange is one change in the history of a reservation.
type PastChange struct {
	ReservationID string
	UserID        string
	Number        int // the first is 1
	From, To      Agreed
	Charged       int64 // won
	Refunded      int64
	Kept          int64 // of the difference, by the restaurant
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

// Wanted is a change that may enter the line of its slot.
type Wanted struct {
	Request
	Restaurant  Restaurant
	Reservation Reservation // as it is
	Start       time.Time   // of its slot
}

// CheckChange makes of a diner's reservation and what they want instead a request that may enter the line. Returns
// ErrNotFound for those of others too, the errors of Reservation.CheckChange, and *InvalidError with every fault of the
// draft; the reservation, and the slot asked for if there is such a time, come with those as well.
func (s *Service) CheckChange(ctx context.Context, userID, id string, draft ChangeDraft) (Wanted, error) {
	res, err := s.Find(ctx, userID, id)
	if err != nil {
		return Wanted{}, err
	}
	wanted := Wanted{Reservation: res}
	if wanted.Restaurant, err = s.Catalog.FindRestaurant(ctx, res.RestaurantID); err != nil {
		return Wanted{}, err
	}
	if wanted.Start, err = wanted.Restaurant.Start(res.Slot.Date, res.Slot.Time); err != nil {
		return Wanted{}, err
	}
	menu, err := s.Catalog.ListMenu(ctx, res.RestaurantID)
	if err != nil {
		return Wanted{}, err
	}
	asked := draft.Draft(res)
	wanted.Request, err = asked.Check(wanted.Restaurant, menu, s.Now())
	wanted.UserID = userID
	wanted.Slot = SlotKey{RestaurantID: res.RestaurantID, Date: Date(asked.Date), Time: TimeOfDay(asked.Time)}
	wanted.Change = &Change{ReservationID: res.ID, Number: res.Changes, From: res.Slots(), FromParty: res.PartySize,
		Told: draft.Told}
	if late := res.CheckChange(wanted.Start, s.Now()); late != nil {
		err = late
	}
	return wanted, err
}

// ServeChange lets a request take the place of a reservation under the line's fence, and lets the watchers of its slots, of
// before and after, know. The turn gets the restaurant's capacity.
func (s *Service) ServeChange(ctx context.Context, turn Turn, req Request) (Outcome, []Occupancy, error) {
	r, err := s.Catalog.FindRestaurant(ctx, turn.Slot.RestaurantID)
	if err != nil {
		return Outcome{}, nil, err
	}
	turn.Capacity, turn.Seats = r.Capacity, r.Seats
	out, after, err := s.Reservations.Change(ctx, turn, req)
	if err == nil && out.Err == nil {
		s.changed(turn.Slots())
		s.changed(req.Change.From)
	}
	return out, after, err
}

// Changed finds what a diner's change with an idempotency key has made, if there was one. Returns ErrNotFound.
func (s *Service) Changed(ctx context.Context, userID, key string) (PastChange, error) {
	return s.Reservations.FindChange(ctx, userID, key)
}

// Changes is the history of a reservation, the first change first.
func (s *Service) Changes(ctx context.Context, res Reservation) ([]PastChange, error) {
	if res.Changes == 0 {
		return nil, nil
	}
	return s.Reservations.ListChanges(ctx, res.ID)
}
