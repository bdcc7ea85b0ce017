package booking

import "slices"

// A change by card whose money does not come after all is undone: the reservation goes back to what it was, if its
// seats and dishes are free still. What it cost comes back whole, whatever its terms say of a refund.

// UndoRequest returns the request that takes a change of a reservation back to what it was; key makes a repeat the same
// request. With same it asks for the very seats that it had.
func (r Reservation) UndoRequest(was Reservation, key string, same bool) Request {
	req := Request{UserID: r.UserID, IdempotencyKey: key, Slot: was.Slot, Stay: was.Stay, PartySize: was.PartySize,
		Items: was.Items, Note: was.Note, Allergies: was.Allergies, DepositAmount: was.DepositAmount, Policy: was.Policy,
		Change: &Change{ReservationID: r.ID, Number: r.Changes, From: r.Slots(), FromParty: r.PartySize, Undo: &was}}
	if same {
		req.SeatIDs = was.SeatIDs()
	}
	return req
}

// decideUndo is DecideChange for taking a change back. Limits bind what diners do.
func (s ChangeState) decideUndo(req Request) (Revision, error) {
	r, was := s.Reservation, req.Change.Undo
	switch {
	case r.State != was.State:
		return Revision{}, ErrWrongState
	case !s.Now.Before(s.NextStart):
		return Revision{}, ErrPast
	}
	next := Revision{Reservation: *was, Refund: r.PaidAmount - was.PaidAmount}
	next.Changes = r.Changes + 1
	if r.DetailsChanged { // what staff corrected stays
		next.Note, next.Allergies, next.DetailsChanged = r.Note, r.Allergies, true
	}
	err := s.seat(&next, req)
	next.Seats = slices.Clone(next.Seats)
	for i, seat := range next.Seats {
		next.Seats[i].Chosen = seat.Chosen && len(was.ChosenSeatIDs()) > 0
	}
	return next, err
}
