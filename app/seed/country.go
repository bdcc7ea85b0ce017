package seed

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
)

// CountryStore stores a country.
type CountryStore interface {
	AddRestaurant(ctx context.Context, r booking.Restaurant, menu []booking.MenuItem,
		staff map[string]identity.Role) (int64, error)
	// CountOthers returns how many restaurants there are besides those with the slugs and those of load tests.
	CountOthers(ctx context.Context, slugs []string) (int, error)
	// FillTown stores the people of a town, and what they have reserved, as the product would have. Returns how many
	// reservations it made: fewer than there are visits where restaurants are full.
	FillTown(ctx context.Context, town Town) (int, error)
	// Analyze has the store count what it holds.
	Analyze(ctx context.Context) error
}

// Country is how large a country is.
type Country struct {
	Accounts, Restaurants, Reservations int
}

// The largest country, and how often a person goes out at most: what they pay fits into one charge of a wallet.
const (
	maxCountryAccounts     = 10_000_000
	maxCountryRestaurants  = 30_000
	maxCountryReservations = 12 // of an account
)

// Check returns an error that says what cannot be.
func (c Country) Check() error {
	var faults []error
	for _, size := range []struct {
		flag        string
		n, min, max int
	}{
		{"--accounts", c.Accounts, 1, maxCountryAccounts},
		{"--restaurants", c.Restaurants, 1, maxCountryRestaurants},
		{"--reservations", c.Reservations, 0, maxCountryReservations * c.Accounts},
	} {
		if size.n < size.min || size.n > size.max {
			faults = append(faults, fmt.Errorf("%s is %d to %d, not %d", size.flag, size.min, size.max, size.n))
		}
	}
	return errors.Join(faults...)
}

// A Town is a part of a country. Its people go out nowhere else.
type Town struct {
	Restaurants          []booking.Restaurant
	FirstPerson, People  int // numbers over the whole country
	FirstVisit, Visits   int
	Surnames, GivenNames []string
	Times                []string // that people come at, the favourite first
	Past, Ahead          int      // days that have visits
}

// ErrNotEmpty says that there are restaurants already.
var ErrNotEmpty = errors.New("seed: a country needs a database without restaurants of its own")

const (
	countryPast     = 700 // days of reservations
	countryAhead    = 30
	townRestaurants = 100
)

// FillCountry stores a country, a town after another. It calls progress after each. Returns ErrNotEmpty if there are
// restaurants besides the demo's and those of load tests. What it has stored when it fails stays.
func FillCountry(ctx context.Context, stores Stores, store CountryStore, c Country,
	progress func(reservations int)) error {
	zone, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		return fmt.Errorf("seed: country: %w", err)
	}
	known, err := houses(zone)
	if err != nil {
		return fmt.Errorf("seed: country: %w", err)
	}
	var demo []string
	for _, h := range known {
		demo = append(demo, h.Restaurant.Slug)
	}
	others, err := store.CountOthers(ctx, demo)
	if err == nil && others > 0 {
		err = fmt.Errorf("%w: it has %d", ErrNotEmpty, others)
	}
	if err != nil {
		return err
	}
	staff, err := stores.Users.FindUserByEmail(ctx, StaffEmail)
	if err != nil {
		return fmt.Errorf("seed: country: the demo's staff: %w", err)
	}
	var made atomic.Int64
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for n := range c.towns() {
		group.Go(func() error {
			town, err := c.open(working, store, n, zone, staff.ID)
			if err != nil {
				return fmt.Errorf("seed: country: %w", err)
			}
			reservations, err := store.FillTown(working, town)
			if err == nil {
				progress(int(made.Add(int64(reservations))))
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return store.Analyze(ctx)
}
