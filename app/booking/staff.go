package booking

import (
	"context"
)

// The methods in this file act for a restaurant's staff. That somebody is staff of the restaurant is for the caller to
// know; the store writes down who did what.

// Guests returns the reservations of a slot with who comes; the dead ones last.
func (s *Service) Guests(ctx context.Context, slot SlotKey) ([]Guest, error) {
	return s.Reservations.ListGuests(ctx, slot)
}

// Occupancies returns how full the slots of a restaurant's date are, from the database: staff see the truth, not the
// cache. Times in opening hours without a row yet have the restaurant's capacity; slots outside today's opening hours
// are included if they have a row.
func (s *Service) Occupancies(ctx context.Context, r Restaurant, date Date) (map[TimeOfDay]Occupancy, error) {
	known, err := s.Slots.ListOccupancy(ctx, r.ID, date, date)
	if err != nil {
		return nil, err
	}
	slots := make(map[TimeOfDay]Occupancy, len(known))
	for _, at := range r.Times(date) {
		slots[at] = Occupancy{Capacity: r.Capacity}
	}
	for key, o := range known {
		slots[key.Time] = o
	}
	return slots, nil
}

// OpenSlot lets a slot take reservations again. Returns ErrNotFound for an unknown restaurant, ErrOutsideHours if it has
// no such slot, ErrPast if its time has passed.
func (s *Service) OpenSlot(ctx context.Context, slot SlotKey, staffID string) error {
	return s.setClosed(ctx, slot, false, staffID)
}

// CloseSlot keeps a slot from taking further reservations; those made stay. Returns the errors of OpenSlot.
func (s *Service) CloseSlot(ctx context.Context, slot SlotKey, staffID string) error {
	return s.setClosed(ctx, slot, true, staffID)
}

func (s *Service) setClosed(ctx context.Context, slot SlotKey, closed bool, staffID string) error {
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
func (s *Service) SetCapacity(ctx context.Context, slot SlotKey, capacity int, staffID string) error {
	if capacity < 0 || capacity > MaxCapacity {
		return &InvalidError{Fields: []FieldError{{Field: "capacity", Reason: "out_of_range", Max: MaxCapacity}}}
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
func (s *Service) staffTurn(ctx context.Context, slot SlotKey) (Turn, error) {
	r, err := s.Catalog.FindRestaurant(ctx, slot.RestaurantID)
	if err != nil {
		return Turn{}, err
	}
	slots, err := s.Occupancies(ctx, r, slot.Date)
	if err != nil {
		return Turn{}, err
	}
	if _, ok := slots[slot.Time]; !ok {
		return Turn{}, ErrOutsideHours
	}
	start, err := r.Start(slot.Date, slot.Time)
	if err != nil {
		return Turn{}, err
	}
	if !s.Now().Before(start) {
		return Turn{}, ErrPast
	}
	return Turn{Slot: slot, Capacity: r.Capacity}, nil
}

// Finish marks a confirmed reservation as Completed, the party came, or as NoShow. Returns ErrNotFound and the errors of
// CheckFinish.
func (s *Service) Finish(ctx context.Context, id string, state State, staffID string) (Reservation, error) {
	res, err := s.Reservations.Find(ctx, id)
	if err != nil {
		return Reservation{}, err
	}
	r, err := s.Catalog.FindRestaurant(ctx, res.RestaurantID)
	if err != nil {
		return Reservation{}, err
	}
	start, err := r.Start(res.Slot.Date, res.Slot.Time)
	if err != nil {
		return Reservation{}, err
	}
	if err := res.CheckFinish(state, start, s.Now()); err != nil {
		return Reservation{}, err
	}
	if res, err = s.Reservations.Finish(ctx, id, state, staffID); err != nil {
		return Reservation{}, err
	}
	s.changed(res.Slots())
	return res, nil
}
