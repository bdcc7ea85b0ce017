package waiting

import (
	"context"

	"lunchgo/app/booking"
)

// FindEarlier implements Handler. Of a request without a payload only a reservation counts that is still in its line.
func (s Reservations) FindEarlier(ctx context.Context, requests []Request) ([]Earlier, error) {
	asked, changes := make([]booking.Submission, len(requests)), false
	for i, req := range requests {
		want, _ := req.BookingRequest() // without a payload it is no change
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
	found := make([]Earlier, len(requests))
	for i, req := range requests {
		made, ok := reserved[asked[i]]
		want, err := req.BookingRequest()
		switch {
		case err == nil && want.Change != nil:
			if id := changed[asked[i]]; id == want.Change.ReservationID {
				found[i] = Earlier{req, Result{State: Reserved, ReservationID: id, Changed: true}}
			}
		case ok && err == nil:
			found[i] = Earlier{req, seenLate(resultOf(booking.Repeat(made, want)))}
		case ok:
			if original, err := RequestFor(made.Request()); err == nil && original.Line == req.Line {
				found[i] = Earlier{original, seenLate(Result{State: Reserved, ReservationID: made.ID})}
			}
		}
	}
	return found, nil
}

// seenLate says of a reservation that nobody may have watched when its turn came.
func seenLate(result Result) Result {
	result.Unseen = result.State == Reserved
	return result
}

// submissionOf is what a request was submitted as.
func submissionOf(req Request) booking.Submission {
	if staff, ok := StaffOf(req); ok {
		return booking.Submission{UserID: staff, IdempotencyKey: req.IdempotencyKey, ByStaff: true}
	}
	return booking.Submission{UserID: req.UserID, IdempotencyKey: req.IdempotencyKey}
}
