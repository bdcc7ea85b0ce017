package main

import (
	"context"
	"errors"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/rush"
	"lunchgo/app/seed"
	"lunchgo/app/token"
	"lunchgo/app/waiting"
	"lunchgo/db"
	"lunchgo/db/accounts"
	"lunchgo/db/catalog"
	dbseed "lunchgo/db/seed"
	"lunchgo/views"
)

// operator is what a rush may do with an installation besides what its diners do.
type operator struct {
	stores   seed.Stores
	slots    *db.SlotStore
	sessions *identity.Sessions
	signer   waiting.Signer
	made     []string // ids of everybody it has made accounts for
}

func newOperator(c Config, b *backends, secrets token.Secrets) *operator {
	users := accounts.NewStore(b.DB)
	return &operator{
		stores:   seed.Stores{Catalog: catalog.NewStore(b.DB), Seeds: dbseed.NewStore(b.DB)},
		slots:    db.NewSlotStore(b.DB),
		sessions: identity.NewSessions(secrets, users, time.Now),
		signer:   waiting.NewSigner(secrets),
	}
}

// Prepare implements rush.Installation.
func (op *operator) Prepare(ctx context.Context, o rush.Options) (rush.Stage, error) {
	staff, err := op.people(ctx, o.Boards)
	if err != nil {
		return rush.Stage{}, err
	}
	now := time.Now()
	var stage rush.Stage
	for i := range o.Restaurants {
		slots, boards := o.Share(i)
		shadow := seed.Shadow{Name: "Rush " + now.Format(time.DateTime), Seats: o.Seats, PartyMax: o.Party, Slots: slots}
		restaurant, err := op.open(ctx, shadow, staff[:boards], now)
		if err != nil {
			return stage, err
		}
		stage.Restaurants, staff = append(stage.Restaurants, restaurant), staff[boards:]
	}
	stage.Diners, err = op.people(ctx, o.Diners)
	return stage, err
}

// open opens one shadow restaurant, at which the staff are hosts.
func (op *operator) open(ctx context.Context, shadow seed.Shadow, staff []rush.Diner, now time.Time) (rush.Restaurant,
	error) {
	shadow.Staff = make(map[string]identity.Role, len(staff))
	for _, host := range staff {
		shadow.Staff[host.UserID] = identity.RoleHost
	}
	stored, keys, err := seed.ShadowRestaurant(ctx, op.stores, shadow, now)
	if err != nil {
		return rush.Restaurant{}, err
	}
	restaurant := rush.Restaurant{ID: stored.ID, Page: views.RestaurantURL(stored.Slug), Staff: staff}
	for _, key := range keys {
		restaurant.Slots = append(restaurant.Slots,
			rush.Slot{RestaurantID: stored.ID, Date: string(key.Date), Time: string(key.Time)})
	}
	return restaurant, nil
}

// people makes n accounts that are signed in.
func (op *operator) people(ctx context.Context, n int) ([]rush.Diner, error) {
	ids, err := seed.Diners(ctx, op.stores.Seeds, n)
	op.made = append(op.made, ids...)
	if err != nil {
		return nil, err
	}
	people := make([]rush.Diner, 0, n)
	for _, id := range ids {
		token, _ := op.sessions.Issue(id)
		people = append(people, rush.Diner{UserID: id, Token: token})
	}
	return people, nil
}

// Seats implements rush.Installation.
func (op *operator) Seats(ctx context.Context, s rush.Stage) ([]rush.Seats, error) {
	ids := make([]int64, 0, len(s.Restaurants))
	for _, restaurant := range s.Restaurants {
		ids = append(ids, restaurant.ID)
	}
	known, err := op.slots.ListCovers(ctx, ids)
	seats := make([]rush.Seats, 0, len(known))
	for _, covers := range known {
		seats = append(seats, rush.Seats(covers))
	}
	return seats, err
}

// Decisions implements rush.Installation.
func (op *operator) Decisions(ctx context.Context, slot rush.Slot) ([]rush.Decision, error) {
	key := booking.SlotKey{RestaurantID: slot.RestaurantID, Date: booking.Date(slot.Date),
		Time: booking.TimeOfDay(slot.Time)}
	arrivals, err := op.slots.ListArrivals(ctx, key)
	decisions := make([]rush.Decision, 0, len(arrivals))
	for _, a := range arrivals {
		decisions = append(decisions, rush.Decision{ReservationID: a.ReservationID, Arrival: a.Number, At: a.CreatedAt})
	}
	return decisions, err
}

// Arrival implements rush.Installation.
func (op *operator) Arrival(ticket, userID string) (int64, bool) {
	pass, err := op.signer.Read(ticket, userID)
	return pass.Arrival, err == nil && pass.Arrival > 0
}

// Free implements rush.Installation.
func (op *operator) Free(ctx context.Context, s rush.Stage) error {
	var faults []error
	for _, restaurant := range s.Restaurants {
		faults = append(faults, op.stores.Seeds.FreeShadow(ctx, restaurant.ID))
	}
	faults = append(faults, seed.EndDiners(ctx, op.stores.Seeds, op.made))
	return errors.Join(faults...)
}
