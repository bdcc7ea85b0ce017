package reserve

import (
	"context"
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/lineup"
	"lunchgo/app/waiting"
)

// Slot is a bookable time as diners see it now, with what a party would get of it.
type Slot struct {
	booking.Offer
	Key      booking.SlotKey
	Start    time.Time
	End      time.Time // of the stay
	Until    time.Time // End, of a stay that does not last for a slot; zero for one that does
	Waiting  int       // diners in its line
	Steering waiting.Steering
}

// Query is what a diner searches for. Zero fields do not filter.
type Query struct {
	Words     string
	District  string
	Cuisine   string
	PriceBand int
	Date      booking.Date
	Time      booking.TimeOfDay // slots near it come first in a result
	PartySize int
}

// SearchResult is a search result: a restaurant with its slots of the requested date.
type SearchResult struct {
	Restaurant booking.Restaurant
	Slots      []Slot
}

// Search returns a page of the listed restaurants that match the query, with their slots of the query's date, if it has
// one. Pages are in the order of the catalogue, which no reservation changes; on a page restaurants with a free slot
// for the party come first.
func (s *Service) Search(ctx context.Context, q Query, page keyset.Request) (keyset.Page[SearchResult], error) {
	directory, err := s.Directory(ctx)
	if err != nil {
		return keyset.Page[SearchResult]{}, err
	}
	found := directory.page(q, page)
	if q.Date == "" {
		return found, nil
	}
	for i := range found.Items {
		item := &found.Items[i]
		ask := booking.Ask{PartyStay: booking.PartyStay{Party: q.PartySize}}
		if item.Slots, err = s.slotsWithoutLines(ctx, item.Restaurant, q.Date, ask); err != nil {
			return keyset.Page[SearchResult]{}, err
		}
	}
	slices.SortStableFunc(found.Items, func(a, b SearchResult) int { return b.openSlots() - a.openSlots() })
	return found, s.countLines(ctx, found.Items)
}

func (q Query) fits(r *booking.Restaurant) bool {
	if q.District != "" && q.District != r.District || q.Cuisine != "" && q.Cuisine != r.Cuisine {
		return false
	}
	if q.PriceBand != 0 && q.PriceBand != r.PriceBand {
		return false
	}
	return q.PartySize == 0 || q.PartySize >= r.PartyMin && q.PartySize <= r.PartyMax
}

// openSlots returns 1 if any slot is open, else 0.
func (f SearchResult) openSlots() int {
	if slices.ContainsFunc(f.Slots, func(s Slot) bool { return s.State == booking.OfferOpen }) {
		return 1
	}
	return 0
}

// ListSlots returns the slots of a restaurant's date with what a party would get of each, and the length of each line.
// party 0 stands for any size that the restaurant takes.
func (s *Service) ListSlots(ctx context.Context, r booking.Restaurant, date booking.Date, party int) ([]Slot, error) {
	return s.ListSlotsFor(ctx, r, date, booking.Ask{PartyStay: booking.PartyStay{Party: party}})
}

// ListSlotsFor is ListSlots for a party whose order may make its stay longer, or that has a reservation. It sets the
// slot of the ask.
func (s *Service) ListSlotsFor(ctx context.Context, r booking.Restaurant, date booking.Date,
	ask booking.Ask) ([]Slot, error) {
	found := []SearchResult{{Restaurant: r}}
	var err error
	if found[0].Slots, err = s.slotsWithoutLines(ctx, r, date, ask); err != nil {
		return nil, err
	}
	return found[0].Slots, s.countLines(ctx, found)
}

func (s *Service) slotsWithoutLines(ctx context.Context, r booking.Restaurant, date booking.Date,
	ask booking.Ask) ([]Slot, error) {
	times := r.Times(date)
	if len(times) == 0 {
		return nil, nil
	}
	known, err := s.Availability.List(ctx, r.ID, date)
	if err != nil {
		return nil, err
	}
	slots := make([]Slot, 0, len(times))
	for _, at := range times {
		ask.Slot = booking.SlotKey{RestaurantID: r.ID, Date: date, Time: at}
		slots = append(slots, s.slot(r, ask, known))
	}
	return slots, nil
}

