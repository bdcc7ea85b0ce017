package lineup

import (
	"encoding/json"
	"fmt"
	"slices"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/waiting"
)

// RequestFor makes a checked booking into a request for the line of its slots.
func RequestFor(req booking.Request) (waiting.Request, error) {
	payload, err := json.Marshal(req)
	if err != nil {
		return waiting.Request{}, fmt.Errorf("lineup: write a request: %w", err)
	}
	return waiting.Request{Line: OfStay(req.Slots()), UserID: personOf(req), IdempotencyKey: req.IdempotencyKey,
		Payload: payload, Seats: furtherSeats(req), HoldsSeats: req.Change != nil && furtherSeats(req) == 0,
		Written: &req}, nil
}

// personOf returns whose place in the line a booking takes. A member of staff books for one guest after another, in the
// same line too, so that each such request stands for itself.
func personOf(req booking.Request) string {
	if req.IsByStaff() {
		return waiting.StaffPerson(req.UserID, req.IdempotencyKey)
	}
	return req.UserID
}

// furtherSeats is how many seats a request takes of a slot, at most, besides those that its diner has. One that
// takes none can come true in a full or closed slot.
func furtherSeats(req booking.Request) int {
	most := 0
	for _, slot := range req.Slots() {
		most = max(most, req.AdditionalSeats(slot))
	}
	return most
}

// isChangeWithin says whether a request is for a slot in which its diner has seats: the cache counts those as taken.
func isChangeWithin(req booking.Request) bool {
	return req.Change != nil && slices.ContainsFunc(req.Slots(), func(slot booking.SlotKey) bool {
		return slices.Contains(req.Change.From, slot)
	})
}

// RequestForClaim makes a claim of a coupon into a request for its campaign's line.
func RequestForClaim(req coupon.Request) (waiting.Request, error) {
	payload, err := json.Marshal(req)
	if err != nil {
		return waiting.Request{}, fmt.Errorf("lineup: write a request: %w", err)
	}
	return waiting.Request{Line: OfCampaign(req.CouponID), UserID: req.UserID, IdempotencyKey: req.IdempotencyKey,
		Payload: payload, Seats: 1}, nil
}

// BookingOf returns what a request in the line of a slot, or of a stay, asks for; of that of a settled ticket only the
// slots, the party size and the reservation that it was to change.
func BookingOf(r waiting.Request) (booking.Request, error) {
	if req, ok := r.Written.(*booking.Request); ok {
		return *req, nil
	}
	var req booking.Request
	if err := json.Unmarshal(r.Payload, &req); err != nil {
		return booking.Request{}, fmt.Errorf("lineup: read the request of a ticket: %w", err)
	}
	return req, nil
}

// FingerprintOf returns booking.Request.Fingerprint of what a request asks for; empty if it cannot be read.
func FingerprintOf(r waiting.Request) string {
	if r.Fingerprint != "" {
		return r.Fingerprint
	}
	req, err := BookingOf(r)
	if err != nil {
		return ""
	}
	return req.Fingerprint()
}

// outline is what remains of a booking once its ticket is settled: enough to say what it was for, and to know a repeat.
// booking.Request reads it.
type outline struct {
	Slot      booking.SlotKey     `json:"slot"`
	Stay      []booking.TimeOfDay `json:"stay,omitempty"`
	PartySize int                 `json:"partySize"`
	Change    *changeOutline      `json:"change,omitempty"`
}

type changeOutline struct {
	ReservationID string `json:"reservationId"`
	PaymentID     string `json:"paymentId,omitempty"`
}

// Outline implements waiting.Handler: without texts, dishes, prices and terms, which may be some kilobytes. The
// fingerprint stands for them.
func (s Slots) Outline(r waiting.Request) waiting.Request {
	if r.Fingerprint != "" {
		return r
	}
	req, err := BookingOf(r)
	if err != nil {
		return r // it was never served either
	}
	short := outline{Slot: req.Slot, Stay: req.Stay, PartySize: req.PartySize}
	if req.Change != nil {
		short.Change = &changeOutline{req.Change.ReservationID, req.Change.PaymentID}
	}
	payload, err := json.Marshal(short)
	if err != nil {
		return r
	}
	r.Payload, r.Fingerprint = payload, req.Fingerprint()
	return r
}
