package lineup

import (
	"context"
	"errors"
	"fmt"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/refusal"
	"lunchgo/app/waiting"
	"lunchgo/locks"
)

// Handler has each line served by the handler of its kind.
type Handler struct {
	ids

	Slots, Campaigns waiting.Handler
}

func (h Handler) of(line locks.Name) waiting.Handler {
	if _, ok := CampaignOf(line); ok {
		return h.Campaigns
	}
	return h.Slots
}

// Precheck implements waiting.Handler.
func (h Handler) Precheck(ctx context.Context, req waiting.Request) (waiting.Result, bool) {
	return h.of(req.Line).Precheck(ctx, req)
}

// CheckLimits implements waiting.Handler.
func (h Handler) CheckLimits(ctx context.Context, req waiting.Request) (waiting.Result, bool) {
	return h.of(req.Line).CheckLimits(ctx, req)
}

// Serve implements waiting.Handler.
func (h Handler) Serve(ctx context.Context, turn waiting.Turn, batch []waiting.QueuedRequest) ([]waiting.Result,
	[]waiting.Closing, error) {
	return h.of(turn.Line).Serve(ctx, turn, batch)
}

// Remaining implements waiting.Handler.
func (h Handler) Remaining(ctx context.Context, line locks.Name) (waiting.Remaining, bool) {
	return h.of(line).Remaining(ctx, line)
}

// FindResult implements waiting.Handler.
func (h Handler) FindResult(ctx context.Context, line locks.Name, ticket string) (waiting.Result, error) {
	return h.of(line).FindResult(ctx, line, ticket)
}

// FindEarlier implements waiting.Handler.
func (h Handler) FindEarlier(ctx context.Context, requests []waiting.Request) ([]waiting.Earlier, error) {
	var slots, campaigns []int // places of the requests
	for i, req := range requests {
		if _, ok := CampaignOf(req.Line); ok {
			campaigns = append(campaigns, i)
		} else {
			slots = append(slots, i)
		}
	}
	found := make([]waiting.Earlier, len(requests))
	for _, kind := range []struct {
		find func(context.Context, []waiting.Request) ([]waiting.Earlier, error)
		at   []int
	}{{h.Slots.FindEarlier, slots}, {h.Campaigns.FindEarlier, campaigns}} {
		if len(kind.at) == 0 {
			continue
		}
		some := make([]waiting.Request, len(kind.at))
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

// Steering implements waiting.Handler.
func (h Handler) Steering(ctx context.Context, line locks.Name) waiting.Steering {
	return h.of(line).Steering(ctx, line)
}

// notServed wraps the error of a batch so that the room knows what to do about it.
func notServed(err error) error {
	var slots *booking.StaleFenceError
	var campaign *coupon.StaleFenceError
	switch {
	case errors.As(err, &slots):
		return &waiting.OvertakenError{Stored: slots.Stored}
	case errors.As(err, &campaign):
		return &waiting.OvertakenError{Stored: campaign.Stored}
	case errors.Is(err, refusal.ErrUnavailable):
		return fmt.Errorf("%w: %w", waiting.ErrUnavailable, err)
	}
	return err
}

// Outline implements waiting.Handler.
func (h Handler) Outline(req waiting.Request) waiting.Request { return h.of(req.Line).Outline(req) }
