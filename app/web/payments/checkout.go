// Package payments begins payments through a provider for pages and programs, and answers what providers report.
package payments

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	domain "lunchgo/app/payments"
	"lunchgo/app/reserve"
	"lunchgo/views/i18n"
)

// Checkout begins payments of reservations.
type Checkout struct {
	Service  *domain.Service // nil where no provider was ever set
	Bookings *reserve.Service
	People   identity.Store
}

// IsOpen says whether a provider takes new payments.
func (k Checkout) IsOpen() bool { return k.Service != nil && k.Service.Provider != nil }

// Begin has the provider expect a payment of what the diner's wallet cannot pay; lang is the diner's language. Returns
// the errors of payments.Service.Begin.
func (k Checkout) Begin(ctx context.Context, lang string, order booking.PaymentOrder) (domain.Payment, error) {
	if !k.IsOpen() {
		return domain.Payment{}, domain.ErrNone
	}
	diner, err := k.dinerOf(ctx, lang, order)
	if err != nil {
		return domain.Payment{}, err
	}
	return k.Service.Begin(ctx, order, diner)
}

// Find returns a payment to its diner. Returns payments.ErrNotFound for those of others too.
func (k Checkout) Find(ctx context.Context, userID, id string) (domain.Payment, error) {
	if k.Service == nil {
		return domain.Payment{}, domain.ErrNotFound
	}
	return k.Service.Find(ctx, userID, id)
}

// maxTitle is how many characters a provider shows of what is paid for.
const maxTitle = 100

// dinerOf returns who pays for what, as the provider's page shows it.
func (k Checkout) dinerOf(ctx context.Context, lang string, order booking.PaymentOrder) (domain.Diner, error) {
	res, err := k.Bookings.Find(ctx, order.UserID, order.ReservationID)
	if err != nil {
		return domain.Diner{}, err
	}
	place, err := k.Bookings.Catalog.FindRestaurant(ctx, res.RestaurantID)
	if err != nil {
		return domain.Diner{}, err
	}
	at, err := place.Start(res.Slot.Date, res.Slot.Time)
	if err != nil {
		return domain.Diner{}, err
	}
	user, err := k.People.FindUser(ctx, order.UserID)
	if err != nil {
		return domain.Diner{}, err
	}
	title := []rune(place.Name.In(lang) + " · " + i18n.DateTime(lang, at) + " · " + i18n.Party(lang, res.PartySize))
	return domain.Diner{Email: user.Email, Name: user.Name, Lang: lang, Title: string(title[:min(len(title), maxTitle)])},
		nil
}
