// Package evening is what a host works with on a full evening: who comes to a restaurant on a date, where they sit, how
// full the slots are, who waits, and what asks for attention now.
package evening

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"lunchgo/app/audit"
	"lunchgo/app/booking"
	"lunchgo/app/door"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
)

// Evening is a restaurant's date at one moment.
type Evening struct {
	Restaurant booking.Restaurant
	Date       booking.Date
	Now        time.Time
	Slots      []Slot          // by time
	Parties    []Party         // by time, then in the order in which they were booked; those that are over too
	Door       []door.Party    // who waits at the door today, or did, by number
	Concerns   []audit.Concern // what the auditor found wrong at the restaurant, on any date
}

// Party is a reservation of the evening, with who comes.
type Party struct {
	reserve.Guest
	FirstVisit bool      // the guest's account has not been at this restaurant before; false where there is none
	Start      time.Time // of its stay
	End        time.Time
	Known      Known
}

// Known is what staff have noted of who comes.
type Known struct {
	Guest    string // id of the guest at this restaurant; empty for nobody whom it knows again
	Consents bool   // notes and tags may be kept
	Note     string // the latest
	Notes    int    // all of them
}

// Store reads evenings.
type Store interface {
	// ListParties returns all reservations of a restaurant's date, in any state, by their slots' times, without Start
	// and End.
	ListParties(ctx context.Context, restaurantID int64, date booking.Date) ([]Party, error)
	// FindParty returns a reservation of a restaurant, without Start and End. Returns booking.ErrNotFound.
	FindParty(ctx context.Context, restaurantID int64, id string) (Party, error)
	// FindByCode returns the id of the reservation of a restaurant with a code, in upper case, whose date is closest to
	// the given one; those of days before yesterday are not looked for. Returns booking.ErrNotFound.
	FindByCode(ctx context.Context, restaurantID int64, date booking.Date, code string) (string, error)
}

// Line is how the line of a slot moves.
type Line struct {
	Waiting   int           // tickets, those being served among them
	Longest   time.Duration // that the first of those who wait has waited; 0 if nobody waits, or it is not known
	PerPerson time.Duration // that serving one takes; 0: not measured yet
	Estimate  time.Duration // that somebody who enters now waits
}

// PerMinute is how many the line serves in a minute, at the pace of its last turns; 0: not measured.
func (l Line) PerMinute() float64 {
	if l.PerPerson <= 0 {
		return 0
	}
	return math.Round(10*float64(time.Minute)/float64(l.PerPerson)) / 10
}

// Lines looks at the lines of some slots, in the given order.
type Lines interface {
	Glances(ctx context.Context, slots []booking.SlotKey) ([]Line, error)
}

// Service reads evenings for staff.
type Service struct {
	Store    Store
	Lines    Lines
	Bookings *reserve.Service
	Doors    door.Store
	Concerns *audit.Board
}

// Read reads a restaurant's date as it is now, from the database: staff see the truth, not the cache. When the lines do
// not answer, nobody is said to wait: the evening has to be run all the same. Returns booking.ErrNotFound and
// booking.ErrForbidden to who may not see it.
func (s *Service) Read(ctx context.Context, by team.Staff, r booking.Restaurant, date booking.Date) (Evening, error) {
	if err := by.Check(r.ID, team.SeeEvening); err != nil {
		return Evening{}, err
	}
	known, err := s.Bookings.Occupancies(ctx, by, r, date)
	if err != nil {
		return Evening{}, err
	}
	parties, err := s.Store.ListParties(ctx, r.ID, date)
	if err != nil {
		return Evening{}, err
	}
	e := Evening{Restaurant: r, Date: date, Now: s.Bookings.Now().In(r.Location), Parties: locate(r, parties)}
	e.Slots = slotsOf(e, known)
	if e.Door, err = s.door(ctx, e); err != nil {
		return Evening{}, err
	}
	s.addLines(ctx, e)
	e.Concerns = s.Concerns.Of(r.ID)
	return e, nil
}

// door is the queue at the door; on other days than today nobody stands there.
func (s *Service) door(ctx context.Context, e Evening) ([]door.Party, error) {
	if e.Date != booking.DateOf(e.Now, e.Restaurant.Location) {
		return nil, nil
	}
	parties, err := s.Doors.ListParties(ctx, e.Restaurant.ID, e.Date)
	door.Locate(e.Restaurant, e.Date, e.day(), parties, e.Now)
	return parties, err
}

