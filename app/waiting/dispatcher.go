package waiting

import (
	"context"
	"errors"
	"fmt"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/locks"
)

// Dispatcher has each line served by the handler of its kind: slots, or campaigns.
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
func (d Dispatcher) Precheck(ctx context.Context, req Request) (Result, bool) {
	return d.of(req.Line).Precheck(ctx, req)
}

// CheckLimits implements Handler.
func (d Dispatcher) CheckLimits(ctx context.Context, req Request) (Result, bool) {
	return d.of(req.Line).CheckLimits(ctx, req)
}

// Serve implements Handler.
func (d Dispatcher) Serve(ctx context.Context, turn Turn, batch []QueuedRequest) ([]Result, []Closing, error) {
	return d.of(turn.Line).Serve(ctx, turn, batch)
}

// Remaining implements Handler.
func (d Dispatcher) Remaining(ctx context.Context, line locks.Name) (int, bool) {
	return d.of(line).Remaining(ctx, line)
}

// FindResult implements Handler.
func (d Dispatcher) FindResult(ctx context.Context, line locks.Name, ticket string) (Result, error) {
	return d.of(line).FindResult(ctx, line, ticket)
}

// notServed wraps the error of a batch so that the room knows what to do about it.
func notServed(err error) error {
	var slots *booking.StaleFenceError
	var campaign *coupon.StaleFenceError
	switch {
	case errors.As(err, &slots):
		return &OvertakenError{slots.Stored}
	case errors.As(err, &campaign):
		return &OvertakenError{campaign.Stored}
	case errors.Is(err, booking.ErrUnavailable):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}
