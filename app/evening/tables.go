package evening

import (
	"slices"
	"time"

	"lunchgo/app/booking"
)

// Table is a named seat of the restaurant at the evening's moment.
type Table struct {
	Seat booking.Seat
	Now  *Party   // who sits there; nil: nobody
	Next []*Party // who comes there, or is there already and waits for it, by time; none: nobody any more on the day
}

// Tables are the named seats of the restaurant, in the order of its plan; none where seats have no names.
func (e Evening) Tables() []Table {
	tables := make([]Table, len(e.Restaurant.Seats))
	for i, seat := range e.Restaurant.Seats {
		tables[i].Seat = seat
	}
	for i := range e.Parties {
		p := &e.Parties[i]
		for _, id := range p.SeatIDs() {
			at := slices.IndexFunc(e.Restaurant.Seats, func(s booking.Seat) bool { return s.ID == id })
			switch {
			case at < 0: // of a plan of before
			case p.State == booking.Seated:
				tables[at].Now = p
			case p.State.HoldsSeats() && p.State != booking.RefundPending:
				tables[at].Next = append(tables[at].Next, p)
			}
		}
	}
	return tables
}

// Blocked returns the named seats that are given to nobody in the slot that runs now, or begins next; on a day to come
// those that are given to nobody all day.
func (e Evening) Blocked() booking.TakenSeats {
	slots := slices.DeleteFunc(slices.Clone(e.Slots), func(s Slot) bool { return !s.End.After(e.Now) })
	if len(slots) == 0 {
		return nil
	}
	if e.Date == booking.DateOf(e.Now, e.Restaurant.Location) {
		slots = slots[:1]
	}
	return slices.DeleteFunc(slices.Clone(slots[0].Seats), func(use booking.SeatUse) bool {
		return slices.ContainsFunc(slots, func(s Slot) bool { return s.Seats.State(use.ID) != booking.SeatBlocked })
	})
}

// Hours are a part of the evening.
type Hours struct{ From, To time.Time }

// BlockedHours returns when a named seat is given to nobody, in slots that are not over; none where those are all that
// are left of the day.
func (e Evening) BlockedHours(seat int64) (hours []Hours) {
	all := true
	for _, s := range e.Slots {
		switch last := len(hours) - 1; {
		case !s.End.After(e.Now):
		case s.Seats.State(seat) != booking.SeatBlocked:
			all = false
		case last >= 0 && hours[last].To.Equal(s.Start):
			hours[last].To = s.End
		default:
			hours = append(hours, Hours{s.Start, s.End})
		}
	}
	if all {
		return nil
	}
	return hours
}

// IsDue returns whether the party is expected and comes soon.
func (p Party) IsDue(now time.Time) bool {
	return p.IsExpected() && !now.Before(p.Start.Add(-booking.ArrivalWindow)) && now.Before(p.End)
}

// Seated are the parties that have their table, by the time at which their stay ends.
func (e Evening) Seated() []Party {
	var seated []Party
	for _, p := range e.Parties {
		if p.State == booking.Seated {
			seated = append(seated, p)
		}
	}
	slices.SortStableFunc(seated, func(a, b Party) int { return a.End.Compare(b.End) })
	return seated
}

// Left is how long the party still has its table at now; negative once its stay should have ended.
func (p Party) Left(now time.Time) time.Duration { return p.End.Sub(now) }
