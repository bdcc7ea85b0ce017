package main

import (
	"context"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/rush"
	"lunchgo/app/seed"
	"lunchgo/app/token"
	"lunchgo/app/waiting"
	"lunchgo/db"
)

// operator is what a rush may do with an installation besides what its diners do.
type operator struct {
	stores   seed.Stores
	slots    *db.SlotStore
	sessions *identity.Sessions
	signer   waiting.Signer
}

var _ rush.Installation = operator{}

func newOperator(c Config, b *backends, secrets token.Secrets) operator {
	users := db.NewUserStore(b.DB)
	return operator{
		stores:   seed.Stores{Catalog: db.NewCatalog(b.DB), Operator: db.NewSeedStore(b.DB)},
		slots:    db.NewSlotStore(b.DB),
		sessions: identity.NewSessions(secrets, users, time.Now, newLog(c)),
		signer:   waiting.NewSigner(secrets),
	}
}

// Prepare implements rush.Installation.
func (op operator) Prepare(ctx context.Context, o rush.Options) (rush.Stage, error) {
	staff, err := op.people(ctx, o.Boards)
	if err != nil {
		return rush.Stage{}, err
	}
	shadow := seed.Shadow{Name: "Rush " + time.Now().Format(time.DateTime), Seats: o.Seats, PartyMax: o.Party,
		Slots: o.Slots, Staff: map[string]identity.Role{}}
	for _, host := range staff {
		shadow.Staff[host.UserID] = identity.RoleHost
	}
	restaurant, keys, err := seed.ShadowRestaurant(ctx, op.stores, shadow, time.Now())
	if err != nil {
		return rush.Stage{}, err
	}
	stage := rush.Stage{RestaurantID: restaurant.ID, Staff: staff}
	for _, key := range keys {
		stage.Slots = append(stage.Slots, rush.Slot{Date: string(key.Date), Time: string(key.Time)})
	}
	stage.Diners, err = op.people(ctx, o.Diners)
	return stage, err
}

// people makes n accounts that are signed in.
func (op operator) people(ctx context.Context, n int) ([]rush.Diner, error) {
	ids, err := seed.Diners(ctx, op.stores.Operator, n)
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
func (op operator) Seats(ctx context.Context, s rush.Stage) ([]rush.Seats, error) {
	first, last := s.Slots[0], s.Slots[len(s.Slots)-1]
	known, err := op.slots.ListOccupancy(ctx, s.RestaurantID, booking.Date(first.Date), booking.Date(last.Date))
	seats := make([]rush.Seats, 0, len(known))
	for _, occupancy := range known { // in any order
		seats = append(seats, rush.Seats{Capacity: occupancy.Capacity, Held: occupancy.Held})
	}
	return seats, err
}

// Decisions implements rush.Installation.
func (op operator) Decisions(ctx context.Context, s rush.Stage, slot rush.Slot) ([]rush.Decision, error) {
	key := booking.SlotKey{RestaurantID: s.RestaurantID, Date: booking.Date(slot.Date),
		Time: booking.TimeOfDay(slot.Time)}
	arrivals, err := op.slots.ListArrivals(ctx, key)
	decisions := make([]rush.Decision, 0, len(arrivals))
	for _, a := range arrivals {
		decisions = append(decisions, rush.Decision{ReservationID: a.ReservationID, Arrival: a.Number, At: a.CreatedAt})
	}
	return decisions, err
}

// Arrival implements rush.Installation.
func (op operator) Arrival(ticket, userID string) (int64, bool) {
	pass, err := op.signer.Read(ticket, userID)
	return pass.Arrival, err == nil && pass.Arrival > 0
}

// Free implements rush.Installation.
func (op operator) Free(ctx context.Context, s rush.Stage) error {
	return op.stores.Operator.FreeShadow(ctx, s.RestaurantID)
}
