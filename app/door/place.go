package door

import (
	"time"

	"lunchgo/app/booking"
)

// Place is what a party that waits can expect.
type Place struct {
	Ahead int // parties that wait and came before
	// FitsNow says that a table is free for the whole stay of the party, after those before it have got theirs.
	FitsNow bool
	// At is when the first such table is free by the plan of the day; zero where the plan has none any more.
	At time.Time
	// Until is when the party would have to leave a table that is free now for a shorter stay only; empty if it would
	// not, or there is none.
	Until booking.TimeOfDay
}

// Wait is how long the party waits by the plan, in steps of five minutes; false where the plan has no table.
func (p Place) Wait(now time.Time) (time.Duration, bool) {
	const step = 5 * time.Minute
	if p.At.IsZero() {
		return 0, false
	}
	return max(0, (p.At.Sub(now) + step - 1).Truncate(step)), true
}

// day is a restaurant's day as it fills with the parties at its door.
type day struct {
	restaurant booking.Restaurant
	date       booking.Date
	now        time.Time
	slots      map[booking.TimeOfDay]booking.Occupancy
}

// Locate says what each party that waits can expect: in the order of the queue, those who were called first, each takes
// the first table that the plan of the day has for it, as a booking would. Whoever leaves early makes that sooner.
func Locate(r booking.Restaurant, date booking.Date, slots map[booking.TimeOfDay]booking.Occupancy, parties []Party,
	now time.Time) {
	d := day{r, date, now, slots}
	for _, state := range []State{Called, Waiting} {
		for i := range parties {
			if parties[i].State == state {
				parties[i].Place = d.place(parties[i].PartySize)
			}
		}
	}
	ahead := 0
	for i := range parties {
		if parties[i].IsOpen() {
			parties[i].Place.Ahead = ahead
			ahead++
		}
	}
}

// place finds the first table for a party, and takes it.
func (d *day) place(party int) (p Place) {
	now, walksIn := d.walkInSlot()
	for _, at := range d.restaurant.Times(d.date) {
		if start, ok := d.isOpen(at); ok {
			ask := d.ask(at, party)
			if offer := d.restaurant.Offer(ask, d.slots, d.now); d.gives(offer) {
				d.slots = offer.Take(d.restaurant, ask, d.slots)
				p.FitsNow = walksIn && at == now
				if p.At = start; p.FitsNow {
					p.At = d.now.Truncate(time.Minute)
				}
				return p
			}
			if walksIn && at == now {
				if shorter, until, ok := d.restaurant.Shorter(ask, nil, d.slots, d.now); ok && d.gives(shorter) {
					p.Until = until
				}
			}
		}
	}
	return p
}

func (d *day) gives(o booking.Offer) bool {
	return o.State == booking.OfferOpen && o.Joint.Waits(d.now) == nil
}

func (d *day) ask(at booking.TimeOfDay, party int) booking.Ask {
	return booking.Ask{PartyStay: booking.PartyStay{Party: party}, Staff: true, Begun: true,
		Slot: booking.SlotKey{RestaurantID: d.restaurant.ID, Date: d.date, Time: at}}
}

// isOpen returns when a slot begins, and whether it is not over.
func (d *day) isOpen(at booking.TimeOfDay) (time.Time, bool) {
	start, err := d.restaurant.Start(d.date, at)
	return start, err == nil && start.Add(time.Duration(d.restaurant.SlotMinutes)*time.Minute).After(d.now)
}

// walkInSlot returns the slot in which who is at the door sits down now: it runs, or begins soon.
func (d *day) walkInSlot() (booking.TimeOfDay, bool) {
	for _, at := range d.restaurant.Times(d.date) {
		if start, ok := d.isOpen(at); ok {
			return at, !start.After(d.now.Add(booking.ArrivalWindow))
		}
	}
	return "", false
}

// passedOver returns the parties that came before one, and could sit down as well.
func passedOver(parties []Party, p Party) (ids []string) {
	for _, other := range parties {
		if other.Number < p.Number && other.State == Waiting && other.Place.FitsNow {
			ids = append(ids, other.ID)
		}
	}
	return ids
}
