package diner

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// seatsEvery is how often an open picker looks whether a seat has changed. It asks what this process knows, not
// the database.
const seatsEvery = 500 * time.Millisecond

// seatsEvents answers GET /restaurants/:slug/seats/events: the seats that can be chosen, whenever they change.
func (s *Pages) seatsEvents(c *fiber.Ctx) error {
	v, err := s.sittingOf(c)
	if err != nil {
		return err
	}
	if _, err := s.Bookings.TakenSeats(c.UserContext(), v.restaurant, v.slots); err != nil {
		return err
	}
	lang := respond.Lang(c)
	return s.Streams.Serve(c, func(ctx context.Context, stream *respond.Stream) {
		known, first := booking.TakenSeats(nil), true
		next := func(ctx context.Context) (booking.TakenSeats, error) {
			taken, err := s.seatsOtherThan(ctx, v, known, first)
			if err == nil {
				known, first = taken, false
			}
			return taken, err
		}
		respond.Pump(ctx, stream, next, func(taken booking.TakenSeats) (last bool, err error) {
			var part bytes.Buffer
			if err := pages.SeatChoice(v.picker(lang, taken)).Render(ctx, &part); err != nil {
				return true, err
			}
			return false, stream.Send("seats", version(), part.String())
		})
	})
}

// sittingOf reads the party and the slots of an address. Returns booking.ErrNotFound where seats have no names.
func (s *Pages) sittingOf(c *fiber.Ctx) (sitting, error) {
	r, err := s.Bookings.Catalog.FindRestaurantBySlug(c.UserContext(), c.Params("slug"))
	if err == nil && len(r.Seats) == 0 {
		err = booking.ErrNotFound
	}
	if err != nil {
		return sitting{}, err
	}
	date, err := booking.ParseDate(strings.Clone(c.Query(views.FieldDate))) // the stream outlives the request
	if err != nil {
		return sitting{}, err
	}
	at, err := booking.ParseTimeOfDay(strings.Clone(c.Query(views.FieldTime)))
	if err != nil {
		return sitting{}, err
	}
	start, err := r.Start(date, at)
	if err != nil {
		return sitting{}, err
	}
	party, ok := respond.ReadPartySize(c.Query(views.FieldParty), usualParty(r))
	if !ok || party < r.PartyMin || party > r.PartyMax {
		return sitting{}, outOfRange(views.FieldParty, r.PartyMin, r.PartyMax)
	}
	stay, err := strconv.Atoi(c.Query(views.FieldStay, "1"))
	if err != nil || stay < 1 || stay > booking.MaxStay {
		return sitting{}, outOfRange(views.FieldStay, 1, booking.MaxStay)
	}
	first := booking.SlotKey{RestaurantID: r.ID, Date: date, Time: at}
	return sitting{r, first.Slots(r.StayFrom(at, stay)), start, party}, nil
}

func outOfRange(field string, least, most int) respond.Problem {
	return respond.Invalid(respond.Field{Name: field, Reason: "out_of_range", Min: least, Max: most})
}

// seatsOtherThan waits until other seats are taken than those that are known; not for the first time. What cannot
// be asked just now is asked again.
func (s *Pages) seatsOtherThan(ctx context.Context, v sitting, known booking.TakenSeats,
	first bool) (booking.TakenSeats, error) {
	ticker := time.NewTicker(seatsEvery)
	defer ticker.Stop()
	for {
		taken, err := s.Bookings.TakenSeats(ctx, v.restaurant, v.slots)
		if err == nil && (first || !slices.Equal(taken, known)) {
			return taken, nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