// locate says when each party's stay begins and ends.
func locate(r booking.Restaurant, parties []Party) []Party {
	for i := range parties {
		p := &parties[i]
		p.Start = startOf(r, p.Slot)
		p.End = p.Start.Add(time.Duration(p.StayMinutes()) * time.Minute)
	}
	return parties
}

// startOf is when a slot begins. A time that a clock change skips is none that diners book: it counts from midnight on.
func startOf(r booking.Restaurant, slot booking.SlotKey) time.Time {
	start, err := r.Start(slot.Date, slot.Time)
	if err != nil {
		// the zero time for what is no date
		day, _ := time.ParseInLocation(time.DateOnly, string(slot.Date), r.Location)
		return day.Add(time.Duration(slot.Time.Minutes()) * time.Minute)
	}
	return start
}

// shownWait is how exactly a wait is shown: pages that show the same need not be sent again.
const shownWait = 10 * time.Second

func (s *Service) addLines(ctx context.Context, e Evening) {
	keys := make([]booking.SlotKey, len(e.Slots))
	for i, slot := range e.Slots {
		keys[i] = slot.Key
	}
	lines, err := s.Lines.Glances(ctx, keys)
	if err != nil {
		if !errors.Is(ctx.Err(), context.Canceled) {
			s.Bookings.Log.WarnContext(ctx, "read lines of evening failed", "error", err)
		}
	}
	for i, line := range lines {
		line.Longest = line.Longest.Truncate(shownWait)
		e.Slots[i].Line = line
	}
}

// newest is how many of the latest bookings a page counts.
const newest = 20

// Booked returns when the latest bookings by diners were confirmed, the latest first: staff know their own.
func (e Evening) Booked() []time.Time {
	var booked []time.Time
	for _, p := range e.Parties {
		if p.Source == booking.Web && p.In(GroupAll) && !p.ConfirmedAt.IsZero() {
			booked = append(booked, p.ConfirmedAt)
		}
	}
	slices.SortFunc(booked, func(a, b time.Time) int { return b.Compare(a) })
	return booked[:min(len(booked), newest)]
}

// FindByCode returns the id of the reservation that a guest says by its code. Case, blanks and hyphens do not matter.
// Returns booking.ErrNotFound, also for what is no whole code.
func (s *Service) FindByCode(ctx context.Context, by team.Staff, r booking.Restaurant, code string) (string, error) {
	if err := by.Check(r.ID, team.SeeEvening); err != nil {
		return "", err
	}
	code = strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(code))
	if len(code) != booking.CodeLength {
		return "", booking.ErrNotFound
	}
	return s.Store.FindByCode(ctx, r.ID, booking.DateOf(s.Bookings.Now(), r.Location), code)
}

// Known returns what staff have noted of who comes with a reservation. Returns booking.ErrNotFound for one that is not
// of the restaurant.
func (s *Service) Known(ctx context.Context, by team.Staff, restaurantID int64, reservation string) (Known, error) {
	if err := by.Check(restaurantID, team.SeeGuests); err != nil {
		return Known{}, err
	}
	party, err := s.Store.FindParty(ctx, restaurantID, reservation)
	return party.Known, err
}

// Same says whether two readings of an evening show the same, however much time lies between them, but for the minute:
// what is late, and how long a table is still taken, changes by the minute.
func Same(a, b Evening) bool {
	return a.Date == b.Date && a.Now.Truncate(time.Minute).Equal(b.Now.Truncate(time.Minute)) &&
		slices.Equal(a.Concerns, b.Concerns) && slices.Equal(a.Door, b.Door) &&
		slices.EqualFunc(a.Slots, b.Slots, sameSlot) && slices.EqualFunc(a.Parties, b.Parties, sameParty)
}

func sameSlot(a, b Slot) bool {
	return a.Start.Equal(b.Start) && a.Line == b.Line && a.Figures == b.Figures &&
		reflect.DeepEqual(a.Occupancy, b.Occupancy)
}

func sameParty(a, b Party) bool {
	return a.Start.Equal(b.Start) && a.End.Equal(b.End) && a.FirstVisit == b.FirstVisit &&
		reflect.DeepEqual(a.Guest, b.Guest) &&
		reflect.DeepEqual(a.Known, b.Known)
}
