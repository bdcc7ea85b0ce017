package diner

import (
	"context"
	"slices"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/payments"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// preview is a change as its diner sees it before it is made.
func (s *Pages) preview(ctx context.Context, f views.Layout, q reserve.Quote) (views.ChangePreview, error) {
	was, is := q.Reservation, q.Next.Reservation
	before, err := s.booked(ctx, was)
	if err != nil {
		return views.ChangePreview{}, err
	}
	after, err := s.booked(ctx, is)
	if err != nil {
		return views.ChangePreview{}, err
	}
	seats, err := s.seatsAfter(ctx, q)
	if err != nil {
		return views.ChangePreview{}, err
	}
	card := int64(0)
	if s.Checkout.IsOpen() && f.BalanceKnown && was.State != booking.Temporary {
		card = payments.ByCard(q.Next.Amount(), f.Balance)
	}
	return views.ChangePreview{
		Card:          card,
		CannotTopUp:   !s.PlayMoney,
		Layout:        f,
		ReservationID: was.ID,
		Restaurant:    before.restaurant,
		From: views.ChangeSide{At: before.at, Until: before.until, Party: was.PartySize, Items: before.items,
			Seats: was.SeatLabels()},
		To:         views.ChangeSide{At: after.at, Until: after.until, Party: is.PartySize, Items: after.items, Seats: seats},
		Texts:      was.Note != is.Note || was.Allergies != is.Allergies,
		Deposit:    [2]int64{was.DepositAmount, is.DepositAmount},
		MenuTotal:  [2]int64{was.MenuAmount, is.MenuAmount},
		Off:        [2]int64{was.Discount.Amount, is.Discount.Amount},
		Unpaid:     was.State == booking.Temporary,
		Amount:     q.Next.Amount(),
		Kept:       q.Next.Retained,
		CouponBack: q.Next.ReturnsCoupon,
		Policy:     is.Policy,
	}, nil
}

// seatsAfter are the labels of the named seats that a change would get now. Nobody keeps them for it before it is made.
func (s *Pages) seatsAfter(ctx context.Context, q reserve.Quote) ([]string, error) {
	r, was, req := q.Restaurant, q.Reservation, q.Request
	same := len(req.SeatIDs) == 0 && was.PartySize == req.PartySize && slices.Equal(was.Slots(), req.Slots())
	switch {
	case same:
		return was.SeatLabels(), nil
	case len(r.Seats) == 0:
		return nil, nil
	case len(req.SeatIDs) > 0:
		return respond.SeatMap(r, nil).Labels(req.SeatIDs), nil
	}
	known, err := s.Bookings.CachedOccupancy(ctx, r.ID, req.Slot.Date)
	if err != nil {
		return nil, err
	}
	ask := booking.Ask{PartyStay: booking.PartyStay{Party: req.PartySize, Stay: 1 + len(req.Stay)}, Slot: req.Slot,
		Own: &was}
	return respond.SeatMap(r, nil).Labels(r.Offer(ask, known, s.now()).SeatsFor(ask)), nil
}

// historyOf is a page of how a reservation was changed, the first change first, and the cursor of the next one; none if
// that is not known now.
func (s *Pages) historyOf(ctx context.Context, lang string, res booking.Reservation,
	page keyset.Request) ([]views.PastChange, string) {
	past, err := s.Bookings.Changes(ctx, res, page)
	if err != nil {
		s.Log.WarnContext(ctx, "read history of reservation failed", "error", err)
	}
	lines := make([]views.PastChange, 0, len(past.Items))
	for _, change := range past.Items {
		from, fromErr := s.sideOf(ctx, lang, change.From)
		to, toErr := s.sideOf(ctx, lang, change.To)
		if fromErr != nil || toErr != nil {
			continue
		}
		lines = append(lines, views.PastChange{When: change.At.In(from.At.Location()), From: from, To: to,
			Charged: change.Charged, Refunded: change.Refunded, Kept: change.Retained})
	}
	return lines, past.Next
}

func (s *Pages) sideOf(ctx context.Context, lang string, a booking.Agreed) (views.ChangeSide, error) {
	b, err := s.booked(ctx, booking.Reservation{RestaurantID: a.Slot.RestaurantID, Slot: a.Slot, Items: a.Items})
	return views.ChangeSide{At: b.at, Party: a.PartySize, Items: b.items}, err
}

// ownDishes adds the portions of a reservation that is being changed to what is left on its day.
func ownDishes(stock booking.Stock, res booking.Reservation, date booking.Date) {
	for _, it := range res.Items {
		if left, limited := stock[it.MenuItemID]; limited && date == res.Slot.Date {
			stock[it.MenuItemID] = left + it.Quantity
		}
	}
}
