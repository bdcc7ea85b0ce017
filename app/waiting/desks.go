package waiting

import (
	"context"
	"errors"
	"fmt"

	"lunchgo/app/booking"
	"lunchgo/locks"
)

// Dispatcher serves each line by what it is for: a slot, or a campaign.
type Dispatcher struct {
	Slots     Reservations
	Campaigns Coupons
}

func (d Dispatcher) of(line locks.Name) Handler {
	if _, ok := CouponOf(line); ok {
		return d.Campaigns
	}
	return d.Slots
}

// Precheck implements Handler.
func (d Dispatcher) Precheck(ctx context.Context, w Request) (Result, bool) {
	return d.of(w.Line).Precheck(ctx, w)
}

// Serve implements Handler.
func (d Dispatcher) Serve(ctx context.Context, turn Turn, run []Served) ([]Result, []Closing, error) {
	return d.of(turn.Line).Serve(ctx, turn, run)
}

// Remaining implements Handler.
func (d Dispatcher) Remaining(ctx context.Context, line locks.Name) (int, bool) {
	return d.of(line).Remaining(ctx, line)
}

// FindResult implements Handler.
func (d Dispatcher) FindResult(ctx context.Context, line locks.Name, ticket string) (Result, error) {
	return d.of(line).FindResult(ctx, line, ticket)
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
