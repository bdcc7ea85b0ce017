package waiting

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"lunchgo/app/coupon"
	"lunchgo/locks"
)

// couponPartition begins the partitions of campaigns, each of which has one line.
const couponPartition = "coupon:"

// LineOfCoupon is the line of a campaign.
func LineOfCoupon(id int64) locks.Name {
	return locks.Name{Partition: couponPartition + strconv.FormatInt(id, 10), Key: "claims"}
}

// CouponOf is the campaign of a line that LineOfCoupon named; false for any other line.
func CouponOf(line locks.Name) (id int64, ok bool) {
	number, ok := strings.CutPrefix(line.Partition, couponPartition)
	if !ok {
		return 0, false
	}
	id, err := strconv.ParseInt(number, 10, 64)
	return id, err == nil
}

// RequestForCoupon makes a claim into a request for its campaign's line.
func RequestForCoupon(req coupon.Request) (Request, error) {
	payload, err := json.Marshal(req)
	if err != nil {
		return Request{}, fmt.Errorf("waiting: write a request: %w", err)
	}
	return Request{Line: LineOfCoupon(req.CouponID), UserID: req.UserID, IdempotencyKey: req.IdempotencyKey,
		Payload: payload,
		Seats:   1}, nil
}

// Coupons serves lines of campaigns: each request holds a coupon.Request.
type Coupons struct {
	Campaigns *coupon.Service
}

// Precheck implements Handler: who comes too soon or too late is answered from what is known, with no query.
func (s Coupons) Precheck(ctx context.Context, w Request) (Result, bool) {
	campaign, err := s.campaign(ctx, w.Line)
	if err != nil {
		return Result{}, false
	}
	err = campaign.Closed(s.Campaigns.Now())
	return couponResult(coupon.Outcome{Err: err}), err != nil
}

// CheckLimits implements Handler: nothing limits who has a coupon but the campaign itself.
func (s Coupons) CheckLimits(context.Context, Request) (Result, bool) { return Result{}, false }

func (s Coupons) campaign(ctx context.Context, line locks.Name) (coupon.Campaign, error) {
	id, ok := CouponOf(line)
	if !ok {
		return coupon.Campaign{}, ErrUnknownTicket
	}
	return s.Campaigns.Look(ctx, id)
}

// Remaining implements Handler.
func (s Coupons) Remaining(ctx context.Context, line locks.Name) (Remaining, bool) {
	campaign, err := s.campaign(ctx, line)
	left := campaign.Remaining()
	return Remaining{Requests: left, Seats: left, Smallest: 1}, err == nil
}

// Serve implements Handler.
func (s Coupons) Serve(ctx context.Context, turn Turn, run []QueuedRequest) ([]Result, []Closing, error) {
	id, ok := CouponOf(turn.Line)
	if !ok {
		return nil, nil, ErrUnknownTicket
	}
	requests := make([]coupon.Request, len(run))
	for i, served := range run {
		if err := json.Unmarshal(served.Payload, &requests[i]); err != nil {
			return nil, nil, fmt.Errorf("waiting: request of a ticket: %w", err)
		}
		requests[i].Ticket, requests[i].Arrival = served.Ticket, served.Arrival
	}
	outcomes, after, err := s.Campaigns.Serve(ctx, coupon.Turn{CouponID: id, Fence: turn.Fence}, requests)
	if err != nil {
		return nil, nil, notServed(err)
	}
	results := make([]Result, len(outcomes))
	for i, o := range outcomes {
		results[i] = couponResult(o)
	}
	if after.Remaining() > 0 {
		return results, nil, nil
	}
	return results, []Closing{{turn.Line, couponResult(coupon.Outcome{Err: coupon.ErrSoldOut})}}, nil
}

// FindResult implements Handler.
func (s Coupons) FindResult(ctx context.Context, _ locks.Name, ticket string) (Result, error) {
	claim, err := s.Campaigns.FindClaimByTicket(ctx, ticket)
	if errors.Is(err, coupon.ErrNotFound) {
		return Result{}, ErrUnknownTicket
	}
	return Result{State: Reserved, ClaimID: claim.ID}, err
}

// FindEarlier implements Handler.
func (s Coupons) FindEarlier(ctx context.Context, requests []Request) ([]Earlier, error) {
	asked := make([]coupon.Request, len(requests))
	for i, req := range requests {
		asked[i] = coupon.Request{UserID: req.UserID, IdempotencyKey: req.IdempotencyKey}
		asked[i].CouponID, _ = CouponOf(req.Line)
	}
	claims, err := s.Campaigns.FindClaims(ctx, asked)
	if err != nil {
		return nil, err
	}
	found := make([]Earlier, len(requests))
	for i, req := range requests {
		for _, c := range claims {
			if c.CouponID == asked[i].CouponID && c.UserID == req.UserID && c.IdempotencyKey == req.IdempotencyKey {
				found[i] = Earlier{req, couponResult(coupon.Outcome{ClaimID: c.ID})}
			}
		}
	}
	return found, nil
}

// couponResult is the answer to somebody who claims a coupon.
func couponResult(o coupon.Outcome) Result {
	if o.Err == nil {
		return Result{State: Reserved, ClaimID: o.ClaimID}
	}
	if errors.Is(o.Err, coupon.ErrAlreadyClaimed) {
		result := Refused(&coupon.AlreadyClaimedError{ClaimID: o.ClaimID})
		result.ClaimID = o.ClaimID
		return result
	}
	return Refused(o.Err)
}
