// Package rehearsal lets a restaurant live through a rush before it comes: simulated guests press for one slot of a
// copy of the restaurant in the running program, through the same checks, line, room and database as real ones. It
// leaves out the network and browsers, and nobody pays.
package rehearsal

import (
	"context"
	"log/slog"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/jobs"
	"lunchgo/app/lineup"
	"lunchgo/app/refusal"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
)

// Why no rehearsal begins.
var (
	ErrRunning = refusal.New(refusal.Conflict, "rehearsal_running",
		"rehearsal: another one of the restaurant is running")
	ErrElsewhere = refusal.New(refusal.Conflict, "rehearsals_elsewhere", "rehearsal: other restaurants rehearse")
	ErrTooMany   = refusal.New(refusal.TooMany, "too_many_rehearsals", "rehearsal: too many in an hour")
	ErrBusy      = refusal.New(refusal.Conflict, "guests_waiting", "rehearsal: real guests are waiting")
)

// Bounds of rehearsals.
const (
	AnHour   = 3               // of one restaurant
	AtATime  = 2               // in the installation; one of a restaurant
	Longest  = 2 * time.Minute // from the first press to the last answer
	lease    = 3 * time.Minute // with what comes before and after
	saveRate = time.Second     // between two reports of one that runs
	sweeping = time.Minute     // between two looks for what a process that died has left
)

// Rehearsal is one with what is known of it.
type Rehearsal struct {
	ID           string
	RestaurantID int64
	StartedAt    time.Time
	EndedAt      time.Time // zero while it runs
	Report       Report
}

// Start is what a store needs to begin a rehearsal.
type Start struct {
	RestaurantID int64
	By           string // user id
	Plan         Plan
	Life         time.Duration
	AnHour       int
	AtATime      int
}

// Stage is a copy of a restaurant with simulated guests.
type Stage struct {
	ID         string // of the rehearsal
	Restaurant booking.Restaurant
	Menu       []booking.MenuItem
	Slot       booking.SlotKey
	Guests     []string // user ids
}

// Store keeps rehearsals and their copies.
type Store interface {
	// Begin takes a lease, for a while. Returns ErrRunning, ErrElsewhere, ErrTooMany.
	Begin(ctx context.Context, start Start) (id string, err error)
	// Open makes a copy of a restaurant, which is never listed, and guests who have nothing.
	Open(ctx context.Context, id string, copied Copy) (Stage, error)
	// Save stores a report of one that runs.
	Save(ctx context.Context, id string, report Report) error
	// End deletes the copy and its guests, stores the report and gives the lease back.
	End(ctx context.Context, id string, report Report) error
	// EndDead ends those whose process died, with what was saved of them, once their lease is over.
	EndDead(ctx context.Context) error
	// Find returns a rehearsal of a restaurant. Returns booking.ErrNotFound.
	Find(ctx context.Context, restaurantID int64, id string) (Rehearsal, error)
	// Latest returns the rehearsals of a restaurant of the last day, the newest first.
	Latest(ctx context.Context, restaurantID int64) ([]Rehearsal, error)
	// Outcome reads from the database how many seats of a slot there are and are taken, and how often its order is
	// broken.
	Outcome(ctx context.Context, slot booking.SlotKey) (seats, taken, inversions int, err error)
}

// Service is what staff do with rehearsals.
type Service struct {
	Store    Store
	Bookings *reserve.Service
	Lines    lineup.Lengths
	// Go runs a function in the background until its context ends, which the end of the process does.
	Go  func(func(ctx context.Context))
	Now func() time.Time
	Log *slog.Logger
}

// Run begins a rehearsal of a restaurant and returns its id. Returns *booking.InvalidError with every invalid field,
// ErrBusy while real guests wait for a table there, ErrRunning, ErrElsewhere, ErrTooMany.
func (s *Service) Run(ctx context.Context, by team.Staff, r booking.Restaurant, asked Asked) (id string, err error) {
	if err := by.Check(r.ID, team.RunRehearsal); err != nil {
		return "", err
	}
	plan, err := asked.Check(r, s.Now())
	if err != nil {
		return "", err
	}
	waiting, err := s.Lines.CountByRestaurant(ctx)
	if err != nil {
		return "", err
	}
	if waiting[r.ID] > 0 {
		return "", ErrBusy
	}
	copied, err := s.copyOf(ctx, by, r, plan)
	if err != nil {
		return "", err
	}
	id, err = s.Store.Begin(ctx, Start{RestaurantID: r.ID, By: by.UserID(), Plan: plan, Life: lease, AnHour: AnHour,
		AtATime: AtATime})
	if err != nil {
		return "", err
	}
	s.Go(func(ctx context.Context) { s.perform(ctx, id, copied) })
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

// Jobs returns the job that removes what processes that died have left.
func (s *Service) Jobs() []jobs.Job {
	return []jobs.Job{{Name: "clean up rehearsals", Every: sweeping, Run: jobs.Always(s.Store.EndDead)}}
}
