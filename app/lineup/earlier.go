package lineup

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/waiting"
)

// FindEarlier implements waiting.Handler. Of a request without a payload only a reservation counts that is still in its
// line.
func (s Slots) FindEarlier(ctx context.Context, requests []waiting.Request) ([]waiting.Earlier, error) {
	asked, changes := make([]booking.Submission, len(requests)), false
	for i, req := range requests {
		want, _ := BookingOf(req) // without a payload it is no change
		changes = changes || want.Change != nil
		asked[i] = submissionOf(req)
	}
	reserved, err := s.Bookings.FindReserved(ctx, asked)
	if err != nil {
		return nil, err
	}
	var changed map[booking.Submission]string
	if changes {
		if changed, err = s.Bookings.FindChanged(ctx, asked); err != nil {
			return nil, err
		}
	}
	found := make([]waiting.Earlier, len(requests))
	for i, req := range requests {
		made, ok := reserved[asked[i]]
		want, err := BookingOf(req)
		switch {
		case err == nil && want.Change != nil:
			if id := changed[asked[i]]; id == want.Change.ReservationID {
				found[i] = waiting.Earlier{Request: req,
					Result: waiting.Result{State: waiting.Reserved, ReservationID: id, Changed: true}}
			}
		case ok && err == nil:
			found[i] = waiting.Earlier{Request: req, Result: seenLate(resultOf(booking.Repeat(made, want)))}
		case ok:
			if original, err := RequestFor(made.Request()); err == nil && original.Line == req.Line {
				found[i] = waiting.Earlier{Request: original,
					Result: seenLate(waiting.Result{State: waiting.Reserved, ReservationID: made.ID})}
			}
		}
	}
	return found, nil
}

// seenLate says of a reservation that nobody may have watched when its turn came.
func seenLate(result waiting.Result) waiting.Result {
	result.Unseen = result.State == waiting.Reserved
	return result
}

// submissionOf is what a request was submitted as.
func submissionOf(req waiting.Request) booking.Submission {
	if staff, ok := waiting.StaffOf(req); ok {
		return booking.Submission{UserID: staff, IdempotencyKey: req.IdempotencyKey, ByStaff: true}
	}
	return booking.Submission{UserID: req.UserID, IdempotencyKey: req.IdempotencyKey}
}
