package webtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
	"lunchgo/app/wallet"
	"lunchgo/app/web"
	"lunchgo/app/web/ops"
	"lunchgo/db"
	"lunchgo/locks"
)

// quickHash is what a hash costs in these tests: too little for the passwords of people.
var quickHash = identity.Cost{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// serve answers at r.url until the test ends.
func (r *rig) serve(t testing.TB) {
	t.Helper()
	hasher, err := identity.NewHasher(quickHash, 2, 30*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	server := web.New(web.Deps{
		Config:   web.Config{Zone: r.restaurant.Location, Mailbox: db.NewMailStore(r.db)},
		Identity: &identity.Service{Store: r.users, Hasher: hasher, Sessions: r.sessions, Now: time.Now},
		Bookings: r.bookings, Waitlists: r.waitlists, Offers: reserve.NewOfferLinks(r.secret), Coupons: r.coupons, Wallets: r.purses(), Room: r.room, Log: quiet,
		Checks:         map[string]ops.Check{"postgres": r.db.Ping},
		OptionalChecks: map[string]ops.Check{"redis": func(ctx context.Context) error { return r.rdb.Ping(ctx).Err() }},
		Pool:           r.db.Stats, Line: r.line,
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r.url = "http://" + listener.Addr().String()
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	r.shutdown = func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := server.Shutdown(ctx); err != nil {
			t.Errorf("shut the server down: %v", err)
		}
		if err := <-served; err != nil {
			t.Errorf("serve: %v", err)
		}
	}
	t.Cleanup(r.shutdown)
}

// purses are the wallets that the server moves.
func (r *rig) purses() wallet.Store {
	if r.options.wallets != nil {
		return r.options.wallets
	}
	return r.wallets
}

// zoneAtNoon is a time zone in which it is about noon now, so that "today" has slots behind and before it whenever the
// tests run.
func zoneAtNoon(t testing.TB) *time.Location {
	t.Helper()
	offset := 12 - time.Now().UTC().Hour() // 12 to -11
	name := fmt.Sprintf("Etc/GMT%+d", -offset)
	if offset == 0 {
		name = "Etc/GMT"
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// addRestaurant stores the rig's restaurant: every hour of every day, ten seats a slot.
func (r *rig) addRestaurant(t testing.TB) {
	t.Helper()
	r.restaurant, r.menu = r.newRestaurant(t, "damdam")
}

func (r *rig) newRestaurant(t testing.TB, slug string) (booking.Restaurant, []booking.MenuItem) {
	t.Helper()
	place := booking.Restaurant{
		Slug: slug, Name: booking.Text{Ko: "담담반상", En: "Damdam Bansang"},
		Description: booking.Text{Ko: "상차림", En: "Set meals"}, Address: booking.Text{Ko: "종로", En: "Jongno"},
		District: "jongno", Cuisine: "korean", Picture: "table", Location: zoneAtNoon(t),
		Capacity: 10, SlotMinutes: 60, DepositPerPerson: 10_000, HoldMinutes: 7, PartyMin: 1, PartyMax: 8,
		LeadMinutes: 30, HorizonDays: 30, ExtensionMinutes: 5,
		DepositTiers: []booking.DepositTier{{FromParty: 4, Kind: booking.PerParty, Amount: 50_000}, {FromParty: 7, Kind: booking.NoDeposit}},
		Policy:       booking.Policy{Tiers: []booking.RefundTier{{HoursBefore: 1, Percent: 100}}},
	}
	for day := time.Sunday; day <= time.Saturday; day++ {
		place.Hours = append(place.Hours, booking.Opening{Weekday: day, From: "08:00", Last: "21:00"})
	}
	id, err := r.seeds.PutRestaurant(t.Context(), place, []booking.MenuItem{
		{Category: "main", Name: booking.Text{Ko: "갈비찜", En: "Braised ribs"}, Price: 32_000},
		{Category: "drink", Name: booking.Text{Ko: "식혜", En: "Sikhye"}, Price: 5_000},
	})
	if err != nil {
		t.Fatal(err)
	}
	if place, err = r.bookings.Catalog.FindRestaurant(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	menu, err := r.bookings.Catalog.ListMenu(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return place, menu
}

// day is the date n days from now at the restaurant.
func (r *rig) day(n int) booking.Date {
	return booking.DateOf(time.Now(), r.restaurant.Location).AddDays(n)
}

// slot is one of tomorrow's slots.
func (r *rig) slot(at booking.TimeOfDay) booking.SlotKey {
	return booking.SlotKey{RestaurantID: r.restaurant.ID, Date: r.day(1), Time: at}
}

// person is somebody with a session and money.
type person struct {
	id    string
	token string
}

// diner makes a person with balance won.
func (r *rig) diner(t testing.TB, balance int64) person {
	t.Helper()
	id := rand.Text()
	err := r.seeds.CreateDiners(t.Context(), []identity.User{{ID: id, Email: strings.ToLower(id) + "@example.org",
		Name: "손님 " + id[:4], Phone: "010-1234-" + "5678", PasswordHash: "!"}}, balance)
	if err != nil {
		t.Fatal(err)
	}
	token, _ := r.sessions.Issue(id)
	return person{id, token}
}

// staff makes a member of a restaurant's staff.
func (r *rig) staff(t *testing.T, restaurantID int64) person {
	t.Helper()
	p := r.diner(t, 0)
	r.addStaff(t, p, restaurantID)
	return p
}

func (r *rig) addStaff(t *testing.T, p person, restaurantID int64) {
	t.Helper()
	if err := r.seeds.PutStaff(t.Context(), p.id, identity.Membership{RestaurantID: restaurantID, Role: identity.RoleHost}); err != nil {
		t.Fatal(err)
	}
}

// seat makes a temporary reservation past the line, whatever the time of the slot.
func (r *rig) seat(t *testing.T, who person, slot booking.SlotKey, party int) string {
	t.Helper()
	outcomes, _, err := r.slots.Serve(t.Context(), booking.Turn{Slot: slot, Capacity: r.restaurant.Capacity}, []booking.Request{{
		UserID: who.id, IdempotencyKey: rand.Text(), Ticket: rand.Text(), Slot: slot, PartySize: party,
		DepositAmount: r.restaurant.DepositPerPerson * int64(party), HoldTime: 7 * time.Minute, Policy: r.restaurant.Terms(party)}})
	if err != nil {
		t.Fatal(err)
	}
	if !outcomes[0].Reserves() {
		t.Fatalf("no seat: %+v", outcomes[0])
	}
	r.availability.Changed(slot)
	return outcomes[0].ReservationID
}

// confirm seats and pays.
func (r *rig) confirm(t *testing.T, slot booking.SlotKey, party int) (who person, reservation string) {
	t.Helper()
	who = r.diner(t, 1_000_000)
	reservation = r.seat(t, who, slot, party)
	_, err := r.reservations.Pay(t.Context(), booking.PaymentOrder{ReservationID: reservation, UserID: who.id,
		Kind: booking.Deposit, IdempotencyKey: rand.Text()})
	if err != nil {
		t.Fatal(err)
	}
	return who, reservation
}

// rival holds a slot's line from another process until release is called: everybody who presses has to wait.
func (r *rig) rival(t *testing.T, slot booking.SlotKey) (release func()) {
	t.Helper()
	return r.rivalIn(t, waiting.LineOf(slot))
}

func (r *rig) rivalIn(t *testing.T, name locks.Name) (release func()) {
	t.Helper()
	client := locks.NewClient(r.rdb, locks.Config{Prefix: r.prefix, Node: "rival-" + rand.Text()[:6], Logger: quiet})
	t.Cleanup(func() { _ = client.Close(context.Background()) })
	line := client.Line(name)
	if _, err := line.Enter(t.Context(), locks.Entry{Ticket: rand.Text()}); err != nil {
		t.Fatal(err)
	}
	turn, err := line.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return sync.OnceFunc(func() {
		if err := turn.Release(context.Background(), 1); err != nil {
			t.Errorf("the rival's release: %v", err)
		}
	})
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.NewTimer(15 * time.Second)
	defer deadline.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("%s: not within 15 s", what)
		}
	}
}
