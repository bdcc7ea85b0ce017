// Package payments begins payments through a provider for pages and programs, and answers what providers report.
package payments

import (
	"context"
	"errors"
	"net/url"

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

// Begin has the provider expect a payment for a reservation of what its diner's wallet cannot pay; lang is the diner's
// language. Returns the errors of payments.Service.Begin.
func (k Checkout) Begin(ctx context.Context, lang string, res booking.Reservation,
	order booking.PaymentOrder) (domain.Payment, error) {
	if !k.IsOpen() {
		return domain.Payment{}, domain.ErrNone
	}
	diner, err := k.dinerOf(ctx, lang, res)
	if err != nil {
		return domain.Payment{}, err
	}
	return k.Service.Begin(ctx, order, diner)
}

// BeginChange has the provider expect a payment of what a diner's wallet lacks for a change, as it costs now. Returns the
// errors of reserve.Service.QuoteChange, *booking.AmountChangedError when it costs more than quoted, and the errors of
// Begin.
func (k Checkout) BeginChange(ctx context.Context, lang string, by reserve.Submitter, id string,
	draft booking.ChangeDraft) (domain.Payment, error) {
	if !k.IsOpen() {
		return domain.Payment{}, domain.ErrNone
	}
	quote, err := k.Bookings.QuoteChange(ctx, by.UserID, id, draft)
	if err == nil {
		err = quote.Next.Check(draft.Quoted)
	}
	if err != nil {
		return domain.Payment{}, err
	}
	draft.Quoted = quote.Next.Amount()
	return k.Begin(ctx, lang, quote.Next.Reservation, booking.PaymentOrder{ReservationID: quote.Reservation.ID,
		UserID: by.UserID, Kind: booking.ForChange, IdempotencyKey: by.IdempotencyKey, Quoted: &draft.Quoted,
		Change: &booking.PaidChange{Draft: draft, Number: quote.Reservation.Changes}})
}

// Window returns what opens the payment window of a payment, where a page of ours opens it.
func (k Checkout) Window(ctx context.Context, lang string, p domain.Payment,
	res booking.Reservation) (domain.Window, bool, error) {
	if !k.IsOpen() {
		return domain.Window{}, false, nil
	}
	diner, err := k.dinerOf(ctx, lang, res)
	if err != nil {
		return domain.Window{}, false, err
	}
	window, ok := k.Service.Window(p, diner)
	return window, ok, nil
}

// Find returns a payment to its diner. Returns payments.ErrNotFound for those of others too.
func (k Checkout) Find(ctx context.Context, userID, id string) (domain.Payment, error) {
	if k.Service == nil {
		return domain.Payment{}, domain.ErrNotFound
	}
	return k.Service.Find(ctx, userID, id)
}

// UnderWay returns the id of a payment of a reservation that its diner has begun and not ended; empty if there is none.
func (k Checkout) UnderWay(ctx context.Context, res booking.Reservation) (string, error) {
	if k.Service == nil {
		return "", nil
	}
	p, err := k.Service.UnderWay(ctx, res.UserID, res.ID)
	if errors.Is(err, domain.ErrNotFound) {
		return "", nil
	}
	return p.ID, err
}

// Look asks the provider what became of a payment, unless it was asked just now, and takes the step that follows; query
// is what the browser came back with. Where the provider does not decide, the payment is as it was. Returns
// payments.ErrNotFound.
func (k Checkout) Look(ctx context.Context, id string, query url.Values) (domain.Payment, error) {
	if k.Service == nil {
		return domain.Payment{}, domain.ErrNotFound
	}
	reference := ""
	if k.IsOpen() {
		reference = k.Service.Provider.Returned(query)
	}
	p, _, err := k.Service.Look(ctx, id, reference)
	if errors.Is(err, domain.ErrUnsure) {
		return p, nil
	}
	return p, err
}

// Settle settles the payment of a change that was refused, of which the provider may have been asked just now. Returns
// payments.ErrNotFound.
func (k Checkout) Settle(ctx context.Context, id string) (domain.Payment, error) {
	if k.Service == nil {
		return domain.Payment{}, domain.ErrNotFound
	}
	p, err := k.Service.Settle(ctx, id, "")
	if errors.Is(err, domain.ErrUnsure) {
		return p, nil
	}
	return p, err
}

// maxTitle is how many characters a provider shows of what is paid for.
const maxTitle = 100

// dinerOf returns who pays for what, as the provider's page shows it.
func (k Checkout) dinerOf(ctx context.Context, lang string, res booking.Reservation) (domain.Diner, error) {
	place, err := k.Bookings.Catalog.FindRestaurant(ctx, res.RestaurantID)
	if err != nil {
		return domain.Diner{}, err
	}
	at, err := place.Start(res.Slot.Date, res.Slot.Time)
	if err != nil {
		return domain.Diner{}, err
	}
	user, err := k.People.FindUser(ctx, res.UserID)
	if err != nil {
		return domain.Diner{}, err
	}
	title := []rune(place.Name.In(lang) + " · " + i18n.DateTime(lang, at) + " · " + i18n.Party(lang, res.PartySize))
	return domain.Diner{Email: user.Email, Name: user.Name, Lang: lang, Title: string(title[:min(len(title), maxTitle)])},
		nil
}
