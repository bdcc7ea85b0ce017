package waiting

import (
	"encoding/json"

	"lunchgo/app/booking"
)

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

// settled returns the request as it is kept beside its result: without texts, dishes, prices and terms, which may be
// some kilobytes. Its fingerprint stands for them.
func (r Request) settled() Request {
	r.RequestID, r.Trace = "", ""
	if _, claims := CouponOf(r.Line); claims || r.Fingerprint != "" {
		return r
	}
	req, err := r.BookingRequest()
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
