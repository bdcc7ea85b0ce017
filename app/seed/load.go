package seed

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
)

// DinerPurse is what a diner of a load test has in the wallet, in won.
const DinerPurse = 1_000_000

func newID() string { return rand.Text() }

// loadDomain is the domain of the addresses of a load test's diners.
const loadDomain = "load.lunchgo.example"

// Diners makes n diners with funded wallets and returns their ids, also with an error: some may be stored. They have no
// password: they sign in by tokens that the operator makes.
func Diners(ctx context.Context, seeds Store, n int) ([]string, error) {
	ids := make([]string, 0, n)
	diners := make([]identity.User, 0, n)
	for i := range n {
		id := newID()
		ids = append(ids, id)
		diners = append(diners, identity.User{
			ID:           id,
			Email:        strings.ToLower(id) + "@" + loadDomain,
			Name:         fmt.Sprintf("Diner %05d", i+1),
			Phone:        fmt.Sprintf("010-%04d-%04d", i/10_000%10_000, i%10_000),
			PasswordHash: identity.NoPassword,
		})
	}
	if err := seeds.CreateDiners(ctx, diners, DinerPurse); err != nil {
		return ids, fmt.Errorf("seed: diners: %w", err)
	}
	return ids, nil
}

// EndDiners deletes the accounts that Diners made, with the money in their wallets, and nobody else's.
func EndDiners(ctx context.Context, seeds Store, ids []string) error {
	if err := seeds.DeleteDiners(ctx, ids, loadDomain); err != nil {
		return fmt.Errorf("seed: end diners: %w", err)
	}
	return nil
}

// Shadow describes the restaurant of a load test.
type Shadow struct {
	Name     string
	Seats    int // of each slot
	PartyMax int
	Slots    int                      // how many are wanted
	Staff    map[string]identity.Role // by user id
}

// ShadowRestaurant opens a restaurant that is never listed and takes reservations around the clock, every quarter of an
// hour. It returns it with the first slots that stay bookable for the next hour at least.
func ShadowRestaurant(ctx context.Context, stores Stores, shadow Shadow, now time.Time) (booking.Restaurant,
	[]booking.SlotKey, error) {
	fail := func(err error) (booking.Restaurant, []booking.SlotKey, error) {
		return booking.Restaurant{}, nil, fmt.Errorf("seed: shadow restaurant: %w", err)
	}
	zone, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		return fail(err)
	}
	description := text("부하 시험을 위한 식당입니다.", "A restaurant for load tests.")
	id, err := stores.Seeds.AddRestaurant(ctx, booking.Restaurant{
		Location:         zone,
		DepositPerPerson: 10_000,
		Policy:           flexible,
		Hours:            on(everyDay, booking.Span{From: "00:00", Last: "23:45"}),
		Shadow:           true,
		Settings: booking.Settings{Slug: "shadow-" + strings.ToLower(newID()), Name: text(shadow.Name, shadow.Name),
			Description: description, Address: description, District: "jongno", Cuisine: "korean",
			Picture: "hanjeongsik", Capacity: shadow.Seats, SlotMinutes: 15, HoldMinutes: 10, PartyMin: 1,
			PartyMax: shadow.PartyMax, HorizonDays: 30},
	}, []booking.MenuItem{
		{Category: "set", Price: 20_000, Name: text("한 상", "Set meal"), Description: description},
		{Category: "drink", Price: 5_000, Name: text("식혜", "Sikhye"), Description: description},
	}, shadow.Staff)
	if err != nil {
		return fail(err)
	}
	r, err := stores.Catalog.FindRestaurant(ctx, id)
	if err != nil {
		return fail(err)
	}
	return r, slotsFrom(r, now.Add(time.Hour), shadow.Slots), nil
}

// slotsFrom returns the first n slots that begin after an instant and within the horizon.
func slotsFrom(r booking.Restaurant, after time.Time, n int) []booking.SlotKey {
	var slots []booking.SlotKey
	for day := range r.HorizonDays {
		date := booking.DateOf(after, r.Location).AddDays(day)
		for _, at := range r.Times(date) {
			start, err := r.Start(date, at)
			if err == nil && start.After(after) && len(slots) < n {
				slots = append(slots, booking.SlotKey{RestaurantID: r.ID, Date: date, Time: at})
			}
		}
	}
	return slots
}