// slot returns one slot of a date as a party sees it. known has the date's slots that have a row.
func (s *Service) slot(r booking.Restaurant, ask booking.Ask, known map[booking.TimeOfDay]booking.Occupancy) Slot {
	slot := Slot{Offer: r.Offer(ask, known, s.Now()), Key: ask.Slot}
	slot.Start, _ = r.Start(ask.Slot.Date, ask.Slot.Time) // Times omits times without a start, as a stay does
	slot.End, _ = r.LeaveAt(ask.Slot, slot.Stay, booking.Policy{StayMinutes: slot.StayMinutes})
	if slot.StayMinutes != r.SlotMinutes {
		slot.Until = slot.End
	}
	slot.Steering = lineup.SteeringOf(slot.Joint).At(s.Now())
	return slot
}

// countLines sets how many diners wait for each open slot, with one request for all of them.
func (s *Service) countLines(ctx context.Context, found []SearchResult) error {
	var keys []booking.SlotKey
	var open []*Slot
	for i := range found {
		for j := range found[i].Slots {
			if slot := &found[i].Slots[j]; slot.State == booking.OfferOpen {
				keys, open = append(keys, slot.Key), append(open, slot)
			}
		}
	}
	lengths, err := s.Lines.Lengths(ctx, keys)
	if err != nil {
		s.Log.WarnContext(ctx, "read line lengths failed", "error", err) // a page without counts is better than none
	}
	for i, n := range lengths {
		open[i].Waiting = n
	}
	return nil
}

// maxAlternatives is how many other slots a refused diner sees.
const maxAlternatives = 4

// Alternatives returns the open slots nearest to a refused slot: those of the same day first, then of the next days.
func (s *Service) Alternatives(ctx context.Context, r booking.Restaurant, refused booking.SlotKey,
	v booking.PartyStay) ([]Slot, error) {
	var near []Slot
	for day := range 7 {
		slots, err := s.ListSlotsFor(ctx, r, refused.Date.AddDays(day), booking.Ask{PartyStay: v})
		if err != nil {
			return nil, err
		}
		slots = slices.DeleteFunc(slots, func(x Slot) bool { return x.State != booking.OfferOpen || x.Key == refused })
		slices.SortStableFunc(slots, func(a, b Slot) int {
			return distance(a.Key.Time, refused.Time) - distance(b.Key.Time, refused.Time)
		})
		if near = append(near, slots...); len(near) >= maxAlternatives {
			return near[:maxAlternatives], nil
		}
	}
	return near, nil
}

// distance returns the minutes between two times of day.
func distance(a, b booking.TimeOfDay) int {
	d := a.Minutes() - b.Minutes()
	return max(d, -d)
}

// Day is a date of the month view.
type Day struct {
	Date      booking.Date
	State     booking.OfferState
	Remaining int // seats left in the emptiest open slot
	// OpensAt is when the first of the open slots begins to take reservations; zero: one does already.
	OpensAt time.Time
}

// ListDays returns for each date from first to last whether a party can still book one of its slots. It reads the
// database once; the month view is not part of a rush.
func (s *Service) ListDays(ctx context.Context, r booking.Restaurant, first, last booking.Date, party int) ([]Day,
	error) {
	known, err := s.Slots.ListOccupancy(ctx, r.ID, first, last)
	if err != nil {
		return nil, err
	}
	byDate := map[booking.Date]map[booking.TimeOfDay]booking.Occupancy{}
	for key, o := range known {
		if byDate[key.Date] == nil {
			byDate[key.Date] = map[booking.TimeOfDay]booking.Occupancy{}
		}
		byDate[key.Date][key.Time] = o
	}
	ask := booking.Ask{PartyStay: booking.PartyStay{Party: party}}
	var days []Day
	for date := first; date <= last; date = date.AddDays(1) {
		day := Day{Date: date, State: booking.OfferClosed}
		for _, at := range r.Times(date) {
			ask.Slot = booking.SlotKey{RestaurantID: r.ID, Date: date, Time: at}
			switch offer := r.Offer(ask, byDate[date], s.Now()); offer.State {
			case booking.OfferOpen:
				opens := lineup.SteeringOf(offer.Joint).At(s.Now()).OpensAt
				if day.State != booking.OfferOpen || opens.Before(day.OpensAt) {
					day.OpensAt = opens
				}
				day.State, day.Remaining = booking.OfferOpen, max(day.Remaining, offer.Remaining)
			case booking.OfferSoldOut:
				if day.State == booking.OfferClosed {
					day.State = booking.OfferSoldOut
				}
			}
		}
		days = append(days, day)
	}
	return days, nil
}
