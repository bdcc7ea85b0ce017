package reserve

import (
	"context"
	"errors"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/app/waiting"
)

// Quote is what a change would make of a reservation, and what it would cost now.
type Quote struct {
	CheckedChange
	Next booking.Revision
}

// QuoteChange says what a diner's change would lead to now. It holds nothing, and asks nobody whether there are seats. Returns
// the errors of booking.Service.CheckChange, with what is known of the change, and booking.ErrNothingToChange.
func (s *Service) QuoteChange(ctx context.Context, userID, id string, draft booking.ChangeDraft) (Quote, error) {
	wanted, err := s.CheckChange(ctx, userID, id, draft)
	q := Quote{CheckedChange: wanted, Next: booking.Revision{Reservation: wanted.Reservation}}
	if err != nil {
		return q, err
	}
	var terms booking.CouponTerms
	if coupon := wanted.Reservation.Discount.CouponID; coupon != 0 {
		campaign, err := s.Coupons.Look(ctx, coupon)
		if err != nil {
			return q, err
		}
		terms = campaign.Terms()
	}
	q.Next, err = wanted.Reservation.Revise(wanted.Request, terms, wanted.Start, s.Now())
	return q, err
}

// Change checks what a diner wants instead of a reservation and enters it into the line of its slots, or finds what became of
// an earlier press with the same key. What is reserved stays as it is until the turn comes. Whoever would pay more than they
// were told, or has nothing to change, is told so before they stand in line. The caller must Close the watch. Returns the
// errors of QuoteChange, *booking.AmountChangedError, booking.ErrKeyReused and the errors of waiting.Room.Press.
func (s *Service) Change(ctx context.Context, by Submitter, id string, draft booking.ChangeDraft) (*waiting.Watch, Quote, error) {
	quote, refusal := s.QuoteChange(ctx, by.UserID, id, draft)
	if quote.Reservation.ID == "" {
		return nil, quote, refusal
	}
	past, err := s.Changed(ctx, by.UserID, by.IdempotencyKey)
	switch {
	case err == nil && past.MakesDraft(id, draft):
		return waiting.Changed(past), quote, nil
	case err == nil:
		return nil, quote, booking.ErrKeyReused
	case !errors.Is(err, booking.ErrNotFound):
		return nil, quote, err
	case refusal == nil:
		refusal = quote.Next.Check(draft.Quoted)
	}
	if refusal != nil {
		watch, err := s.repeatChange(ctx, by, quote.CheckedChange, draft, refusal)
		return watch, quote, err
	}
	watch, err := s.enter(ctx, by, quote.Request)
	return watch, quote, err
}

// enter enters a change into its line.
func (s *Service) enter(ctx context.Context, by Submitter, request booking.Request) (*waiting.Watch, error) {
	request.UserID, request.IdempotencyKey = strings.Clone(by.UserID), strings.Clone(by.IdempotencyKey)
	request.Note, request.Allergies = strings.Clone(request.Note), strings.Clone(request.Allergies)
	wish, err := waiting.RequestFor(request)
	if err != nil {
		return nil, err
	}
	watch, err := s.Room.Enter(ctx, wish)
	if err != nil {
		return nil, err
	}
	if asked, ok := watch.Asked(); ok && asked.IdempotencyKey == by.IdempotencyKey && !sameRequest(asked, request) {
		watch.Close()
		return nil, booking.ErrKeyReused
	}
	return watch, nil
}

// repeatChange answers a change that is refused now, but that the same key has pressed before and that waits still. Returns
// refusal if it does not.
func (s *Service) repeatChange(ctx context.Context, by Submitter, wanted CheckedChange, draft booking.ChangeDraft, refusal error) (*waiting.Watch, error) {
	slots, err := s.SlotsOf(ctx, draft.Draft(wanted.Reservation), wanted.Slot)
	if err != nil {
		return nil, refusal
	}
	watch, err := s.Room.Repeat(ctx, waiting.LineOfStay(slots), strings.Clone(by.UserID), strings.Clone(by.IdempotencyKey))
	if err != nil {
		return nil, refusal
	}
	asked, err := requestOf(watch)
	if err != nil || asked.Change == nil || asked.Change.ReservationID != wanted.Reservation.ID || asked.Slot != wanted.Slot {
		watch.Close()
		return nil, refusal
	}
	return watch, nil
}

// sameChange says whether two requests change the same reservation for the same money, or both none.
func sameChange(a, b *booking.Change) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.ReservationID == b.ReservationID && a.Quoted == b.Quoted
}
