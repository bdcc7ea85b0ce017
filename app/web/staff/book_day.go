package staff

import (
	"context"
	"errors"
	"slices"
	"strconv"
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
	date  booking.Date
	times []booking.TimeOfDay
	slots map[booking.TimeOfDay]booking.Occupancy
}

// dayFor reads the times of a day that are not over; with begun, that which runs now is among them.
func (p *Pages) dayFor(ctx context.Context, w place, date booking.Date, begun bool) (bookDay, error) {
	slots, err := p.Bookings.Occupancies(ctx, w.By, w.Restaurant, date)
	if err != nil {
		return bookDay{}, err
	}
	day := bookDay{date: date, slots: slots}
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

// inWay returns why a party would not get some seats, or any if there are none; nil if it would.
func (d bookDay) inWay(r booking.Restaurant, ask booking.Ask, seats []int64, now time.Time) error {
	offer := r.Offer(ask, d.slots, now)
	still := offer.Joint.CheckStill(ask.Slot, now)
	if still != nil || len(seats) == 0 && offer.State == booking.OfferOpen {
		return still
	}
	return r.CheckSeats(ask, seats, d.slots, now)
}

// choices are the times with how many seats are left for who asks, or why none can be had.
func (p *Pages) choices(lang string, w place, d bookDay, ask booking.Ask) []views.Choice {
	var choices []views.Choice
	for _, at := range d.times {
		now := p.Bookings.Now()
		ask.Slot = booking.SlotKey{RestaurantID: w.Restaurant.ID, Date: d.date, Time: at}
		offer := w.Restaurant.Offer(ask, d.slots, now)
		o, key := offer.Joint, "guests.time"
		switch still := o.Waits(now); {
		case o.Closed:
			key = "guests.time_closed"
		case errors.Is(still, booking.ErrPaused):
			key = "guests.time_paused"
		case still != nil:
			key = "guests.time_opens"
		case offer.State != booking.OfferOpen && offer.Remaining == 0:
			key = "guests.time_full"
		case offer.State != booking.OfferOpen:
			key = "guests.time_few"
		}
		left, until := offer.Remaining, booking.TimeOfDay("")
		if key == "guests.time_full" || key == "guests.time_few" {
			if shorter, end, ok := w.Restaurant.Shorter(ask, nil, d.slots, now); ok {
				key, left, until = "guests.time_until", shorter.Remaining, end
			}
		}
		label := i18n.T(lang, key, "Time", i18n.Clock(lang, string(at)), "Left", left,
			"Until", i18n.Clock(lang, string(until)),
			"Opens", w.opening(lang, o.OpensAt, now))
		choices = append(choices, views.Choice{Value: string(at), Label: label,
			Group: w.Restaurant.ServiceAt(d.date, at).Name.In(lang)})
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

// seatingAsked is what a form of staff asks of the seats of a day.
type seatingAsked struct {
	place
	day     bookDay
	ask     booking.Ask
	seats   []int64 // that the party is to have; none: the restaurant's choice
	checked []int64 // in the form
	endTime string
	over    bool // the party is to be seated over the plan
	why     string
	refused error
	ahead   error // that it will be refused, where it was not
}

// seating is the part of a form that is about seats, and what the party would get; alike for a new party and for one
// that is moved.
func (p *Pages) seating(ctx context.Context, l views.Layout,
	a seatingAsked) (views.StaffSeating, booking.Offer, error) {
	s, now := views.StaffSeating{Why: a.why}, p.Bookings.Now()
	offer := a.Restaurant.Offer(a.ask, a.day.slots, now)
	if shorter, end, ok := a.Restaurant.Shorter(a.ask, a.seats, a.day.slots, now); ok {
		if s.EndTime = string(end); s.EndTime == a.endTime {
			s.Shorter, offer, a.ahead = true, shorter, nil
		}
	}
	if _, known := a.day.slots[a.ask.Slot.Time]; known || a.ask.Own != nil { // else there is no time to have seats at
		var err error
		if s.Seats, err = p.seatsFor(ctx, seatsAsked{a.place, a.ask.Slot, offer, a.checked}); err != nil {
			return s, offer, err
		}
	}
	why := a.refused
	if why == nil {
		why = a.ahead
	}
	s.CanOverride = a.By.May(team.SeatOverPlan) && (a.over || booking.CanOverride(why))
	if why != nil {
		s.Errors = guestErrors(l.Lang, why)
		s.Refusal = p.refusalOf(ctx, refusedFor{a.place, a.ask.Slot, a.ask, l, s.Seats}, why)
		s.Refusal.Ahead = a.refused == nil
		if _, taken := errors.AsType[*booking.SeatTakenError](why); taken && s.Refusal.Ahead {
			s.Refusal.Text, s.Refusal.Seats = s.Refusal.Seats, "" // nobody was quicker
		}
	}
	return s, offer, nil
}

// refusedFor is for what staff were refused.
type refusedFor struct {
	place
	slot   booking.SlotKey
	ask    booking.Ask
	layout views.Layout
	seats  []views.StaffSeat
}

// mostInstead is how many other times a refusal offers.
const mostInstead = 3

// refusalOf says why staff did not get what they asked for, and what there is instead: of seats, who has them and which
// are free; of a full slot, the other times of the day that have seats.
func (p *Pages) refusalOf(ctx context.Context, f refusedFor, err error) views.Refusal {
	if _, ok := errors.AsType[*booking.InvalidError](err); ok {
		return views.Refusal{}
	}
	r := views.Refusal{Text: respond.Sentence(f.layout.Lang, respond.ProblemOf(err))}
	if taken, ok := errors.AsType[*booking.SeatTakenError](err); ok {
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
		now := p.Bookings.Now()
		f.ask.Slot.Time = at
		offer := f.Restaurant.Offer(f.ask, day.slots, now)
		start, err := f.Restaurant.Start(f.slot.Date, at)
		if err != nil || offer.State != booking.OfferOpen || offer.Joint.Waits(now) != nil || at == f.slot.Time ||
			len(r.Times) == mostInstead {
			continue
		}
		r.Times = append(r.Times,
			views.Choice{Label: f.layout.T("guests.time", "Time", i18n.Clock(f.layout.Lang, string(at)),
				"Left", offer.Remaining),
				Value: f.bookURL(start, at)})
	}
	return r
}

// bookURL is the form for another time, for the same party.
func (f refusedFor) bookURL(start time.Time, at booking.TimeOfDay) string {
	address := views.StaffBookURL(f.Restaurant.ID, start)
	if f.ask.Begun {
		address = views.StaffBookWalkInURL(f.Restaurant.ID, start)
	}
	if address += "&" + views.FieldTime + "=" + string(at); f.ask.Party > 0 {
		address += "&" + views.FieldParty + "=" + strconv.Itoa(f.ask.Party)
	}
	return address
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
			key := "guests.seat_not_free"
			switch {
			case seat.Guest != "":
				key = "guests.seat_of"
			case seat.State == booking.SeatBlocked:
				key = "guests.seat_blocked"
			}
			has = append(has, f.layout.T(key, "Seat", seat.Label, "Name", seat.Guest))
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
