package diner

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// seatsEvery is how often a visit that pickers show is looked at for a seat that has changed, once for all of them. It
// asks what this process knows, not the database.
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
		watcher := s.taken.Watch(visit{v.slots[0], len(v.slots)}, nil)
		defer watcher.Close()
		respond.Pump(ctx, stream, watcher.Next, func(taken booking.TakenSeats) (last bool, err error) {
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
	if err == nil {
		err = s.checkShown(r, date, at)
	}
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

// checkShown refuses a slot that no page shows: whoever watches slots that nobody can book wants to load the server.
// One that begins too soon to be booked is still on open pages.
func (s *Pages) checkShown(r booking.Restaurant, date booking.Date, at booking.TimeOfDay) error {
	switch err := r.CheckBookable(date, at, s.now()); {
	case errors.Is(err, booking.ErrTooFar):
		return respond.Invalid(respond.Field{Name: views.FieldDate, Reason: "too_far"})
	case errors.Is(err, booking.ErrPast):
		return respond.Invalid(respond.Field{Name: views.FieldTime, Reason: "past"})
	case errors.Is(err, booking.ErrTooSoon):
		return nil
	default:
		return err
	}
}

func outOfRange(field string, least, most int) respond.Problem {
	return respond.Invalid(respond.Field{Name: field, Reason: "out_of_range", Min: least, Max: most})
}

// visit is a first slot and a number of slots from there on.
type visit struct {
	first booking.SlotKey
	stay  int
}

// readTaken reads which seats are taken in the slots of a visit.
func (s *Pages) readTaken(ctx context.Context, v visit, _ booking.TakenSeats) (booking.TakenSeats, error) {
	r, err := s.Bookings.Catalog.FindRestaurant(ctx, v.first.RestaurantID)
	if err != nil {
		return nil, err
	}
	return s.Bookings.TakenSeats(ctx, r, v.first.Slots(r.StayFrom(v.first.Time, v.stay)))
}
