package reserve

import (
	"context"
	"errors"
	"slices"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/app/team"
	"lunchgo/app/waiting"
)

// OfferedMove is another day that a restaurant offers to a party, with its slots as they are open to it now.
type OfferedMove struct {
	booking.MoveOffer
	Restaurant booking.Restaurant
	Slots      []Slot
	// Proposed is the time that staff propose, or the nearest to it that is open; empty if none is.
	Proposed booking.TimeOfDay
}

// FindMoveOffer returns what staff have offered to the party of a reservation instead. Returns booking.ErrNoMoveOffer.
func (s *Service) FindMoveOffer(ctx context.Context, res booking.Reservation) (OfferedMove, error) {
	offer, err := s.Reservations.FindMoveOffer(ctx, res.ID)
	if err != nil {
		return OfferedMove{}, err
	}
	r, menu, err := s.houseOf(ctx, res.RestaurantID)
	if err != nil {
		return OfferedMove{}, err
	}
	start, err := r.Start(res.Slot.Date, res.Slot.Time)
	if err == nil && !s.Now().Before(start) {
		err = booking.ErrNoMoveOffer
	}
	if err != nil {
		return OfferedMove{}, err
	}
	known, err := s.CachedOccupancy(ctx, r.ID, offer.Date)
	if err != nil {
		return OfferedMove{}, err
	}
	slots, err := s.ListSlotsFor(ctx, r, offer.Date, res.OfferAsk(r, menu))
	slots = slices.DeleteFunc(slots, func(slot Slot) bool {
		return slot.Key == res.Slot || known[slot.Key.Time].Closed
	})
	return OfferedMove{MoveOffer: offer, Restaurant: r, Slots: slots,
		Proposed: nearestOpen(slots, offer.For(res.Slot.Time))}, err
}

// nearestOpen returns the time of the open slot that is nearest to a time; empty if none is open.
func nearestOpen(slots []Slot, to booking.TimeOfDay) (nearest booking.TimeOfDay) {
	apart := func(at booking.TimeOfDay) int {
		n := at.Minutes() - to.Minutes()
		return max(n, -n)
	}
	for _, slot := range slots {
		if slot.State == booking.OfferOpen && (nearest == "" || apart(slot.Key.Time) < apart(nearest)) {
			nearest = slot.Key.Time
		}
	}
	return nearest
}

// TakeMoveOffer enters a diner's party into the line of a time that it is offered instead, or finds the ticket or the
// result of an earlier press with the same key. The caller must Close the watch. Returns ErrNotFound,
// booking.ErrNoMoveOffer, *booking.InvalidError, booking.ErrKeyReused and the errors of waiting.Room.Enter.
func (s *Service) TakeMoveOffer(ctx context.Context, by Submitter, id, at string) (*waiting.Watch, error) {
	res, err := s.Find(ctx, by.UserID, id)
	if err != nil {
		return nil, err
	}
	made, err := s.findMade(ctx, by, func(past booking.PastChange) bool {
		return past.ReservationID == id && string(past.To.Slot.Time) == at
	})
	if made != nil || err != nil {
		return made, err
	}
	offer, err := s.Reservations.FindMoveOffer(ctx, id)
	if err != nil {
		return nil, err
	}
	r, menu, err := s.houseOf(ctx, res.RestaurantID)
	if err != nil {
		return nil, err
	}
	request, err := offer.Check(r, res, strings.Clone(at), menu, s.Now())
	if err != nil {
		return nil, err
	}
	return s.enter(ctx, by, request)
}

// DeclineMoveOffer notes that a diner keeps a reservation as it is. Returns ErrNotFound and booking.ErrNoMoveOffer.
func (s *Service) DeclineMoveOffer(ctx context.Context, userID, id string) error {
	if _, err := s.Find(ctx, userID, id); err != nil {
		return err
	}
	if _, err := s.Reservations.FindMoveOffer(ctx, id); err != nil {
		return err
	}
	return s.Reservations.DeclineMoveOffer(ctx, id)
}

// CancelOffered cancels a diner's reservation with a full refund, as the restaurant has offered it: as whoever of the
// staff did, while they may. Returns ErrNotFound, booking.ErrNoMoveOffer and the errors of CancelGuest.
func (s *Service) CancelOffered(ctx context.Context, userID, id string) (booking.Reservation, error) {
	res, err := s.Find(ctx, userID, id)
	if err != nil {
		return res, err
	}
	offer, err := s.Reservations.FindMoveOffer(ctx, id)
	if err == nil && !offer.Refund {
		err = booking.ErrNoMoveOffer
	}
	if err != nil {
		return res, err
	}
	by, err := s.Staff(ctx, offer.StaffID, res.RestaurantID)
	if err == nil {
		res, err = s.changeGuest(ctx, by, team.CancelWithRefund, id, func() (booking.Reservation, error) {
			return s.Reservations.CancelOffered(ctx, id, by.UserID())
		})
	}
	if errors.Is(err, booking.ErrNotFound) || errors.Is(err, booking.ErrForbidden) { // they have left the team
		err = booking.ErrNoMoveOffer
	}
	return res, err
}

// WithdrawMoveOffer takes back what staff have offered the diner of a reservation, who then cannot take it any more. A
// repeat changes nothing. Returns ErrNotFound and booking.ErrNoMoveOffer.
func (s *Service) WithdrawMoveOffer(ctx context.Context, by team.Staff, id string) (booking.Reservation, error) {
	return s.changeGuest(ctx, by, team.MoveGuest, id, func() (booking.Reservation, error) {
		return s.Reservations.WithdrawMoveOffer(ctx, id, by.UserID())
	})
}
