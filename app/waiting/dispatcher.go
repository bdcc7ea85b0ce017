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
	Slots, Campaigns Handler
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
func (d Dispatcher) Remaining(ctx context.Context, line locks.Name) (Remaining, bool) {
	return d.of(line).Remaining(ctx, line)
}

// FindResult implements Handler.
func (d Dispatcher) FindResult(ctx context.Context, line locks.Name, ticket string) (Result, error) {
	return d.of(line).FindResult(ctx, line, ticket)
}

// FindEarlier implements Handler.
func (d Dispatcher) FindEarlier(ctx context.Context, requests []Request) ([]Earlier, error) {
	var slots, campaigns []int // places of the requests
	for i, req := range requests {
		if _, ok := CouponOf(req.Line); ok {
			campaigns = append(campaigns, i)
		} else {
			slots = append(slots, i)
		}
	}
	found := make([]Earlier, len(requests))
	for _, kind := range []struct {
		find func(context.Context, []Request) ([]Earlier, error)
		at   []int
	}{{d.Slots.FindEarlier, slots}, {d.Campaigns.FindEarlier, campaigns}} {
		if len(kind.at) == 0 {
			continue
		}
		some := make([]Request, len(kind.at))
		for i, at := range kind.at {
			some[i] = requests[at]
		}
		earlier, err := kind.find(ctx, some)
		if err != nil {
			return nil, err
		}
		for i, at := range kind.at {
			found[at] = earlier[i]
		}
	}
	return found, nil
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
