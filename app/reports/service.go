// Package reports is the look back of a restaurant: what came of a period's reservations, in figures that add up.
// Everything here is pure but Service, which reads the facts.
package reports

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/team"
)

// Store reads what reports are made of.
type Store interface {
	// ReadFacts reads the cells of the filter's period and of the one before it, and all other facts of
	// its period.
	ReadFacts(ctx context.Context, r booking.Restaurant, filter Filter) (Facts, error)
	// ListPayouts reads what a payment provider moved for a restaurant, by day.
	ListPayouts(ctx context.Context, r booking.Restaurant, period Period) ([]Payout, error)
}

// atOnce is how many reports are read at a time: each reads much, and bookings need the database too.
const atOnce = 2

// Service makes reports for staff.
type Service struct {
	store Store
	turns chan struct{}
}

// NewService returns reports over a store.
func NewService(store Store) *Service {
	return &Service{store: store, turns: make(chan struct{}, atOnce)}
}

// Read returns a report. It waits while others are being read. Returns booking.ErrNotFound for drafts, for restaurants
// of load tests, and for others than the reader's; booking.ErrForbidden; and the error of ctx.
func (s *Service) Read(ctx context.Context, by team.Staff, r booking.Restaurant, filter Filter) (Report, error) {
	if err := by.Check(r.ID, team.SeeReports); err != nil {
		return Report{}, err
	}
	if r.Draft || r.Shadow {
		return Report{}, booking.ErrNotFound
	}
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-ctx.Done():
		return Report{}, ctx.Err()
	}
	facts, err := s.store.ReadFacts(ctx, r, filter)
	if err != nil {
		return Report{}, err
	}
	return Build(r, filter, facts), nil
}
