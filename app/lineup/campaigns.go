package lineup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"lunchgo/app/coupon"
	"lunchgo/app/waiting"
	"lunchgo/locks"
)

// Campaigns serves lines of campaigns: each request holds a coupon.Request.
type Campaigns struct {
	ids

	Service *coupon.Service
}

// Precheck implements waiting.Handler: who comes too soon or too late is answered from what is known, with no query.
func (s Campaigns) Precheck(ctx context.Context, w waiting.Request) (waiting.Result, bool) {
	campaign, err := s.campaign(ctx, w.Line)
	if err != nil {
		return waiting.Result{}, false
	}
	err = campaign.Closed(s.Service.Now())
	return couponResult(coupon.Outcome{Err: err}), err != nil
}

// CheckLimits implements waiting.Handler: nothing limits who has a coupon but the campaign itself.
func (s Campaigns) CheckLimits(context.Context, waiting.Request) (waiting.Result, bool) {
	return waiting.Result{}, false
}

func (s Campaigns) campaign(ctx context.Context, line locks.Name) (coupon.Campaign, error) {
	id, ok := CampaignOf(line)
	if !ok {
		return coupon.Campaign{}, waiting.ErrUnknownTicket
	}
	return s.Service.Look(ctx, id)
}

// Remaining implements waiting.Handler.
func (s Campaigns) Remaining(ctx context.Context, line locks.Name) (waiting.Remaining, bool) {
	campaign, err := s.campaign(ctx, line)
	left := campaign.Remaining()
	return waiting.Remaining{Requests: left, Seats: left, Smallest: 1}, err == nil
}

// Serve implements waiting.Handler.
func (s Campaigns) Serve(ctx context.Context, turn waiting.Turn, run []waiting.QueuedRequest) ([]waiting.Result,
	[]waiting.Closing, error) {
	id, ok := CampaignOf(turn.Line)
	if !ok {
		return nil, nil, waiting.ErrUnknownTicket
	}
	requests := make([]coupon.Request, len(run))
	for i, served := range run {
		if err := json.Unmarshal(served.Payload, &requests[i]); err != nil {
			return nil, nil, fmt.Errorf("lineup: request of a ticket: %w", err)
		}
		requests[i].Ticket, requests[i].Arrival = served.Ticket, served.Arrival
	}
	outcomes, after, err := s.Service.Serve(ctx, coupon.Turn{CouponID: id, Fence: turn.Fence}, requests)
	if err != nil {
		return nil, nil, notServed(err)
	}
	results := make([]waiting.Result, len(outcomes))
	for i, o := range outcomes {
		results[i] = couponResult(o)
	}
	if after.Remaining() > 0 {
		return results, nil, nil
	}
	closing := waiting.Closing{Line: turn.Line, Result: couponResult(coupon.Outcome{Err: coupon.ErrSoldOut})}
	return results, []waiting.Closing{closing}, nil
}

// FindResult implements waiting.Handler.
func (s Campaigns) FindResult(ctx context.Context, _ locks.Name, ticket string) (waiting.Result, error) {
	claim, err := s.Service.FindClaimByTicket(ctx, ticket)
	if errors.Is(err, coupon.ErrNotFound) {
		return waiting.Result{}, waiting.ErrUnknownTicket
	}
	return waiting.Result{State: waiting.Reserved, ClaimID: claim.ID}, err
}

// FindEarlier implements waiting.Handler.
func (s Campaigns) FindEarlier(ctx context.Context, requests []waiting.Request) ([]waiting.Earlier, error) {
	asked := make([]coupon.Request, len(requests))
	for i, req := range requests {
		asked[i] = coupon.Request{UserID: req.UserID, IdempotencyKey: req.IdempotencyKey}
		asked[i].CouponID, _ = CampaignOf(req.Line)
	}
	claims, err := s.Service.FindClaims(ctx, asked)
	if err != nil {
		return nil, err
	}
	found := make([]waiting.Earlier, len(requests))
	for i, req := range requests {
		for _, c := range claims {
			if c.CouponID == asked[i].CouponID && c.UserID == req.UserID && c.IdempotencyKey == req.IdempotencyKey {
				found[i] = waiting.Earlier{Request: req, Result: couponResult(coupon.Outcome{ClaimID: c.ID})}
			}
		}
	}
	return found, nil
}

// couponResult is the answer to somebody who claims a coupon.
func couponResult(o coupon.Outcome) waiting.Result {
	if o.Err == nil {
		return waiting.Result{State: waiting.Reserved, ClaimID: o.ClaimID}
	}
	if errors.Is(o.Err, coupon.ErrAlreadyClaimed) {
		result := waiting.Refused(&coupon.AlreadyClaimedError{ClaimID: o.ClaimID})
		result.ClaimID = o.ClaimID
		return result
	}
	return waiting.Refused(o.Err)
}

// Steering implements waiting.Handler: nobody steers the line of a campaign.
func (s Campaigns) Steering(context.Context, locks.Name) waiting.Steering { return waiting.Steering{} }

// Outline implements waiting.Handler: a claim is short.
func (s Campaigns) Outline(r waiting.Request) waiting.Request { return r }
