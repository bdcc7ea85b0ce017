package team

import (
	"context"
	"encoding/json"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
)

// Entry is one row of a restaurant's audit log: what a member of staff, or an operator, did. Nothing changes or deletes
// it.
type Entry struct {
	ID int64     `json:"id"`
	At time.Time `json:"at"`
	By string    `json:"userId"`
	// Of who did it; empty when the account is deleted.
	ByName string `json:"name"`
	// The area and what was done, as in `slot.capacity`. More may be added.
	Action        string            `json:"action"`
	SlotDate      booking.Date      `json:"-"`
	SlotTime      booking.TimeOfDay `json:"-"` // both empty where the act concerns no slot
	ReservationID string            `json:"-"` // empty where the act concerns none
	Guest         string            `json:"-"` // the name of its guest; empty where the act concerns none
	Member        string            `json:"-"` // whom it is about, by name; empty for none, and of a deleted account
	Dish          booking.Text      `json:"-"` // that it is about; empty for none
	// `was` and `is`: the values before and after; `reason`, where one was given; and others by action.
	Detail map[string]json.RawMessage `json:"detail"`
}

// LogFilter chooses entries of a restaurant's log; its zero value chooses all.
type LogFilter struct {
	By          string       // user id
	Area        string       // what stands before the dot of an action
	Date        booking.Date // of the act, at the restaurant
	Reservation string       // number of a reservation as guests read it, or id
}

// Entries returns a page of a restaurant's log, the newest first.
func (s *Service) Entries(ctx context.Context, by Staff, restaurantID int64, filter LogFilter,
	page keyset.Request) (keyset.Page[Entry], error) {
	if err := by.Check(restaurantID, SeeAuditLog); err != nil {
		return keyset.Page[Entry]{}, err
	}
	return s.Store.ListEntries(ctx, restaurantID, filter, page)
}

// LogChoices returns whom and what the log of a restaurant can be filtered by: who has acted there, and in which areas.
func (s *Service) LogChoices(ctx context.Context, by Staff, restaurantID int64) ([]Member, []string, error) {
	if err := by.Check(restaurantID, SeeAuditLog); err != nil {
		return nil, nil, err
	}
	actors, err := s.Store.ListActors(ctx, restaurantID)
	if err != nil {
		return nil, nil, err
	}
	areas, err := s.Store.ListAreas(ctx, restaurantID)
	return actors, areas, err
}
