package diner

import (
	"context"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
	"lunchgo/app/booking"
	"lunchgo/views"
)

// booked is what every page about a reservation shows.
type booked struct {
	restaurant *booking.Restaurant
	at         time.Time
	end        time.Time // of the stay
	until      time.Time // end, of a stay that is no slot long
	items      []booking.Item
}

func (s *Pages) booked(ctx context.Context, res booking.Reservation) (booked, error) {
	r, err := s.Bookings.Catalog.FindRestaurant(ctx, res.RestaurantID)
	if err != nil {
		return booked{}, err
	}
	at, err := r.Start(res.Slot.Date, res.Slot.Time)
	if err != nil {
		return booked{}, err
	}
	b := booked{restaurant: &r, at: at, items: res.Items}
	b.end, err = r.LeaveAt(res.Slot, res.Stay, res.Policy)
	if res.StayMinutes() != res.SlotMinutes {
		b.until = b.end
	}
	return b, err
}

// shown is what pages say of a reservation.
func (b booked) shown(res booking.Reservation) views.Booked {
	return views.Booked{ReservationID: res.ID, Visit: b.visit(res), Seats: res.SeatLabels()}
}

func (b booked) visit(res booking.Reservation) views.Visit {
	return views.Visit{Restaurant: b.restaurant, At: b.at, Until: b.until, Party: res.PartySize}
}

// reservationPage is everything about a reservation but its QR code.
func (s *Pages) reservationPage(c *fiber.Ctx, res booking.Reservation) (views.Reservation, error) {
	b, err := s.booked(c.UserContext(), res)
	if err != nil {
		return views.Reservation{}, err
	}
	res.State, res.HoldExpiresAt = s.stateOf(res), res.HoldExpiresAt.In(b.restaurant.Location)
	offered, withdrawn, err := s.moveOfferFor(c, res, b)
	if err != nil {
		return views.Reservation{}, err
	}
	return views.Reservation{Layout: s.layout(c), MoveOffer: offered, Withdrawn: withdrawn, Reservation: res,
		GoogleURL:  s.eventOf(c, b, res).GoogleURL(),
		Restaurant: b.restaurant, At: b.at, Until: b.until, Push: s.pushOf(c, res.Slot),
		Now: s.now(), Changeable: res.CheckChange(b.at, s.now()) == nil, Cancel: s.offer(res, b)}, nil
}

// stateOf is the state as its diner sees it: a hold that has ended is over, also in the moment until its seats are
// taken back.
func (s *Pages) stateOf(res booking.Reservation) booking.State {
	if res.State == booking.Temporary && !s.now().Before(res.HoldExpiresAt) {
		return booking.Expired
	}
	return res.State
}

// offer is what cancelling now gives back; nil when it is too late.
func (s *Pages) offer(res booking.Reservation, b booked) *views.CancelOffer {
	if !s.stateOf(res).HoldsSeats() {
		return nil
	}
	quote, err := res.CancellationFor(b.at, s.now())
	if err != nil {
		return nil
	}
	offer := &views.CancelOffer{Refund: quote.Refund, Coupon: res.Discount.CouponID != 0}
	if !quote.FreeUntil.IsZero() {
		offer.FreeUntil = quote.FreeUntil.In(b.at.Location())
	}
	if res.PaidAmount > 0 {
		offer.Percent = int(quote.Refund * 100 / res.PaidAmount)
	}
	return offer
}

// sortedRows are a diner's reservations as lists show them: those to come, soonest first, those that ended before their
// time, and those whose time has passed, both latest first.
type sortedRows struct{ upcoming, ended, past []views.ReservationRow }

func (s *Pages) rowsOf(ctx context.Context, lang string, all []booking.Reservation) (rows sortedRows, err error) {
	_, reviewable, err := s.ownReviews(ctx, all)
	if err != nil {
		return rows, err
	}
	for _, res := range all {
		b, err := s.booked(ctx, res)
		if err != nil {
			return rows, err
		}
		row := views.ReservationRow{ID: res.ID, Visit: b.visit(res), State: s.stateOf(res),
			Reviewable: reviewable[res.ID], HoldExpiresAt: res.HoldExpiresAt.In(b.restaurant.Location)}
		switch {
		case b.at.Before(s.now().Add(-afterStart)), row.State == booking.Completed, row.State == booking.NoShow:
			rows.past = append(rows.past, row)
		case !row.State.HoldsSeats():
			rows.ended = append(rows.ended, row)
		default:
			rows.upcoming = append(rows.upcoming, row)
		}
	}
	latest := func(a, b views.ReservationRow) int { return b.At.Compare(a.At) }
	slices.SortStableFunc(rows.upcoming, func(a, b views.ReservationRow) int { return a.At.Compare(b.At) })
	slices.SortStableFunc(rows.ended, latest)
	slices.SortStableFunc(rows.past, latest)
	return rows, nil
}

// afterStart is how long after it began a reservation is still listed among those to come: its guests may be on
// their way.
const afterStart = 2 * time.Hour
