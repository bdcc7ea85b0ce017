package reserve

import (
	"context"
	"errors"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/lineup"
	"lunchgo/app/waiting"
)

// Quote is the result of a change and its price, as of now.
type Quote struct {
	CheckedChange
	Next booking.Revision
}

// QuoteChange returns what a diner's change would lead to now. It holds no seats and does not check whether seats are
// free. Returns booking.ErrNothingToChange, and the errors of CheckChange, with the known part of the quote.
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

// Change checks a diner's change and enters it into the line of its slots, or finds the ticket or the result of an
// earlier submission with the same key. The reservation stays as it is until the turn comes. A change that costs more
// than quoted, or changes nothing, is refused before it enters the line. The caller must Close the watch. Returns the
// errors of QuoteChange, *booking.AmountChangedError, booking.ErrKeyReused and the errors of waiting.Room.Enter.
func (s *Service) Change(ctx context.Context, by Submitter, id string, draft booking.ChangeDraft) (*waiting.Watch,
	Quote, error) {
	quote, refusal := s.QuoteChange(ctx, by.UserID, id, draft)
	if quote.Reservation.ID == "" {
		return nil, quote, refusal
	}
	made, err := s.findMade(ctx, by, func(past booking.PastChange) bool { return past.MatchesDraft(id, draft) })
	switch {
	case made != nil || err != nil:
		return made, quote, err
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

// findMade watches the change that an earlier press with the same key has made; nil if there is none. Returns
// booking.ErrKeyReused if it is not the same change.
func (s *Service) findMade(ctx context.Context, by Submitter,
	isSame func(booking.PastChange) bool) (*waiting.Watch, error) {
	past, err := s.Reservations.FindChange(ctx, by.UserID, by.IdempotencyKey)
	switch {
	case errors.Is(err, booking.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	case !isSame(past):
		return nil, booking.ErrKeyReused
	}
	return waiting.WatchChanged(past.ReservationID), nil
}

// ChangePaid enters the change of a payment whose money is ready into the line of its slots, as it would be made now, or
// finds what became of it. Its turn makes it if it costs what the payment was authorised for. The caller must Close the
// watch. Returns booking.ErrChangedMeanwhile if the reservation was changed since the payment was begun,
// waiting.ErrInProgress while the diner waits there with another request, and the errors of Change.
func (s *Service) ChangePaid(ctx context.Context, order booking.PaymentOrder) (*waiting.Watch, error) {
	if order.Change == nil { // it is decided
		return nil, booking.ErrChangedMeanwhile
	}
	draft := order.Change.Draft
	draft.PaymentID, draft.Seen = order.PaymentID, &order.Change.Number
	watch, _, err := s.Change(ctx, Submitter{UserID: order.UserID, IdempotencyKey: order.IdempotencyKey},
		order.ReservationID, draft)
	if err != nil {
		return nil, err
	}
	if asked, ok := watch.OriginalRequest(); ok && asked.IdempotencyKey != order.IdempotencyKey {
		watch.Close()
		return nil, waiting.ErrInProgress
	}
	return watch, nil
}

// repeatChange finds the ticket of an earlier submission of a change that is refused now. Returns refusal if there is
// none.
func (s *Service) repeatChange(ctx context.Context, by Submitter, wanted CheckedChange, draft booking.ChangeDraft,
	refusal error) (*waiting.Watch, error) {
	slots, err := s.SlotsOf(ctx, draft.Draft(wanted.Reservation), wanted.Slot)
	if err != nil {
		return nil, refusal
	}
	watch, err := s.Room.FindByKey(ctx, lineup.OfStay(slots), strings.Clone(by.UserID),
		strings.Clone(by.IdempotencyKey))
	if err != nil {
		return nil, refusedUnless(err, refusal)
	}
	asked, err := requestOf(watch)
	if err != nil || asked.Change == nil || asked.Change.ReservationID != wanted.Reservation.ID ||
		asked.Slot != wanted.Slot {
		watch.Close()
		return nil, refusal
	}
	return watch, nil
}

// CheckedChange is a checked change that can enter the line of its slot.
type CheckedChange struct {
	booking.Request
	Restaurant  booking.Restaurant
	Reservation booking.Reservation // before the change
	Start       time.Time           // of its present slot
}

// CheckChange turns the draft of a change into a request that can enter the line. Returns ErrNotFound for reservations
// of others too, the errors of booking.Reservation.CheckChange, and *booking.InvalidError with every invalid field;
// with the latter two it also returns the reservation and the requested slot.
func (s *Service) CheckChange(ctx context.Context, userID, id string, draft booking.ChangeDraft) (CheckedChange,
	error) {
	res, err := s.Find(ctx, userID, id)
	if err != nil {
		return CheckedChange{}, err
	}
	wanted := CheckedChange{Reservation: res}
	if wanted.Restaurant, err = s.Catalog.FindRestaurant(ctx, res.RestaurantID); err != nil {
		return CheckedChange{}, err
	}
	if wanted.Start, err = wanted.Restaurant.Start(res.Slot.Date, res.Slot.Time); err != nil {
		return CheckedChange{}, err
	}
	menu, err := s.Catalog.ListMenu(ctx, res.RestaurantID)
	if err != nil {
		return CheckedChange{}, err
	}
	asked := draft.Draft(res)
	wanted.Request, err = asked.Check(wanted.Restaurant, res.MenuFor(menu), s.Now())
	wanted.UserID = userID
	wanted.Slot = booking.SlotKey{RestaurantID: res.RestaurantID, Date: booking.Date(asked.Date),
		Time: booking.TimeOfDay(asked.Time)}
	wanted.Change = &booking.Change{ReservationID: res.ID, Number: res.Changes, From: res.Slots(),
		FromParty: res.PartySize, Quoted: draft.Quoted, PaymentID: draft.PaymentID,
		Read: &booking.Texts{Note: res.Note, Allergies: res.Allergies}}
	if draft.Seen != nil && *draft.Seen != res.Changes {
		err = booking.ErrChangedMeanwhile
	}
	if late := res.CheckChange(wanted.Start, s.Now()); late != nil {
		err = late
	}
	return wanted, err
}

// Changes returns a page of the changes of a reservation, oldest first.
func (s *Service) Changes(ctx context.Context, res booking.Reservation,
	page keyset.Request) (keyset.Page[booking.PastChange], error) {
	if res.Changes == 0 {
		return keyset.Page[booking.PastChange]{}, nil
	}
	return s.Reservations.ListChanges(ctx, res.ID, page)
}
