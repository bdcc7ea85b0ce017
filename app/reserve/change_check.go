package reserve

import (
	"context"
	"lunchgo/app/booking"
	"time"
)

// CheckedChange is a change that may enter the line of its slot.
type CheckedChange struct {
	booking.Request
	Restaurant  booking.Restaurant
	Reservation booking.Reservation // as it is
	Start       time.Time           // of its slot
}

// CheckChange makes of a diner's reservation and what they want instead a request that may enter the line. Returns
// ErrNotFound for those of others too, the errors of Reservation.CheckChange, and *InvalidError with every fault of the
// draft; the reservation, and the slot asked for if there is such a time, come with those as well.
func (s *Service) CheckChange(ctx context.Context, userID, id string, draft booking.ChangeDraft) (CheckedChange, error) {
	res, err := s.Find(ctx, userID, id)
	if err != nil {
		return CheckedChange{}, err
	}
	wanted := CheckedChange{Reservation: res}
	if wanted.Restaurant, err = s.Catalog.FindRestaurant(ctx, res.RestaurantID); err != nil {
		return CheckedChange{}, err
	}
	if wanted.Start, err = wanted.Restaurant.Start(res.Slot.Date, res.Slot.Time); err != nil {
		return CheckedChange{}, err
	}
	menu, err := s.Catalog.ListMenu(ctx, res.RestaurantID)
	if err != nil {
		return CheckedChange{}, err
	}
	asked := draft.Draft(res)
	wanted.Request, err = asked.Check(wanted.Restaurant, menu, s.Now())
	wanted.UserID = userID
	wanted.Slot = booking.SlotKey{RestaurantID: res.RestaurantID, Date: booking.Date(asked.Date), Time: booking.TimeOfDay(asked.Time)}
	wanted.Change = &booking.Change{ReservationID: res.ID, Number: res.Changes, From: res.Slots(), FromParty: res.PartySize,
		Quoted: draft.Quoted}
	if late := res.CheckChange(wanted.Start, s.Now()); late != nil {
		err = late
	}
	return wanted, err
}

// ServeChange lets a request take the place of a reservation under the line's fence, and lets the watchers of its slots, of
// before and after, know. The turn gets the restaurant's capacity.
func (s *Service) ServeChange(ctx context.Context, turn booking.Turn, req booking.Request) (booking.Outcome, []booking.Occupancy, error) {
	r, err := s.Catalog.FindRestaurant(ctx, turn.Slot.RestaurantID)
	if err != nil {
		return booking.Outcome{}, nil, err
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
func (s *Service) Changed(ctx context.Context, userID, key string) (booking.PastChange, error) {
	return s.Reservations.FindChange(ctx, userID, key)
}

// Changes is the history of a reservation, the first change first.
func (s *Service) Changes(ctx context.Context, res booking.Reservation) ([]booking.PastChange, error) {
	if res.Changes == 0 {
		return nil, nil
	}
	return s.Reservations.ListChanges(ctx, res.ID)
}
