package reserve

import (
	"context"

	"lunchgo/app/booking"
)

// The methods in this file act for a restaurant's staff. That somebody is staff of the restaurant is for the caller to
// know; the store writes down who did what.

// Guests returns the reservations of a slot with who comes; the dead ones last.
func (s *Service) Guests(ctx context.Context, slot booking.SlotKey) ([]Guest, error) {
	return s.Reservations.ListGuests(ctx, slot)
}

// Occupancies returns how full the slots of a restaurant's date are, from the database: staff see the truth, not the
// cache. Times in opening hours without a row yet have the restaurant's capacity; slots outside today's opening hours
// are included if they have a row.
func (s *Service) Occupancies(ctx context.Context, r booking.Restaurant, date booking.Date) (map[booking.TimeOfDay]booking.Occupancy, error) {
	known, err := s.Slots.ListOccupancy(ctx, r.ID, date, date)
	if err != nil {
		return nil, err
	}
	slots := make(map[booking.TimeOfDay]booking.Occupancy, len(known))
	for _, at := range r.Times(date) {
		slots[at] = booking.Occupancy{Capacity: r.Capacity}
	}
	for key, o := range known {
		slots[key.Time] = o
	}
	return slots, nil
}

// OpenSlot lets a slot take reservations again. Returns ErrNotFound for an unknown restaurant, ErrOutsideHours if it has
// no such slot, ErrPast if its time has passed.
func (s *Service) OpenSlot(ctx context.Context, slot booking.SlotKey, staffID string) error {
	return s.setClosed(ctx, slot, false, staffID)
}

// CloseSlot keeps a slot from taking further reservations; those made stay. Returns the errors of OpenSlot.
func (s *Service) CloseSlot(ctx context.Context, slot booking.SlotKey, staffID string) error {
	return s.setClosed(ctx, slot, true, staffID)
}

func (s *Service) setClosed(ctx context.Context, slot booking.SlotKey, closed bool, staffID string) error {
	turn, err := s.staffTurn(ctx, slot)
	if err != nil {
		return err
	}
	if err := s.Slots.SetClosed(ctx, turn, closed, staffID); err != nil {
		return err
	}
	s.Availability.Changed(slot)
	return nil
}

// SetCapacity changes how many covers a slot takes. Returns *InvalidError unless capacity lies within 0 and MaxCapacity,
// ErrBelowSold, having changed nothing, when more are taken already, and the errors of OpenSlot.
func (s *Service) SetCapacity(ctx context.Context, slot booking.SlotKey, capacity int, staffID string) error {
	if capacity < 0 || capacity > booking.MaxCapacity {
		return &booking.InvalidError{Fields: []booking.FieldError{{Field: "capacity", Reason: "out_of_range", Max: booking.MaxCapacity}}}
	}
	turn, err := s.staffTurn(ctx, slot)
	if err != nil {
		return err
	}
	if err := s.Slots.SetCapacity(ctx, turn, capacity, staffID); err != nil {
		return err
	}
	s.Availability.Changed(slot)
	return nil
}

// staffTurn is a turn without a fence: staff do not stand in line.
func (s *Service) staffTurn(ctx context.Context, slot booking.SlotKey) (booking.Turn, error) {
	r, err := s.Catalog.FindRestaurant(ctx, slot.RestaurantID)
	if err != nil {
		return booking.Turn{}, err
	}
	slots, err := s.Occupancies(ctx, r, slot.Date)
	if err != nil {
		return booking.Turn{}, err
	}
	if _, ok := slots[slot.Time]; !ok {
		return booking.Turn{}, booking.ErrOutsideHours
	}
	start, err := r.Start(slot.Date, slot.Time)
	if err != nil {
		return booking.Turn{}, err
	}
	if !s.Now().Before(start) {
		return booking.Turn{}, booking.ErrPast
	}
	return booking.Turn{Slot: slot, Capacity: r.Capacity}, nil
}

// Finish marks a confirmed reservation as Completed, the party came, or as NoShow. Returns ErrNotFound and the errors of
// CheckFinish.
func (s *Service) Finish(ctx context.Context, id string, state booking.State, staffID string) (booking.Reservation, error) {
	res, err := s.Reservations.Find(ctx, id)
	if err != nil {
		return booking.Reservation{}, err
	}
	r, err := s.Catalog.FindRestaurant(ctx, res.RestaurantID)
	if err != nil {
		return booking.Reservation{}, err
	}
	start, err := r.Start(res.Slot.Date, res.Slot.Time)
	if err != nil {
		return booking.Reservation{}, err
	}
	if err := res.CheckFinish(state, start, s.Now()); err != nil {
		return booking.Reservation{}, err
	}
	if res, err = s.Reservations.Finish(ctx, id, state, staffID); err != nil {
		return booking.Reservation{}, err
	}
	s.changed(res.Slots())
	return res, nil
}
