// Package rehearsal lets a restaurant live through a rush before it comes: simulated guests press at the same moment at a copy of
// the restaurant in the running program, through the same checks, line, room and database as real ones. It leaves out the network
// and browsers, and nobody pays.
package rehearsal

import (
	"context"
	"errors"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
)

// Why no rehearsal begins.
var (
	ErrRunning = errors.New("rehearsal: another one is running")
	ErrTooMany = errors.New("rehearsal: too many in an hour")
	ErrBusy    = errors.New("rehearsal: real guests are waiting")
)

// Bounds of rehearsals.
const (
	Guests   = 500
	AnHour   = 3                // of one restaurant
	Longest  = 60 * time.Second // from the press to the last answer
	lease    = 2 * time.Minute  // of the installation, with what comes before and after
	saveRate = time.Second      // between two reports of one that runs
)

// Rehearsal is one with what is known of it.
type Rehearsal struct {
	ID           string
	RestaurantID int64
	StartedAt    time.Time
	EndedAt      time.Time // zero while it runs
	Report       Report
}

// Report is what the simulated guests lived through. Waits are from the press to the answer.
type Report struct {
	Guests          int   `json:"guests"`
	Answered        int   `json:"answered"`
	Seated          int   `json:"seated"`
	SoldOut         int   `json:"soldOut"`
	Failed          int   `json:"failed"` // without a place and without "sold out", those the time ended for among them
	Seats           int   `json:"seats"`  // of the slot
	Taken           int   `json:"taken"`
	Oversold        int   `json:"oversold"`
	OrderInversions int   `json:"orderInversions"` // reservations that were made before one with an earlier place
	LongestLine     int   `json:"longestLine"`
	FirstMs         int64 `json:"firstMs"`
	MedianMs        int64 `json:"medianMs"`
	LastMs          int64 `json:"lastMs"`
	SoldOutMs       int64 `json:"soldOutMs"` // when the first guest read that the slot is sold out; 0: never
	// Of the guests who were shown a range of times, the percentage for whom it was right; -1 where nobody was.
	EstimatePercent int `json:"estimatePercent"`
	// Waits counts answers by tenths of the time until the last one.
	Waits []int `json:"waits"`
	// Line is the longest line in each tenth of that time.
	Line []int `json:"line"`
}

// Start is what a store needs to begin a rehearsal.
type Start struct {
	RestaurantID int64
	By           string // user id
	Life         time.Duration
	AnHour       int
}

// Stage is a copy of a restaurant with simulated guests.
type Stage struct {
	ID           string // of the rehearsal
	Restaurant   booking.Restaurant
	Slot         booking.SlotKey
	Guests       []string // user ids
	Participants int
}

// Store keeps rehearsals and their copies.
type Store interface {
	// Begin takes the installation's only lease, for a while. Returns ErrRunning, ErrTooMany.
	Begin(ctx context.Context, start Start) (id string, err error)
	// Open makes a copy of a restaurant, which is never listed, and guests who have nothing.
	Open(ctx context.Context, id string, copied booking.Restaurant, guests int) (Stage, error)
	// Save stores a report of one that runs.
	Save(ctx context.Context, id string, report Report) error
	// End deletes the copy and its guests, stores the report and gives the lease back.
	End(ctx context.Context, id string, report Report) error
	// Find returns a rehearsal of a restaurant. Returns booking.ErrNotFound.
	Find(ctx context.Context, restaurantID int64, id string) (Rehearsal, error)
	// Latest returns the rehearsals of a restaurant of the last day, the newest first.
	Latest(ctx context.Context, restaurantID int64) ([]Rehearsal, error)
	// Outcome reads from the database how many seats of a slot there are and are taken, and how often its order is broken.
	Outcome(ctx context.Context, slot booking.SlotKey) (seats, taken, inversions int, err error)
}

// Room says how many wait at this server.
type Room interface{ Waiting() int }

// Service is what staff do with rehearsals.
type Service struct {
	Store    Store
	Bookings *reserve.Service
	Room     Room
	// Go runs a function in the background until its context ends, which the end of the process does.
	Go  func(func(ctx context.Context))
	Now func() time.Time
	// Guests is how many press; 0: Guests.
	Guests int
}

// Run begins a rehearsal of a restaurant and returns its id. Returns ErrBusy while real guests wait here, ErrRunning, ErrTooMany.
func (s *Service) Run(ctx context.Context, by team.Staff, r booking.Restaurant) (id string, err error) {
	if err := by.Check(r.ID, team.RunRehearsal); err != nil {
		return "", err
	}
	if s.Room.Waiting() > 0 {
		return "", ErrBusy
	}
	id, err = s.Store.Begin(ctx, Start{RestaurantID: r.ID, By: by.UserID(), Life: lease, AnHour: AnHour})
	if err != nil {
		return "", err
	}
	s.Go(func(ctx context.Context) { s.perform(ctx, id, r) })
	return id, nil
}

// Find returns a rehearsal of a restaurant. Returns booking.ErrNotFound.
func (s *Service) Find(ctx context.Context, by team.Staff, restaurantID int64, id string) (Rehearsal, error) {
	if err := by.Check(restaurantID, team.RunRehearsal); err != nil {
		return Rehearsal{}, err
	}
	return s.Store.Find(ctx, restaurantID, id)
}

// Latest returns the rehearsals of a restaurant of the last day, the newest first.
func (s *Service) Latest(ctx context.Context, by team.Staff, restaurantID int64) ([]Rehearsal, error) {
	if err := by.Check(restaurantID, team.RunRehearsal); err != nil {
		return nil, err
	}
	return s.Store.Latest(ctx, restaurantID)
}
