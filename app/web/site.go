package web

import (
	"context"
	"log/slog"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/identity"
	"lunchgo/app/mail"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
	"lunchgo/app/wallet"
	"lunchgo/app/web/auth"
	"lunchgo/app/web/frame"
	"lunchgo/app/web/memo"
	"lunchgo/app/web/sse"
	"lunchgo/app/web/tries"
)

// dinerDeps is what the diners' pages work with.
type dinerDeps struct {
	Secure  bool           // over TLS, which a proxy ends
	BaseURL string         // what addresses in QR codes and calendars begin with; empty: as the request came
	Zone    *time.Location // in which dates without a restaurant are read
	Demo    []DemoAccount  // offered on the sign-in page
	Mailbox mail.Store     // whose letters are shown at /mailbox; nil where a mail server sends them

	Identity  *identity.Service
	Bookings  *reserve.Service
	Coupons   *coupon.Service
	Waitlists *reserve.Waitlists
	Offers    reserve.OfferLinks
	Wallets   wallet.Store
	Room      *waiting.Room
	Log       *slog.Logger

	Frames  *frame.Maker
	Streams sse.Streams
	Guard   auth.Guard
	Tries   *tries.Guard
}

// DemoAccount is an account that anybody may try.
type DemoAccount struct {
	Name     booking.Text
	Email    string
	Password string
}

// site answers the requests of diners. Its handlers stand one action a file.
type site struct {
	dinerDeps

	// What a crowd asks for at the same moment is worked out once for all of them.
	seats  memo.Memo[booking.SlotKey, booking.Occupancy]
	nearby *reserve.Nearby
	stocks *reserve.Stocks
	held   memo.Memo[string, []coupon.Held] // by user
	months memo.Memo[monthWish, []reserve.Day]
}

// How long such answers are kept, and how many.
const (
	crowdLife = time.Second
	crowdMost = 1_000
	heldMost  = 20_000 // of the diners who choose a menu before they press
)

// newSite returns the diners' pages over their parts.
func newSite(deps dinerDeps) *site {
	return &site{
		dinerDeps: deps,
		seats:     memo.Memo[booking.SlotKey, booking.Occupancy]{Life: crowdLife, Most: crowdMost},
		nearby:    reserve.NewNearby(deps.Bookings),
		stocks:    reserve.NewStocks(deps.Bookings),
		held:      memo.Memo[string, []coupon.Held]{Life: crowdLife, Most: heldMost},
		months:    memo.Memo[monthWish, []reserve.Day]{Life: crowdLife, Most: crowdMost},
	}
}

// occupancy is how full a slot is, a moment ago.
func (s *site) occupancy(ctx context.Context, r booking.Restaurant, slots []booking.SlotKey) (booking.Occupancy, error) {
	each := make([]booking.Occupancy, len(slots))
	for i, slot := range slots {
		var err error
		if each[i], err = s.occupancyOf(ctx, r, slot); err != nil {
			return booking.Occupancy{}, err
		}
	}
	return booking.AllOf(each), nil
}

func (s *site) occupancyOf(ctx context.Context, r booking.Restaurant, slot booking.SlotKey) (booking.Occupancy, error) {
	return s.seats.Load(ctx, slot, func(ctx context.Context) (booking.Occupancy, error) {
		known, err := s.Bookings.Availability.List(ctx, slot.RestaurantID, slot.Date)
		if o, ok := known[slot.Time]; ok || err != nil {
			return o, err
		}
		return booking.Occupancy{Capacity: r.Capacity}, nil
	})
}

// now is the clock of the services.
func (s *site) now() time.Time { return s.Bookings.Now() }

// today is the date where no restaurant says in which zone.
func (s *site) today() booking.Date { return booking.DateOf(s.now(), s.Zone) }
