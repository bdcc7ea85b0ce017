package db

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
)

// harness is a migrated database of the test's own with one restaurant and its menu.
type harness struct {
	*pg.Pool
	url          string
	slots        *SlotStore
	reservations *ReservationStore
	wallets      *WalletStore
	users        *UserStore
	catalog      *Catalog
	seeds        *SeedStore
	restaurant   booking.Restaurant
	menu         []booking.MenuItem
}

// patient lets calls take long: race tests queue many behind few connections.
var patient = pg.Config{QueryTimeout: 5 * time.Minute, LockTimeout: 2 * time.Minute}

var keeper = dbtest.Keeper[*pg.Pool]{Prepare: migrated, Open: func(url string) (*pg.Pool, error) {
	config := patient
	config.URL = url
	return Open(context.Background(), config)
}}

func setup(t testing.TB) *harness {
	t.Helper()
	db, url := keeper.Database(t)
	t.Cleanup(func() { db.Weakening.Store(nil); db.Observe(nil) })
	h := newHarness(db, url)
	h.open(t, testRestaurant())
	return h
}

// setupWith returns a fixture with a database that no test had before: PostgreSQL has counted nothing of it.
func setupWith(t testing.TB, config pg.Config) *harness {
	t.Helper()
	config.URL = dbtest.Template(t, "schema", migrated)
	h := newHarness(openAt(t, config), config.URL)
	h.open(t, testRestaurant())
	return h
}

