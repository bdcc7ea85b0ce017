package reserve

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/lineup"
	"lunchgo/app/waiting"
)

// Submitter is the diner who submits a request, and the key that makes a repeat the same submission.
type Submitter struct {
	UserID         string
	IdempotencyKey string
}

// Submit checks a draft and enters it into the line of its slots, or finds the ticket or the result of an earlier
// submission with the same key, even one that would be refused by now. It does not query the database. A diner has one
// ticket in a line: a submission with another key finds it too, once the first is no longer "in progress". The caller
// must Close the watch. Submit returns the restaurant with most errors too. Returns booking.ErrNotFound for an unknown
// restaurant, *booking.InvalidError with every invalid field, an error that is booking.ErrCoupon for a coupon that is
// of no use to anybody, booking.ErrKeyReused for a key of another request, and the errors of waiting.Room.Enter.
func (s *Service) Submit(ctx context.Context, by Submitter, draft booking.Draft) (*waiting.Watch, booking.Restaurant,
	error) {
	restaurant, request, err := s.Check(ctx, draft)
	if err == nil {
		err = s.checkCoupon(ctx, request)
	}
	if err != nil {
		watch, err := s.repeat(ctx, by, draft, err)
		return watch, restaurant, err
	}
	watch, err := s.enter(ctx, by, request)
	return watch, restaurant, err
}

// enter enters a checked request into the line of its slots, or finds the ticket that its user has there. Returns
// booking.ErrKeyReused when the key belongs to another request.
func (s *Service) enter(ctx context.Context, by Submitter, request booking.Request) (*waiting.Watch, error) {
	// The ticket outlives the HTTP request whose memory these strings may share.
	request.UserID, request.IdempotencyKey = strings.Clone(by.UserID), strings.Clone(by.IdempotencyKey)
	request.Note, request.Allergies = strings.Clone(request.Note), strings.Clone(request.Allergies)
	entering, err := lineup.RequestFor(request)
	if err != nil {
		return nil, err
	}
	watch, err := s.Room.Enter(ctx, entering)
	if err != nil {
		return nil, err
	}
	if asked, ok := watch.OriginalRequest(); ok && asked.IdempotencyKey == by.IdempotencyKey &&
		!bytes.Equal(asked.Payload, entering.Payload) && lineup.FingerprintOf(asked) != request.Fingerprint() {
		watch.Close()
		return nil, booking.ErrKeyReused
	}
	return watch, nil
}

// checkCoupon refuses a coupon whose campaign makes it useless for the request, so that nobody waits in vain. The turn
// decides the same, and whether the diner has it and has not used it.
func (s *Service) checkCoupon(ctx context.Context, request booking.Request) error {
	if request.CouponID == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, waiting.LookTime)
	defer cancel()
	campaign, err := s.Coupons.Look(ctx, request.CouponID)
	switch {
	case errors.Is(err, coupon.ErrNotFound):
		return booking.ErrCouponUnknown
	case err != nil:
		return nil
	}
	_, err = campaign.Terms().DiscountOn(request, s.Now())
	return err
}

// repeat finds the ticket of an earlier submission of a draft that is refused now: a diner who has a place in the line,
// or a reservation, must not read that the slot begins too soon. Returns refusal if there is none, and the errors of
// waiting.Room.FindByKey.
func (s *Service) repeat(ctx context.Context, by Submitter, draft booking.Draft, refusal error) (*waiting.Watch,
	error) {
	var invalid *booking.InvalidError
	date, dateErr := booking.ParseDate(draft.Date)
	at, timeErr := booking.ParseTimeOfDay(draft.Time)
	if !errors.As(refusal, &invalid) && !errors.Is(refusal, booking.ErrCoupon) || dateErr != nil || timeErr != nil {
		return nil, refusal
	}
	slots, err := s.SlotsOf(ctx, draft, booking.SlotKey{RestaurantID: draft.RestaurantID, Date: date, Time: at})
	if err != nil {
		return nil, refusal
	}
	watch, err := s.Room.FindByKey(ctx, lineup.OfStay(slots), strings.Clone(by.UserID),
		strings.Clone(by.IdempotencyKey))
	if err != nil {
		return nil, refusedUnless(err, refusal)
	}
	asked, ok := watch.OriginalRequest()
	if !ok || lineup.FingerprintOf(asked) != draft.Fingerprint() {
		watch.Close()
		return nil, refusal
	}
	return watch, nil
}

// refusedUnless returns the refusal of a submission of which no earlier one was found with an error: that error, where it
// does not say that there was none.
func refusedUnless(err, refusal error) error {
	if errors.Is(err, waiting.ErrUnknownTicket) {
		return refusal
	}
	return err
}

// requestOf returns the request of a watched ticket.
func requestOf(watch *waiting.Watch) (asked booking.Request, err error) {
	ticket, ok := watch.OriginalRequest()
	if !ok {
		return asked, waiting.ErrUnknownTicket
	}
	return lineup.BookingOf(ticket)
}

// Matches returns whether a reservation equals a draft, so that a repeated key never returns another reservation.
func Matches(r booking.Reservation, draft booking.Draft) bool {
	items := make([]booking.Item, 0, len(draft.Items))
	for _, it := range draft.Items {
		at := slices.IndexFunc(items, func(x booking.Item) bool { return x.MenuItemID == it.MenuItemID })
		if at < 0 {
			items = append(items, booking.Item{MenuItemID: it.MenuItemID, Quantity: it.Quantity})
			continue
		}
		items[at].Quantity += it.Quantity
	}
	slices.SortFunc(items, func(a, b booking.Item) int { return int(a.MenuItemID - b.MenuItemID) })
	return r.RestaurantID == draft.RestaurantID && string(r.Slot.Date) == draft.Date &&
		string(r.Slot.Time) == draft.Time &&
		r.PartySize == draft.PartySize && sameItems(r.Items, items) &&
		(r.DetailsChanged || r.Note == draft.Note && r.Allergies == draft.Allergies) &&
		r.Discount.CouponID == draft.CouponID &&
		slices.Equal(r.ChosenSeatIDs(), slices.Sorted(slices.Values(draft.SeatIDs)))
}

func sameItems(a, b []booking.Item) bool {
	return slices.EqualFunc(a, b, func(x, y booking.Item) bool {
		return x.MenuItemID == y.MenuItemID && x.Quantity == y.Quantity
	})
}

// PartyStayOf returns the party size of a draft and the length of its stay.
func PartyStayOf(ctx context.Context, bookings *Service, draft booking.Draft, slot booking.SlotKey) booking.PartyStay {
	r, menu, err := bookings.houseOf(ctx, draft.RestaurantID)
	if err != nil {
		return booking.PartyStay{Party: draft.PartySize, Stay: 1}
	}
	return r.Elsewhere(slot, draft.PartySize, draft.StayMinutes(r, menu, slot))
}
