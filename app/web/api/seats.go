package api

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
)

// seat is a named seat of a restaurant, as it is in a slot.
type seat struct {
	ID       int64            `json:"id"`
	Label    string           `json:"label"`
	Kind     booking.SeatKind `json:"kind"`
	Places   int              `json:"places"`
	MinParty int              `json:"minParty"` // the smallest party that gets it
	// Seats that one party can have together with it.
	PartnerIDs []int64      `json:"partnerIds"`
	Area       booking.Area `json:"area"` // where it stands in the room, in centimetres
	// held: it waits for payment and may return. blocked: the restaurant gives it to nobody in that slot.
	State booking.SeatState `json:"state"`
}

type seatsAnswer struct {
	Seats []seat `json:"seats"`
}

// listSeats says who could sit where in a slot, a moment ago. It asks no database.
func (a *API) listSeats(c *fiber.Ctx, r booking.Restaurant) (of seatsAnswer, err error) {
	slot, err := slotOf(c, r)
	if err != nil {
		return of, err
	}
	taken, err := a.Bookings.TakenSeats(c.UserContext(), r, []booking.SlotKey{slot})
	return seatsAnswer{list(r.Seats, func(s booking.Seat) seat {
		return seat{ID: s.ID, Label: s.Label, Kind: s.Kind, Places: s.Places, MinParty: s.MinParty,
			PartnerIDs: orEmpty(s.Partners), Area: s.Area, State: taken.State(s.ID)}
	})}, err
}

// slotOf reads the slot that a query names.
func slotOf(c *fiber.Ctx, r booking.Restaurant) (booking.SlotKey, error) {
	for _, name := range []string{"date", "time"} {
		if c.Query(name) == "" {
			return booking.SlotKey{}, invalid(name, "required")
		}
	}
	date, err := dateOf(c)
	if err != nil {
		return booking.SlotKey{}, err
	}
	at, err := booking.ParseTimeOfDay(strings.Clone(c.Query("time")))
	return booking.SlotKey{RestaurantID: r.ID, Date: date, Time: at}, err
}
