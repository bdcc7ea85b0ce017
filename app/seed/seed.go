// Package seed fills an installation: with the restaurants, accounts and reservations of the demo, and with the restaurant
// and the thousands of diners of a load test. Everything goes through the product's own stores.
package seed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/identity"
	"lunchgo/app/reserve"
	"lunchgo/app/wallet"
)

// DemoPassword is the password of all demo accounts. It is public: a demo is for everybody.
const DemoPassword = "lunchgo-demo"

// The demo's accounts.
const (
	DinerEmail  = "diner@lunchgo.example"
	FriendEmail = "friend@lunchgo.example"
	StaffEmail  = "staff@lunchgo.example" // owner of the first restaurant, host of the next two
)

// noPassword is a hash that no password has, for those who never sign in by one.
const noPassword = "!"

// Stores are where the seed goes.
type Stores struct {
	Catalog      reserve.Catalog
	Slots        reserve.SlotStore
	Reservations reserve.ReservationStore
	Wallets      wallet.Store
	Users        identity.Store
	Operator     Operator
	Hash         func(password string) (string, error)
}

// Operator stores what no diner and no member of staff can.
type Operator interface {
	// PutRestaurant stores a restaurant and its menu, or brings the one with its slug up to date. Returns its id.
	PutRestaurant(ctx context.Context, r booking.Restaurant, menu []booking.MenuItem) (int64, error)
	// PutStaff makes a user staff of a restaurant, or changes the role.
	PutStaff(ctx context.Context, userID string, m identity.Membership) error
	// PutCampaign stores a campaign, or brings the one with its slug up to date. Returns its id.
	PutCampaign(ctx context.Context, c coupon.Campaign) (int64, error)
	// CreateDiners stores users whose wallets hold balance won each.
	CreateDiners(ctx context.Context, diners []identity.User, balance int64) error
	// FreeShadow ends all reservations of a shadow restaurant that hold seats. Returns booking.ErrNotFound for one that
	// is not a shadow.
	FreeShadow(ctx context.Context, restaurantID int64) error
}

// Demo loads the demo. It may be called at every start and by several instances at once: what is there stays, restaurants
// are brought up to date, and the evenings that have come near are booked.
func Demo(ctx context.Context, stores Stores, now time.Time) error {
	zone, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	places, err := openHouses(ctx, stores, houses(zone), now.In(zone))
	if err != nil {
		return fmt.Errorf("seed: restaurants: %w", err)
	}
	if err := giveCoupons(ctx, stores, places, now.In(zone)); err != nil {
		return fmt.Errorf("seed: coupons: %w", err)
	}
	if err := createAccounts(ctx, stores, places); err != nil {
		return fmt.Errorf("seed: accounts: %w", err)
	}
	guests, err := inviteGuests(ctx, stores, now.In(zone))
	if err != nil {
		return fmt.Errorf("seed: guests: %w", err)
	}
	if err := bookTables(ctx, stores, places, guests, now.In(zone)); err != nil {
		return fmt.Errorf("seed: reservations: %w", err)
	}
	return nil
}

// place is a restaurant of the demo as it is stored.
type place struct {
	restaurant booking.Restaurant
	menu       []booking.MenuItem
}

func openHouses(ctx context.Context, stores Stores, all []house, now time.Time) ([]place, error) {
	var places []place
	for _, h := range all {
		h.restaurant.Closures = h.rest.dates(now)
		id, err := stores.Operator.PutRestaurant(ctx, h.restaurant, h.menu)
		if err != nil {
			return nil, err
		}
		r, err := stores.Catalog.FindRestaurant(ctx, id)
		if err != nil {
			return nil, err
		}
		menu, err := stores.Catalog.ListMenu(ctx, id)
		if err != nil {
			return nil, err
		}
		places = append(places, place{restaurant: r, menu: menu})
	}
	return places, nil
}

// purse is what the demo's own diners have in their wallets at first, in won.
const purse = 500_000

func createAccounts(ctx context.Context, stores Stores, places []place) error {
	people := []identity.User{
		{Email: DinerEmail, Name: "김하루", Phone: "010-2000-0001"},
		{Email: FriendEmail, Name: "Mina Park", Phone: "010-2000-0002"},
		{Email: StaffEmail, Name: "이담", Phone: "010-2000-0003"},
	}
	var staffID string
	for _, person := range people {
		id, err := createPerson(ctx, stores, person, DemoPassword)
		if err != nil {
			return err
		}
		charge := wallet.Charge{UserID: id, Amount: purse, IdempotencyKey: "demo"}
		if _, _, err := stores.Wallets.Charge(ctx, charge); err != nil {
			return err
		}
		staffID = id
	}
	owner := identity.Membership{RestaurantID: places[0].restaurant.ID, Role: identity.RoleOwner}
	if err := stores.Operator.PutStaff(ctx, staffID, owner); err != nil {
		return err
	}
	for _, p := range places[1:3] {
		host := identity.Membership{RestaurantID: p.restaurant.ID, Role: identity.RoleHost}
		if err := stores.Operator.PutStaff(ctx, staffID, host); err != nil {
			return err
		}
	}
	return nil
}

// createPerson returns the id of the user with that address, who is made if there is none. An empty password makes one
// who cannot sign in.
func createPerson(ctx context.Context, stores Stores, person identity.User, password string) (string, error) {
	known, err := stores.Users.FindUserByEmail(ctx, person.Email)
	if !errors.Is(err, identity.ErrNotFound) {
		return known.ID, err
	}
	person.ID, person.PasswordHash = newID(), noPassword
	if password != "" {
		if person.PasswordHash, err = stores.Hash(password); err != nil {
			return "", err
		}
	}
	err = stores.Users.CreateUser(ctx, person)
	if errors.Is(err, identity.ErrEmailTaken) { // by another instance that starts at this moment
		known, err = stores.Users.FindUserByEmail(ctx, person.Email)
		return known.ID, err
	}
	return person.ID, err
}
