package reserve

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/waiting"
)

// Submitter is who presses, and the key that makes a repeated press the same press.
type Submitter struct {
	UserID         string
	IdempotencyKey string
}

// Submit checks a draft and enters it into its slot's line, or finds what became of an earlier press with the same key, even
// one that would be refused by now. It asks no database. A person has one ticket in a line: a press with another key finds it
// too, once the first is no longer "in progress". The caller must Close the watch. The restaurant is returned with errors of
// the draft and of the room too. Returns booking.ErrNotFound for an unknown restaurant, *booking.InvalidError with every fault
// of the draft, an error that is booking.ErrCoupon for a coupon that could not be used whoever has it, booking.ErrKeyReused
// when the key was used for another wish, and the errors of waiting.Room.Press.
func (s *Service) Submit(ctx context.Context, by Submitter, draft booking.Draft) (*waiting.Watch, booking.Restaurant, error) {
	restaurant, request, err := s.Check(ctx, draft)
	if err == nil {
		err = s.checkCoupon(ctx, request)
	}
	if err != nil {
		watch, err := s.repeat(ctx, by, draft, err)
		return watch, restaurant, err
	}
	// What enters the line outlives the request that these strings may be part of.
	request.UserID, request.IdempotencyKey = strings.Clone(by.UserID), strings.Clone(by.IdempotencyKey)
	wish, err := waiting.RequestFor(request)
	if err != nil {
		return nil, restaurant, err
	}
	watch, err := s.Room.Enter(ctx, wish)
	if err != nil {
		return nil, restaurant, err
	}
	if asked, ok := watch.Asked(); ok && asked.IdempotencyKey == by.IdempotencyKey && !sameRequest(asked, request) {
		watch.Close()
		return nil, restaurant, booking.ErrKeyReused
	}
	return watch, restaurant, nil
}

// checkCoupon goes by what is known of the coupon's campaign: nobody shall stand in line with one that is of no use. Whose
// it is, and whether it is free, the turn decides.
func (s *Service) checkCoupon(ctx context.Context, request booking.Request) error {
	if request.CouponID == 0 {
		return nil
	}
	campaign, err := s.Coupons.Look(ctx, request.CouponID)
	if errors.Is(err, coupon.ErrNotFound) {
		return booking.ErrCouponUnknown
	}
	if err == nil {
		_, err = campaign.Terms().DiscountOn(request, s.Now())
	}
	return err
}

// repeat answers a draft that is refused now, but that the same key has pressed before: a diner who has a place in the
// line, or a reservation from it, is not told that the slot begins too soon. Returns refusal if it has not.
func (s *Service) repeat(ctx context.Context, by Submitter, draft booking.Draft, refusal error) (*waiting.Watch, error) {
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
	watch, err := s.Room.Repeat(ctx, waiting.LineOfStay(slots), strings.Clone(by.UserID), strings.Clone(by.IdempotencyKey))
	if err != nil {
		return nil, refusal
	}
	asked, err := requestOf(watch)
	made := booking.Reservation{RestaurantID: asked.Slot.RestaurantID, Slot: asked.Slot, PartySize: asked.PartySize,
		Items: asked.Items, Note: asked.Note, Allergies: asked.Allergies, Discount: booking.Discount{CouponID: asked.CouponID}}
	for _, id := range asked.SeatIDs {
		made.Seats = append(made.Seats, booking.ReservedSeat{ID: id, Chosen: true})
	}
	if err != nil || !Matches(made, draft) {
		watch.Close()
		return nil, refusal
	}
	return watch, nil
}

// requestOf is what a watched ticket asked for.
func requestOf(watch *waiting.Watch) (asked booking.Request, err error) {
	wish, ok := watch.Asked()
	if !ok {
		return asked, waiting.ErrUnknownTicket
	}
	return asked, json.Unmarshal(wish.Payload, &asked)
}

// sameRequest says whether what was asked for is what is asked for now. Prices and policy are not compared: they may have
// changed since, and the diner's wish is the same.
func sameRequest(wish waiting.Request, request booking.Request) bool {
	var asked booking.Request
	if err := json.Unmarshal(wish.Payload, &asked); err != nil {
		return false
	}
	return sameChange(asked.Change, request.Change) && asked.Slot == request.Slot && asked.PartySize == request.PartySize && sameItems(asked.Items, request.Items) &&
		asked.Note == request.Note && asked.Allergies == request.Allergies && asked.CouponID == request.CouponID &&
		slices.Equal(asked.SeatIDs, request.SeatIDs)
}

// Matches says whether a reservation is what a draft asks for, so that a repeated key is not answered with another wish's
// reservation.
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
	return r.RestaurantID == draft.RestaurantID && string(r.Slot.Date) == draft.Date && string(r.Slot.Time) == draft.Time &&
		r.PartySize == draft.PartySize && sameItems(r.Items, items) && r.Note == draft.Note && r.Allergies == draft.Allergies &&
		r.Discount.CouponID == draft.CouponID && slices.Equal(r.ChosenSeatIDs(), slices.Sorted(slices.Values(draft.SeatIDs)))
}

func sameItems(a, b []booking.Item) bool {
	return slices.EqualFunc(a, b, func(x, y booking.Item) bool {
		return x.MenuItemID == y.MenuItemID && x.Quantity == y.Quantity
	})
}

// VisitOf is the party of a draft and for how many slots it would stay.
func VisitOf(ctx context.Context, bookings *Service, draft booking.Draft, slot booking.SlotKey) Visit {
	slots, err := bookings.SlotsOf(ctx, draft, slot)
	if err != nil {
		slots = []booking.SlotKey{slot}
	}
	return Visit{Party: draft.PartySize, Stay: len(slots)}
}
