package waiting

import (
	"context"
	"errors"
	"fmt"

	"lunchgo/app/booking"
	"lunchgo/locks"
)

// Desks serves each line by what it is for: a slot, or a campaign.
type Desks struct {
	Slots     Reservations
	Campaigns Coupons
}

func (d Desks) of(line locks.Name) Server {
	if _, ok := CouponOf(line); ok {
		return d.Campaigns
	}
	return d.Slots
}

// Refuse implements Server.
func (d Desks) Refuse(ctx context.Context, w Wish) (Result, bool) { return d.of(w.Line).Refuse(ctx, w) }

// Serve implements Server.
func (d Desks) Serve(ctx context.Context, turn Turn, run []Served) ([]Result, []Closing, error) {
	return d.of(turn.Line).Serve(ctx, turn, run)
}

// Left implements Server.
func (d Desks) Left(ctx context.Context, line locks.Name) (int, bool) {
	return d.of(line).Left(ctx, line)
}

// Recall implements Server.
func (d Desks) Recall(ctx context.Context, line locks.Name, ticket string) (Result, error) {
	return d.of(line).Recall(ctx, line, ticket)
}

// notServed tells the room what to do about a run that could not be served, overtaken being the error of an old fence.
func notServed(err, overtaken error) error {
	switch {
	case errors.Is(err, overtaken):
		return fmt.Errorf("%w: %w", ErrOvertaken, err)
	case errors.Is(err, booking.ErrUnavailable):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}
