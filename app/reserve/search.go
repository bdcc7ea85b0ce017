package reserve

import (
	"context"
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/waiting"
)

// The states of a slot as diners see it.
const (
	SlotOpen    = "open"
	SlotSoldOut = "sold_out"
	SlotClosed  = "closed"
)

// Slot is a bookable time as diners see it now. For a stay over several slots it has the figures of the fullest one.
type Slot struct {
	Key        booking.SlotKey
	Stay       []booking.TimeOfDay // times of the further slots of the stay, in order
	Start      time.Time
	End        time.Time // of the stay
	Capacity   int
	Remaining  int
	OnHold     int // seats that wait for payment and may return
	Waiting    int // diners in its line
	Waitlisted int // parties on its waitlist
	State      string
	Steering   waiting.Steering
}

// Query is what a diner searches for. Zero fields do not filter.
type Query struct {
	Words     string
	District  string
	Cuisine   string
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
		visit := PartyStay{q.PartySize, booking.StayOf(item.Restaurant, q.PartySize, nil)}
		if item.Slots, err = s.slotsWithoutLines(ctx, item.Restaurant, q.Date, visit); err != nil {
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
	return q.PartySize == 0 || q.PartySize >= r.PartyMin && q.PartySize <= r.PartyMax
}

// openSlots returns 1 if any slot is open, else 0.
func (f SearchResult) openSlots() int {
	if slices.ContainsFunc(f.Slots, func(s Slot) bool { return s.State == SlotOpen }) {
		return 1
	}
	return 0
}

// ListSlots returns the slots of a restaurant's date with the remaining seats and the length of each line. A slot that
// cannot seat the party is sold out; party 0 stands for the smallest party.
func (s *Service) ListSlots(ctx context.Context, r booking.Restaurant, date booking.Date, party int) ([]Slot, error) {
	return s.ListSlotsFor(ctx, r, date, PartyStay{Party: party, Stay: booking.StayOf(r, party, nil)})
}

// PartyStay is the size of a party and the length of its stay, in slots.
type PartyStay struct {
	Party int
	Stay  int
}

// ListSlotsFor is ListSlots for a party whose order may make its stay longer.
func (s *Service) ListSlotsFor(ctx context.Context, r booking.Restaurant, date booking.Date, v PartyStay) ([]Slot,
	error) {
	found := []SearchResult{{Restaurant: r}}
	var err error
	if found[0].Slots, err = s.slotsWithoutLines(ctx, r, date, v); err != nil {
		return nil, err
	}
	return found[0].Slots, s.countLines(ctx, found)
}

func (s *Service) slotsWithoutLines(ctx context.Context, r booking.Restaurant, date booking.Date, v PartyStay) ([]Slot,
	error) {
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
		slots = append(slots, s.slot(r, booking.SlotKey{RestaurantID: r.ID, Date: date, Time: at}, known, v))
	}
	return slots, nil
}

// slot returns one slot of a date as a party sees it. known has the date's slots that have a row.
func (s *Service) slot(r booking.Restaurant, key booking.SlotKey, known map[booking.TimeOfDay]booking.Occupancy,
	v PartyStay) Slot {
	start, _ := r.Start(key.Date, key.Time) // Times omits times without a start
	stay, stayErr := r.CheckStay(key.Date, key.Time, v.Stay)
	end, _ := r.End(key, stay) // CheckStay has checked the times
	o := occupancyOf(r, key.Slots(stay), known)
	slot := Slot{Key: key, Stay: stay, Start: start, End: end, Capacity: o.Capacity, Remaining: o.Remaining(),
		OnHold: o.OnHold, Waitlisted: o.Waitlisted, State: SlotOpen,
		Steering: waiting.SteeringOf(o).At(s.Now())}
	switch {
	case o.Closed || stayErr != nil || r.CheckBookable(key.Date, key.Time, s.Now()) != nil:
		slot.State = SlotClosed
	case slot.Remaining < max(v.Party, r.PartyMin) || !r.Seats.CanSeat(o.Seats, max(v.Party, r.PartyMin)):
		slot.State = SlotSoldOut
	}
	return slot
}

// occupancyOf returns the occupancy of several slots of a date for a party that needs all of them. A slot without a row
// is empty.
func occupancyOf(r booking.Restaurant, slots []booking.SlotKey,
	known map[booking.TimeOfDay]booking.Occupancy) booking.Occupancy {
	each := make([]booking.Occupancy, len(slots))
	for i, slot := range slots {
		var ok bool
		if each[i], ok = known[slot.Time]; !ok {
			each[i] = r.EmptySlot()
		}
	}
	return booking.AllOf(each)
}

// countLines sets how many diners wait for each open slot, with one request for all of them.
func (s *Service) countLines(ctx context.Context, found []SearchResult) error {
	var keys []booking.SlotKey
	var open []*Slot
	for i := range found {
		for j := range found[i].Slots {
			if slot := &found[i].Slots[j]; slot.State == SlotOpen {
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
func (s *Service) Alternatives(ctx context.Context, r booking.Restaurant, refused booking.SlotKey, v PartyStay) ([]Slot,
	error) {
	var near []Slot
	for day := range 7 {
		slots, err := s.ListSlotsFor(ctx, r, refused.Date.AddDays(day), v)
		if err != nil {
			return nil, err
		}
		slots = slices.DeleteFunc(slots, func(x Slot) bool { return x.State != SlotOpen || x.Key == refused })
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
	State     string // open, sold_out or closed
	Remaining int    // seats left in the emptiest open slot
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
	stay := booking.StayOf(r, party, nil)
	var days []Day
	for date := first; date <= last; date = date.AddDays(1) {
		day := Day{Date: date, State: SlotClosed}
		for _, at := range r.Times(date) {
			switch slot := s.slot(r, booking.SlotKey{RestaurantID: r.ID, Date: date, Time: at}, byDate[date],
				PartyStay{party, stay}); slot.State {
			case SlotOpen:
				day.State, day.Remaining = SlotOpen, max(day.Remaining, slot.Remaining)
			case SlotSoldOut:
				if day.State == SlotClosed {
					day.State = SlotSoldOut
				}
			}
		}
		days = append(days, day)
	}
	return days, nil
}
