package staff

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// bookDay are the times of a day for which staff can book.
type bookDay struct {
	times []booking.TimeOfDay
	slots map[booking.TimeOfDay]booking.Occupancy
}

// dayFor reads the times of a day that are not over; with begun, that which runs now is among them.
func (p *Pages) dayFor(ctx context.Context, w place, date booking.Date, begun bool) (bookDay, error) {
	slots, err := p.Bookings.Occupancies(ctx, w.By, w.Restaurant, date)
	if err != nil {
		return bookDay{}, err
	}
	day := bookDay{slots: slots}
	length := time.Duration(w.Restaurant.SlotMinutes) * time.Minute
	for at := range slots {
		last, err := w.Restaurant.Start(date, at)
		if begun {
			last = last.Add(length)
		}
		if err == nil && last.After(p.Bookings.Now()) {
			day.times = append(day.times, at)
		}
	}
	slices.Sort(day.times)
	return day, nil
}

// choices are the times with how many seats are left, or why none can be had.
func (p *Pages) choices(lang string, w place, d bookDay) []views.Choice {
	var choices []views.Choice
	for _, at := range d.times {
		o, now := d.slots[at], p.Bookings.Now()
		key := "guests.time"
		switch still := o.Waits(now); {
		case o.Closed:
			key = "guests.time_closed"
		case errors.Is(still, booking.ErrPaused):
			key = "guests.time_paused"
		case still != nil:
			key = "guests.time_opens"
		case o.Remaining() == 0:
			key = "guests.time_full"
		}
		label := i18n.T(lang, key, "Time", string(at), "Left", o.Remaining(), "Opens", w.opening(lang, o.OpensAt, now))
		choices = append(choices, views.Choice{Value: string(at), Label: label})
	}
	if len(choices) == 0 {
		choices = append(choices, views.Choice{Label: i18n.T(lang, "guests.no_times")})
	}
	return choices
}

// opening is when a slot opens: the time, with its date if that is another day than now.
func (w place) opening(lang string, at, now time.Time) string {
	return views.Steering{OpensAt: at.In(w.Restaurant.Location), Now: now}.OpeningTime(lang)
}

// refusedFor is for what staff were refused.
type refusedFor struct {
	place
	slot   booking.SlotKey
	layout views.Layout
	seats  []views.StaffSeat
}

// mostInstead is how many other times a refusal offers.
const mostInstead = 3

// refusalOf says why staff did not get what they asked for, and what there is instead: of seats, who has them and which
// are free; of a full slot, the other times of the day that have seats.
func (p *Pages) refusalOf(ctx context.Context, f refusedFor, err error) views.Refusal {
	var invalid *booking.InvalidError
	if errors.As(err, &invalid) {
		return views.Refusal{}
	}
	r := views.Refusal{Text: respond.Sentence(f.layout.Lang, respond.ProblemOf(err))}
	var taken *booking.SeatTakenError
	if errors.As(err, &taken) {
		r.Seats = f.seatsSentence(taken)
		return r
	}
	if still := p.stillOf(f, err, &r); !still && !booking.IsGone(err) {
		return r
	}
	day, err := p.dayFor(ctx, f.place, f.slot.Date, false)
	if err != nil {
		return r // a refusal without other times beats none
	}
	for _, at := range day.times {
		o := day.slots[at]
		start, err := f.Restaurant.Start(f.slot.Date, at)
		if err != nil || o.Closed || o.Waits(p.Bookings.Now()) != nil || o.Remaining() == 0 || at == f.slot.Time ||
			len(r.Times) == mostInstead {
			continue
		}
		r.Times = append(r.Times,
			views.Choice{Label: f.layout.T("guests.time", "Time", string(at), "Left", o.Remaining()),
				Value: views.StaffBookURL(f.Restaurant.ID, start) + "&" + views.FieldTime + "=" + string(at)})
	}
	return r
}

// stillOf says which slot stands still, if that is why staff are refused, and offers to let it go on if they may.
func (p *Pages) stillOf(f refusedFor, err error, r *views.Refusal) bool {
	var paused *booking.PausedError
	var notOpen *booking.NotOpenError
	slot, part, action := booking.SlotKey{}, views.PartResume, team.OpenCloseSlot
	switch {
	case errors.As(err, &paused):
		slot = paused.Slot
		r.Text, r.Seats = f.layout.T("guests.paused", "Time", string(slot.Time)), paused.Reason
	case errors.As(err, &notOpen):
		slot, part, action = notOpen.Slot, views.PartOpenNow, team.PlanOpening
		r.Text = f.layout.T("guests.opens", "Time", string(slot.Time),
			"Opens", f.opening(f.layout.Lang, notOpen.OpensAt, p.Bookings.Now()))
	default:
		return false
	}
	if start, err := f.Restaurant.Start(slot.Date, slot.Time); err == nil && f.By.May(action) {
		r.Part, r.Action = part, views.StaffSlotControlsURL(f.Restaurant.ID, start)
	}
	return true
}

// seatsSentence says who has the seats, and which are free instead.
func (f refusedFor) seatsSentence(taken *booking.SeatTakenError) string {
	var has, free []string
	for _, seat := range f.seats {
		if slices.Contains(taken.Taken, seat.ID) {
			name := seat.Guest
			if name == "" {
				name = "–"
			}
			has = append(has, f.layout.T("guests.seat_of", "Seat", seat.Label, "Name", name))
		}
		if slices.Contains(taken.Instead, seat.ID) {
			free = append(free, seat.Label)
		}
	}
	key := "guests.seats_instead"
	if len(free) == 0 {
		key = "guests.seats_taken"
	}
	return f.layout.T(key, "Taken", strings.Join(has, ", "), "Free", strings.Join(free, ", "))
}
