// Package seed fills an installation: with the restaurants, accounts and reservations of the demo, and with the
// restaurant and the thousands of diners of a load test. Everything goes through the product's own stores.
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
	DinerEmail    = "diner@lunchgo.example"
	FriendEmail   = "friend@lunchgo.example"
	StaffEmail    = "staff@lunchgo.example"    // owner of the first restaurant, host of the next two
	OperatorEmail = "operator@lunchgo.example" // publishes restaurants
)

// RushSlug is the restaurant whose line visitors try: the one that the member of staff owns.
const RushSlug = "damdam-bansang"

// The demo's member of staff owns the first of the houses, is a host of the next, and manages the one after that, which
// has named seats. Whoever owns or manages one sees reports, and finds something there.
const (
	ownedHouse = iota
	hostedHouse
	managedHouse
)

var reportedHouses = []int{ownedHouse, managedHouse}

// Stores are where the seed goes.
type Stores struct {
	Catalog      reserve.CatalogStore
	Slots        reserve.SlotStore
	Reservations reserve.ReservationStore
	Wallets      wallet.Store
	Users        identity.Store
	Seeds        Store
	Hash         func(password string) (string, error)
}

// Store stores what no diner and no member of staff can.
type Store interface {
	// AddRestaurant stores a restaurant with its menu and staff, by user id, or leaves the one with its slug as it is.
	// Returns its id.
	AddRestaurant(ctx context.Context, r booking.Restaurant, menu []booking.MenuItem,
		staff map[string]identity.Role) (int64, error)
	// AddDemoUser stores a user of the demo. Returns identity.ErrEmailTaken if the address is in use.
	AddDemoUser(ctx context.Context, u identity.User) error
	// AddCampaign stores a campaign, or leaves the one with its slug as it is.
	AddCampaign(ctx context.Context, c coupon.Campaign) error
	// AddReviewedVisit stores a visit of the past with its review, or leaves the one with its id as it is.
	AddReviewedVisit(ctx context.Context, v ReviewedVisit) error
	// AddPastVisits stores visits with the deposits that were paid for them, or leaves those with their ids as they are.
	AddPastVisits(ctx context.Context, visits []PastVisit) error
	// CreateDiners stores users whose wallets hold balance won each.
	CreateDiners(ctx context.Context, diners []identity.User, balance int64) error
	// DeleteDiners deletes the accounts with those ids and an address of the domain, with the money in their wallets. It
	// ends what they have at shadow restaurants; who has reservations elsewhere stays, with an error.
	DeleteDiners(ctx context.Context, ids []string, domain string) error
	// FreeShadow ends all reservations of a shadow restaurant that hold seats. Returns booking.ErrNotFound for one that
	// is not a shadow.
	FreeShadow(ctx context.Context, restaurantID int64) error
}

// Demo loads the demo. It may be called at every start and by several instances at once: what is there stays as people
// have made it, and the evenings that have come near are booked.
func Demo(ctx context.Context, stores Stores, now time.Time) error {
	zone, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	staffID, err := createAccounts(ctx, stores)
	if err != nil {
		return fmt.Errorf("seed: accounts: %w", err)
	}
	all, err := houses(zone)
	if err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	places, err := openHouses(ctx, stores, all, opening{now.In(zone), staffID})
	if err != nil {
		return fmt.Errorf("seed: restaurants: %w", err)
	}
	if err := giveCoupons(ctx, stores, places, now.In(zone)); err != nil {
		return fmt.Errorf("seed: coupons: %w", err)
	}
	guests, err := inviteGuests(ctx, stores, now.In(zone))
	if err != nil {
		return fmt.Errorf("seed: guests: %w", err)
	}
	if err := bookTables(ctx, stores, places, guests, now.In(zone)); err != nil {
		return fmt.Errorf("seed: reservations: %w", err)
	}
	if err := reviewVisits(ctx, stores, places, guests, now.In(zone)); err != nil {
		return fmt.Errorf("seed: reviews: %w", err)
	}
	for _, index := range reportedHouses {
		err := pastVisits(ctx, stores, places[index].restaurant, people{guests, staffID}, now.In(zone))
		if err != nil {
			return fmt.Errorf("seed: past visits: %w", err)
		}
	}
	return nil
}

// place is a restaurant of the demo as it is stored.
type place struct {
	restaurant booking.Restaurant
	menu       []booking.MenuItem
}

// opening says when the demo's restaurants open, and whom they employ.
type opening struct {
	now     time.Time
	staffID string
}

// staffOf is the staff of the restaurant at an index.
func (o opening) staffOf(index int) map[string]identity.Role {
	role := map[int]identity.Role{ownedHouse: identity.RoleOwner, hostedHouse: identity.RoleHost,
		managedHouse: identity.RoleManager}[index]
	if role == "" {
		return nil
	}
	return map[string]identity.Role{o.staffID: role}
}

func openHouses(ctx context.Context, stores Stores, all []house, o opening) ([]place, error) {
	var places []place
	for i, h := range all {
		h.Restaurant.Closures = h.Rest.dates(o.now)
		id, err := stores.Seeds.AddRestaurant(ctx, h.Restaurant, h.Menu, o.staffOf(i))
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

// createAccounts makes the accounts that visitors of the demo sign in with. Returns the id of the member of staff.
func createAccounts(ctx context.Context, stores Stores) (staffID string, err error) {
	people := []identity.User{
		{Email: DinerEmail, Name: "김하루", Phone: "010-2000-0001"},
		{Email: FriendEmail, Name: "Mina Park", Phone: "010-2000-0002"},
		{Email: StaffEmail, Name: "이담", Phone: "010-2000-0003"},
		{Email: OperatorEmail, Name: "정운영", Phone: "010-2000-0004", Operator: true},
	}
	for _, person := range people {
		id, err := createPerson(ctx, stores, person, DemoPassword)
		if err != nil {
			return "", err
		}
		charge := wallet.Charge{UserID: id, Amount: purse, IdempotencyKey: "demo"}
		if _, _, err := stores.Wallets.Charge(ctx, charge); err != nil {
			return "", err
		}
		if person.Email == StaffEmail {
			staffID = id
		}
	}
	return staffID, nil
}

// errNotOurs says that a person has the address of an account of the demo.
var errNotOurs = errors.New("an address of the demo is somebody's own")

// createPerson returns the id of the demo's user with that address, who is made if there is none. An empty password
// makes one who cannot sign in.
func createPerson(ctx context.Context, stores Stores, person identity.User, password string) (string, error) {
	known, err := stores.Users.FindUserByEmail(ctx, person.Email)
	if !errors.Is(err, identity.ErrNotFound) {
		return ours(known, err)
	}
	person.ID, person.PasswordHash = newID(), identity.NoPassword
	if password != "" {
		if person.PasswordHash, err = stores.Hash(password); err != nil {
			return "", err
		}
	}
	err = stores.Seeds.AddDemoUser(ctx, person)
	if errors.Is(err, identity.ErrEmailTaken) { // by another instance that starts at this moment
		return ours(stores.Users.FindUserByEmail(ctx, person.Email))
	}
	return person.ID, err
}

// ours is the id of a user who was found, if it is one of the demo: the rights and the money of an account whose
// password is public are for nobody else.
func ours(known identity.User, err error) (string, error) {
	if err == nil && !known.Demo {
		err = fmt.Errorf("%s: %w", known.Email, errNotOurs)
	}
	return known.ID, err
}
