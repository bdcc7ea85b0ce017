// Package diner serves the pages of diners: search, book, wait, pay, change, cancel, wallet, account. Every route is in
// routes.go; each file besides is one page or one action.
package diner

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/cache"
	"lunchgo/app/coupon"
	"lunchgo/app/keyset"
	"lunchgo/app/mail"
	"lunchgo/app/reserve"
	"lunchgo/app/reviews"
	checkout "lunchgo/app/web/payments"
	"lunchgo/app/web/ratelimit"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/usecases"
)

// Deps is what the diners' pages work with.
type Deps struct {
	BaseURL string         // what addresses in QR codes and calendars begin with; empty: where the request was received
	Zone    *time.Location // in which dates without a restaurant are read
	Demo    []DemoAccount  // offered on the sign-in page
	// PlayMoney says that wallets are charged without a payment, as in a demo; else not at all.
	PlayMoney bool
	Mailbox   *mail.Mailbox // shown at /mailbox; nil outside a demo, or where a mail server sends them
	NoLetters bool          // letters are neither sent nor shown
	Texts     bool          // what cannot wait goes to phones as well

	usecases.All
	Log       *slog.Logger
	Layouts   *respond.Layouts
	Streams   respond.Streams
	Sessions  respond.Authenticator
	Limits    *ratelimit.Guard
	Downloads *respond.Downloads
	Checkout  checkout.Checkout

	FormPatience func() time.Duration // how long a form waits for its turn before it shows the line; nil: 700 ms
}

// DemoAccount is an account that anybody may try.
type DemoAccount struct {
	Name     booking.Text
	Email    string
	Password string
}

// Pages answers the requests of diners. One action is one file.
type Pages struct {
	Deps

	// What a crowd asks for at the same moment is worked out once for all of them.
	seats  cache.Cache[booking.SlotKey, booking.Occupancy]
	left   cache.Cache[asked, int]
	nearby *reserve.Nearby
	stocks *reserve.Stocks
	held   cache.Cache[string, []coupon.Held] // by user
	months cache.Cache[monthKey, []reserve.Day]
	newest cache.Cache[int64, keyset.Page[reviews.Review]] // by restaurant
	maps   sitemaps

	// What streams of many show is read once for all of them.
	taken *respond.Feeds[visit, booking.TakenSeats]
	lists *respond.Feeds[booking.SlotKey, waitingList]
	doors *respond.Feeds[doorKey, doorQueue]
}

// How long such answers are cached, and how many.
const (
	crowdLife = time.Second
	crowdMost = 1_000
	heldMost  = 20_000 // of the diners who choose a menu before they book
)

// New returns the diners' pages over their parts.
func New(deps Deps) *Pages {
	if deps.FormPatience == nil {
		deps.FormPatience = func() time.Duration { return turnPatience }
	}
	s := &Pages{
		Deps:   deps,
		seats:  cache.Cache[booking.SlotKey, booking.Occupancy]{Life: crowdLife, Most: crowdMost},
		left:   cache.Cache[asked, int]{Life: crowdLife, Most: crowdMost},
		nearby: reserve.NewNearby(deps.Bookings),
		stocks: reserve.NewStocks(deps.Bookings),
		held:   cache.Cache[string, []coupon.Held]{Life: crowdLife, Most: heldMost},
		months: cache.Cache[monthKey, []reserve.Day]{Life: crowdLife, Most: crowdMost},
		newest: cache.Cache[int64, keyset.Page[reviews.Review]]{Life: crowdLife, Most: crowdMost},
	}
	s.taken = &respond.Feeds[visit, booking.TakenSeats]{Every: seatsEvery, Read: s.readTaken,
		Same: func(a, b booking.TakenSeats) bool { return slices.Equal(a, b) }}
	s.lists = &respond.Feeds[booking.SlotKey, waitingList]{Every: waitLookEvery, Read: s.readList,
		Same: func(a, b waitingList) bool { return a.version == b.version }}
	s.doors = &respond.Feeds[doorKey, doorQueue]{Every: doorEvery, Slowest: 10 * doorEvery, Read: s.readDoor,
		Same: sameDoor}
	return s
}

// occupancy is how full a slot is, a moment ago.
func (s *Pages) occupancy(ctx context.Context, r booking.Restaurant,
	slot booking.SlotKey) (booking.Occupancy, error) {
	return s.seats.Load(ctx, slot, func(ctx context.Context) (booking.Occupancy, error) {
		known, err := s.Bookings.Availability.List(ctx, slot.RestaurantID, slot.Date)
		if o, ok := known[slot.Time]; ok || err != nil {
			return o, err
		}
		return r.EmptySlot(slot.Date), nil
	})
}

// asked is a party that waits for a slot.
type asked struct {
	slot booking.SlotKey
	booking.PartyStay
}

// seatsLeft is how many seats a party could have from a slot on, a moment ago.
func (s *Pages) seatsLeft(ctx context.Context, r booking.Restaurant, slot booking.SlotKey,
	v booking.PartyStay) (int, error) {
	return s.left.Load(ctx, asked{slot, v}, func(ctx context.Context) (int, error) {
		known, err := s.Bookings.Availability.List(ctx, slot.RestaurantID, slot.Date)
		return r.Offer(booking.Ask{PartyStay: v, Slot: slot}, known, s.now()).Remaining, err
	})
}

// now is the clock of the services.
func (s *Pages) now() time.Time { return s.Bookings.Now() }

// today is the date where no restaurant says in which zone.
func (s *Pages) today() booking.Date { return booking.DateOf(s.now(), s.Zone) }
