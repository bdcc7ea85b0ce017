// Package show lets a visitor of a demo stand in a rush. A crowd of simulated diners joins the line of a slot that
// opens in a minute, through the same checks, line, room and database as everybody, and the visitor stands among them.
// Nobody of the crowd pays: its holds end like those of others.
package show

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/jobs"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
	"lunchgo/app/wallet"
)

// People is how many simulated diners come.
const People = 1_000

// When they come, from the beginning on. The first stand there before the visitor does.
const (
	opening = time.Minute
	coming  = 50 * time.Second
	first   = 8
)

// leadTime is how far ahead of now a slot begins at least whose line is shown.
const leadTime = 2 * time.Hour

// Place is where the crowd goes.
type Place struct {
	Slug string // of a restaurant
	Host string // address of somebody who may plan an opening there
}

// Show is a rush that is on.
type Show struct {
	Restaurant booking.Restaurant
	Slot       booking.SlotKey
	Start      time.Time // of the slot, in the restaurant's zone
	OpensAt    time.Time // when its line is served
}

// Store keeps the accounts that a demo needs for it.
type Store interface {
	// Crowd returns the ids of users who never sign in, one for each name, after making those that are missing.
	Crowd(ctx context.Context, names []string) ([]string, error)
	// AddDemoUser stores a user of the demo.
	AddDemoUser(ctx context.Context, u identity.User) error
}

// Service shows one rush at a time.
type Service struct {
	Place    Place
	Bookings *reserve.Service
	Users    identity.Store
	Store    Store
	Wallets  wallet.Store
	// Go runs a function in the background until its context ends, which the end of the process does.
	Go  func(func(ctx context.Context))
	Now func() time.Time
	Log *slog.Logger

	starting sync.Mutex
}

type occupancies = map[booking.SlotKey]booking.Occupancy

// Running returns the rush that is on: a slot whose line is not served yet. Returns booking.ErrNotFound without the
// restaurant.
func (s *Service) Running(ctx context.Context) (is Show, on bool, err error) {
	is, _, on, err = s.look(ctx)
	return is, on, err
}

// look returns the rush that is on, and the slots that anything is known of.
func (s *Service) look(ctx context.Context) (is Show, known occupancies, on bool, err error) {
	if is.Restaurant, err = s.Bookings.Catalog.FindRestaurantBySlug(ctx, s.Place.Slug); err != nil {
		return is, nil, false, err
	}
	now := s.Now()
	today := booking.DateOf(now, is.Restaurant.Location)
	known, err = s.Bookings.Slots.ListOccupancy(ctx, is.Restaurant.ID, today, today.AddDays(is.Restaurant.HorizonDays))
	if err != nil {
		return is, nil, false, err
	}
	for slot, o := range known { // staff may have planned openings too, which are further ahead
		isNext := o.OpensAt.After(now) && !o.OpensAt.After(now.Add(opening))
		if isNext && (!on || o.OpensAt.Before(is.OpensAt)) {
			is.Slot, is.OpensAt, on = slot, o.OpensAt, true
		}
	}
	if on {
		is.Start, err = is.Restaurant.Start(is.Slot.Date, is.Slot.Time)
	}
	return is, known, on, err
}

// Join returns the rush that is on. It begins one where there is none, and returns once the first of its crowd stand in
// line. Returns booking.ErrSoldOut when no slot is free for one.
func (s *Service) Join(ctx context.Context) (Show, error) {
	s.starting.Lock()
	defer s.starting.Unlock()
	is, known, on, err := s.look(ctx)
	if err != nil || on {
		return is, err
	}
	if is.Slot, is.Start, err = s.freeSlot(is.Restaurant, known); err != nil {
		return is, err
	}
	host, err := s.host(ctx, is.Restaurant.ID)
	if err != nil {
		return is, err
	}
	people, err := s.Store.Crowd(ctx, names(People))
	if err != nil {
		return is, err
	}
	is.OpensAt = s.Now().Add(opening)
	planned := reserve.SlotChange{OpensAt: &is.OpensAt}
	if _, err := s.Bookings.ChangeSlot(ctx, host, is.Slot, planned, false); err != nil {
		return is, err
	}
	c := newCrowd(s, is, people)
	c.press(ctx, first)
	s.Go(c.come)
	return is, nil
}

// freeSlot is the next slot in which nobody has a table, and when it begins.
func (s *Service) freeSlot(r booking.Restaurant, known occupancies) (slot booking.SlotKey, start time.Time, err error) {
	now := s.Now()
	for day := range r.HorizonDays {
		date := booking.DateOf(now, r.Location).AddDays(day)
		for _, at := range r.Times(date) {
			slot = booking.SlotKey{RestaurantID: r.ID, Date: date, Time: at}
			o, isKnown := known[slot]
			isFree := !isKnown || o.Held == 0 && o.Promised == 0 && !o.Closed && o.Waits(now) == nil
			start, err = r.Start(date, at)
			if err == nil && isFree && start.Sub(now) >= leadTime && r.CheckBookable(date, at, now) == nil {
				return slot, start, nil
			}
		}
	}
	return slot, start, fmt.Errorf("show: %w", booking.ErrSoldOut)
}

func (s *Service) host(ctx context.Context, restaurantID int64) (team.Staff, error) {
	user, err := s.Users.FindUserByEmail(ctx, s.Place.Host)
	if err != nil {
		return team.Staff{}, fmt.Errorf("show: host: %w", err)
	}
	return team.Find(ctx, s.Users, user.ID, restaurantID)
}

// purse is what a visitor can pay with, in won.
const purse = 100_000

// Visitor makes an account for a visitor who has none, with play money, and returns its id.
func (s *Service) Visitor(ctx context.Context, name string) (userID string, err error) {
	id := rand.Text()
	visitor := identity.User{ID: id, Email: "visitor-" + strings.ToLower(id) + "@lunchgo.example", Name: name,
		Phone: "010-0000-0000", PasswordHash: identity.NoPassword}
	if err := s.Store.AddDemoUser(ctx, visitor); err != nil {
		return "", err
	}
	_, _, err = s.Wallets.Charge(ctx, wallet.Charge{UserID: id, Amount: purse, IdempotencyKey: "show"})
	return id, err
}

// Jobs returns the job that begins a rush again and again; none where it is to wait for visitors.
func (s *Service) Jobs(every time.Duration) []jobs.Job {
	if every == 0 {
		return nil
	}
	return []jobs.Job{{Name: "show a rush", Every: every, Run: jobs.Always(func(ctx context.Context) error {
		_, err := s.Join(ctx)
		return err
	})}}
}
