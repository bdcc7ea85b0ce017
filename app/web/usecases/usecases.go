// Package usecases names what the pages and the API do, so that it is handed on in one piece.
package usecases

import (
	"context"

	"lunchgo/app/closing"
	"lunchgo/app/coupon"
	"lunchgo/app/door"
	"lunchgo/app/evening"
	"lunchgo/app/favourites"
	"lunchgo/app/guests"
	"lunchgo/app/identity"
	"lunchgo/app/identity/oidc"
	"lunchgo/app/identity/passkey"
	"lunchgo/app/legal"
	"lunchgo/app/messages"
	"lunchgo/app/push"
	"lunchgo/app/rehearsal"
	"lunchgo/app/reports"
	"lunchgo/app/reserve"
	"lunchgo/app/reviews"
	"lunchgo/app/setup"
	"lunchgo/app/show"
	"lunchgo/app/team"
	"lunchgo/app/waiting"
	"lunchgo/app/wallet"
	"lunchgo/app/webhooks"
)

// All are the use cases of a site.
type All struct {
	Go func(func(ctx context.Context)) // runs what a request begins and does not wait for

	Identity   *identity.Service
	Providers  *oidc.Service // of sign-ins
	Passkeys   *passkey.Service
	Accounts   *identity.Accounts
	Documents  *legal.Library // that people agree to
	Bookings   *reserve.Service
	Coupons    *coupon.Service
	Waitlists  *reserve.Waitlists
	Drafts     *reserve.Drafts
	Team       *team.Service
	Rehearsals *rehearsal.Service
	Show       *show.Service // lets a visitor of a demo stand in a rush; nil elsewhere
	Evenings   *evening.Service
	Rules      *setup.Service
	Contents   *setup.Contents // of restaurants
	Reports    *reports.Service
	Guests     *guests.Service
	Reviews    *reviews.Service
	Favourites *favourites.Service
	Messages   *messages.Service
	Doors      *door.Service
	Closings   *closing.Service
	Webhooks   *webhooks.Service
	Push       *push.Service
	Operators  *identity.Operators
	Wallets    wallet.Store
	Room       *waiting.Room

	Offers         reserve.OfferLinks
	PaymentLinks   reserve.PaymentLinks
	CompanionLinks reserve.SealedLinks
	ComingLinks    reserve.SealedLinks
}
