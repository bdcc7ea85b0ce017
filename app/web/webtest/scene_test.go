package webtest

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/lineup"
	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// newRestaurant stores a restaurant: every hour of every day, ten seats a slot.
func (r *harness) newRestaurant(t testing.TB, slug string) (booking.Restaurant, []booking.MenuItem) {
	t.Helper()
	place := booking.Restaurant{
		Location:         dbtest.ZoneAtNoon(t),
		DepositPerPerson: 10_000,
		DepositTiers: []booking.DepositTier{{FromParty: 4, Kind: booking.PerParty, Amount: 50_000},
			{FromParty: 7, Kind: booking.NoDeposit}},
		Policy: booking.Policy{Tiers: []booking.RefundTier{{HoursBefore: 1, Percent: 100}}},
		Settings: booking.Settings{Slug: slug, Name: booking.Text{Ko: "담담반상", En: "Damdam Bansang"},
			Description: booking.Text{Ko: "상차림", En: "Set meals"}, Address: booking.Text{Ko: "종로", En: "Jongno"},
			District: "jongno", Cuisine: "korean", Picture: "table", Capacity: 10, SlotMinutes: 60, HoldMinutes: 7,
			PartyMin: 1, PartyMax: 8, LeadMinutes: 30, HorizonDays: 30, ExtensionMinutes: 5},
	}
	for day := time.Sunday; day <= time.Saturday; day++ {
		place.Hours = append(place.Hours, booking.Opening{Weekday: day, From: "08:00", Last: "21:00"})
	}
	id, err := r.Stores.Seeds.PutRestaurant(t.Context(), place, []booking.MenuItem{
		{Category: "main", Name: booking.Text{Ko: "갈비찜", En: "Braised ribs"}, Price: 32_000},
		{Category: "drink", Name: booking.Text{Ko: "식혜", En: "Sikhye"}, Price: 5_000},
	})
	dbtest.Must(t, err)
	if place, err = r.Bookings.Catalog.FindRestaurant(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	menu, err := r.Bookings.Catalog.ListMenu(t.Context(), id)
	dbtest.Must(t, err)
	return place, menu
}

// day is the date n days from now at the restaurant.
func (r *harness) day(n int) booking.Date {
	return booking.DateOf(time.Now(), r.restaurant.Location).AddDays(n)
}

// slot is one of tomorrow's slots.
func (r *harness) slot(at booking.TimeOfDay) booking.SlotKey {
	return booking.SlotKey{RestaurantID: r.restaurant.ID, Date: r.day(1), Time: at}
}

// person is somebody with a session and money.
type person struct {
	id    string
	token string
}

// diner makes a person with balance won.
func (r *harness) diner(t testing.TB, balance int64) person {
	t.Helper()
	id := rand.Text()
	err := r.Stores.Seeds.CreateDiners(t.Context(), []identity.User{{ID: id, Email: strings.ToLower(id) + "@example.org",
		Name: "손님 " + id[:4], Phone: "010-1234-" + "5678", PasswordHash: "!"}}, balance)
	dbtest.Must(t, err)
	token, _ := r.Identity.Sessions.Issue(id)
	return person{id, token}
}

// staff makes a host of a restaurant.
func (r *harness) staff(t *testing.T, restaurantID int64) person {
	t.Helper()
	return r.staffAs(t, restaurantID, identity.RoleHost)
}

func (r *harness) staffAs(t *testing.T, restaurantID int64, role identity.Role) person {
	t.Helper()
	p := r.diner(t, 0)
	r.addStaff(t, p, restaurantID, role)
	return p
}

func (r *harness) addStaff(t *testing.T, p person, restaurantID int64, role identity.Role) {
	t.Helper()
	dbtest.Must(t, r.Stores.Seeds.PutStaff(t.Context(), p.id,
		identity.Membership{RestaurantID: restaurantID, Role: role}))
}

// seat makes a temporary reservation past the line, whatever the time of the slot.
func (r *harness) seat(t *testing.T, who person, slot booking.SlotKey, party int) string {
	t.Helper()
	outcomes, _, err := r.Stores.Slots.Serve(t.Context(), booking.Turn{Slot: slot, Capacity: r.restaurant.Capacity},
		[]booking.Request{{
			UserID: who.id, IdempotencyKey: rand.Text(), Ticket: rand.Text(), Slot: slot, PartySize: party,
			DepositAmount: r.restaurant.DepositPerPerson * int64(party), HoldTime: 7 * time.Minute,
			Policy: r.restaurant.Terms(party)}})
	dbtest.Must(t, err)
	if !outcomes[0].Reserves() {
		t.Fatalf("no seat: %+v", outcomes[0])
	}
	r.Availability.Changed(slot)
	return outcomes[0].ReservationID
}

// confirm seats and pays.
func (r *harness) confirm(t *testing.T, slot booking.SlotKey, party int) (who person, reservation string) {
	t.Helper()
	who = r.diner(t, 1_000_000)
	reservation = r.seat(t, who, slot, party)
	_, err := r.Stores.Reservations.Pay(t.Context(), booking.PaymentOrder{ReservationID: reservation, UserID: who.id,
		Kind: booking.Deposit, IdempotencyKey: rand.Text()})
	dbtest.Must(t, err)
	return who, reservation
}

// rival holds a slot's line from another process until release is called: everybody who presses has to wait. Its turn
// may have ended before, while Redis was away.
func (r *harness) rival(t testing.TB, slot booking.SlotKey) (release func()) {
	t.Helper()
	return r.rivalIn(t, lineup.OfSlot(slot))
}

func (r *harness) rivalIn(t testing.TB, name locks.Name) (release func()) {
	t.Helper()
	client := locks.NewClient(r.Redis, locks.Config{Prefix: r.Setup.Config.Prefix, Node: "rival-" + rand.Text()[:6],
		Logger: quiet})
	t.Cleanup(func() { _ = client.Close(context.Background()) })
	line := client.Line(name)
	if _, err := line.Enter(t.Context(), locks.Entry{Ticket: rand.Text()}); err != nil {
		t.Fatal(err)
	}
	turn, err := line.Next(t.Context())
	dbtest.Must(t, err)
	r.rivals.Add(1)
	return sync.OnceFunc(func() {
		r.rivals.Add(-1)
		if err := turn.Release(context.Background(), 1); err != nil && !errors.Is(err, locks.ErrStale) {
			t.Errorf("the rival's release: %v", err)
		}
	})
}