// open puts a restaurant with the menu of the tests, and makes it the harness's.
func (h *harness) open(t testing.TB, r booking.Restaurant) {
	t.Helper()
	id, err := h.seeds.PutRestaurant(t.Context(), r, testMenu())
	dbtest.Must(t, err)
	if h.restaurant, err = h.catalog.FindRestaurant(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if h.menu, err = h.catalog.ListMenu(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

func newHarness(db *pg.Pool, url string) *harness {
	return &harness{
		Pool: db, url: url,
		slots: NewSlotStore(db), reservations: NewReservationStore(db), wallets: NewWalletStore(db),
		users: NewUserStore(db), catalog: NewCatalog(db), seeds: NewSeedStore(db),
	}
}

// instance opens the harness's database as another process of the product does, with the same guards.
func (h *harness) instance(t testing.TB) *pg.Pool {
	t.Helper()
	db := openAt(t, pg.Config{URL: h.url, QueryTimeout: time.Minute, LockTimeout: 30 * time.Second})
	db.Weakening.Store(h.Weakening.Load())
	return db
}

func openAt(t testing.TB, config pg.Config) *pg.Pool {
	t.Helper()
	db, err := Open(t.Context(), config)
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func migrated(url string) error {
	ctx := context.Background()
	db, err := Open(ctx, pg.Config{URL: url})
	if err != nil {
		return err
	}
	if err := db.Migrate(ctx); err != nil {
		return err
	}
	return db.Close()
}

func testRestaurant() booking.Restaurant {
	seoul, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		panic(err)
	}
	return booking.Restaurant{
		Location:         seoul,
		DepositPerPerson: 10_000,
		DepositTiers:     []booking.DepositTier{{FromParty: 6, Kind: booking.PerParty, Amount: 50_000}},
		StayTiers:        []booking.StayTier{{FromParty: 7, Slots: 2, Minutes: 120}},
		Policy: booking.Policy{Tiers: []booking.RefundTier{{HoursBefore: 48, Percent: 100},
			{HoursBefore: 24, Percent: 50}}},
		Hours: []booking.Opening{{Weekday: time.Monday, From: "11:30", Last: "14:30", Service: "lunch"},
			{Weekday: time.Monday, From: "17:30", Last: "20:30"}},
		Services: []booking.Service{{Key: "lunch", Name: booking.Text{Ko: "점심", En: "Lunch"}}},
		Closures: []booking.Date{"2031-01-01"},
		Photos:   []string{"table", "bibimbap"},
		Settings: booking.Settings{Slug: "damdam", Name: booking.Text{Ko: "담담반상", En: "Damdam Bansang"},
			Description: booking.Text{Ko: "상차림", En: "Set meals"}, Address: booking.Text{Ko: "종로", En: "Jongno"},
			District: "jongno", Cuisine: "korean", Picture: "damdam", Capacity: 10, SlotMinutes: 60, HoldMinutes: 7,
			PartyMin: 1, PartyMax: 8, LeadMinutes: 30, HorizonDays: 30, ExtensionMinutes: 5,
			Story:      booking.Text{Ko: "장독대에서 시작한 집", En: "Begun with crocks"},
			Directions: booking.Text{Ko: "2번 출구", En: "Exit 2"}},
	}
}

func testMenu() []booking.MenuItem {
	return []booking.MenuItem{
		{Category: "main", Name: booking.Text{Ko: "갈비찜", En: "Braised ribs"}, Price: 32_000, StaySlots: 1},
		{Category: "drink", Name: booking.Text{Ko: "식혜", En: "Sikhye"}, Price: 5_000, StaySlots: 1},
	}
}

// slot names a slot of the fixture's restaurant in the far future.
func (h *harness) slot(at booking.TimeOfDay) booking.SlotKey {
	return booking.SlotKey{RestaurantID: h.restaurant.ID, Date: "2040-05-07", Time: at}
}

func (h *harness) turn(slot booking.SlotKey, capacity int, fence int64) booking.Turn {
	return booking.Turn{Slot: slot, Capacity: capacity, Seats: h.restaurant.Seats, Fence: fence,
		ArrivalLimit: h.restaurant.ArrivalsPerSlot}
}

// turnOf is a turn over all slots of a request.
func (h *harness) turnOf(req booking.Request, capacity int, fence int64) booking.Turn {
	turn := h.turn(req.Slot, capacity, fence)
	turn.Stay = req.Stay
	return turn
}

// diners creates n diners whose wallets hold balance won and returns their ids.
func (h *harness) diners(t testing.TB, n int, balance int64) []string {
	t.Helper()
	var users []identity.User
	var ids []string
	for range n {
		id := rand.Text()
		ids = append(ids, id)
		users = append(users, identity.User{
			ID: id, Email: strings.ToLower(id) + "@example.org", Name: "Diner " + id[:4], Phone: "010",
			PasswordHash: "!",
		})
	}
	dbtest.Must(t, h.seeds.CreateDiners(t.Context(), users, balance))
	return ids
}

// request returns a request for two seats of a slot with an item of the menu.
func (h *harness) request(userID string, slot booking.SlotKey) booking.Request {
	item := h.menu[0]
	return booking.Request{
		UserID: userID, IdempotencyKey: "key-" + rand.Text(), Ticket: rand.Text(), Slot: slot, PartySize: 2,
		Items:         []booking.Item{{MenuItemID: item.ID, Name: item.Name, Quantity: 2, UnitPrice: item.Price}},
		DepositAmount: 20_000, HoldTime: 7 * time.Minute, Policy: h.restaurant.Policy,
	}
}

// reserve makes a temporary reservation of two seats and returns its id.
func (h *harness) reserve(t testing.TB, req booking.Request) string {
	t.Helper()
	outcomes, _, err := h.slots.Serve(t.Context(), h.turnOf(req, 1_000, 0), []booking.Request{req})
	dbtest.Must(t, err)
	if !outcomes[0].Reserves() {
		t.Fatalf("no reservation was made: %+v", outcomes[0])
	}
	return outcomes[0].ReservationID
}

// count runs a query that yields one number.
func (h *harness) count(t testing.TB, query string, args ...any) int {
	t.Helper()
	var n int
	dbtest.Must(t, h.SQL().GetContext(t.Context(), &n, query, args...))
	return n
}

func (h *harness) mustExec(t testing.TB, query string, args ...any) {
	t.Helper()
	if _, err := h.SQL().ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(fmt.Errorf("%s: %w", query, err))
	}
}
