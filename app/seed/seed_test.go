package seed_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/seed"
	choices "lunchgo/app/setup"
	"lunchgo/db"
	"lunchgo/db/accounts"
	"lunchgo/db/catalog"
	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/tables"
	"lunchgo/db/pg"
	dbseed "lunchgo/db/seed"
	"lunchgo/db/wallet"
)

// morning is a Saturday in Seoul, ten in the morning.
var morning = time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC)

// harness is a database of the test's own, as the seed and as staff reach it.
type harness struct {
	url    string
	db     *pg.Pool
	stores seed.Stores
	slots  *db.SlotStore
	stocks *db.StockStore
	seeds  *dbseed.Store
}

func setup(t *testing.T) seed.Stores {
	t.Helper()
	return setupStores(t).stores
}

func setupStores(t *testing.T) *harness {
	t.Helper()
	return open(t, tables.Database(t))
}

// setupDemo is setupStores with the demo of the morning, which is loaded once and then copied.
func setupDemo(t *testing.T) *harness {
	t.Helper()
	url := dbtest.Template(t, "demo", func(url string) error {
		if err := tables.Make(url); err != nil {
			return err
		}
		store, err := db.Open(context.Background(), pg.Config{URL: url})
		if err != nil {
			return err
		}
		return errors.Join(seed.Demo(context.Background(), storesOf(store).stores, morning), store.Close())
	})
	return open(t, url)
}

func open(t *testing.T, url string) *harness {
	t.Helper()
	store, err := db.Open(t.Context(), pg.Config{URL: url})
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = store.Close() })
	h := storesOf(store)
	h.url = url
	return h
}

func storesOf(store *pg.Pool) *harness {
	h := &harness{db: store, slots: db.NewSlotStore(store), stocks: db.NewStockStore(store),
		seeds: dbseed.NewStore(store)}
	h.stores = seed.Stores{
		Catalog: catalog.NewStore(store), Slots: h.slots, Reservations: db.NewReservationStore(store),
		Wallets: wallet.NewStore(store), Users: accounts.NewStore(store), Seeds: h.seeds,
		Hash: func(password string) (string, error) { return "hash of " + password, nil },
	}
	return h
}

func restaurants(t *testing.T, stores seed.Stores) []booking.Restaurant {
	t.Helper()
	all, err := stores.Catalog.ListRestaurants(t.Context())
	dbtest.Must(t, err)
	return all
}

func TestDemo_IsComplete(t *testing.T) {
	t.Parallel()
	stores := setup(t)
	campaigns := noteCampaigns(&stores)
	dbtest.Must(t, seed.Demo(t.Context(), stores, morning))
	checkCampaigns(t, campaigns.put)
	all := restaurants(t, stores)
	if len(all) < 12 {
		t.Errorf("%d restaurants, want 12 at least", len(all))
	}
	districts, limited := map[string]bool{}, 0
	for _, r := range all {
		districts[r.District] = true
		checkRestaurant(t, r)
		menu, err := stores.Catalog.ListMenu(t.Context(), r.ID)
		dbtest.Must(t, err)
		if len(menu) < 8 {
			t.Errorf("%s has %d menu items, want 8 at least", r.Slug, len(menu))
		}
		for _, item := range menu {
			if item.Name.Ko == "" || item.Name.En == "" || item.Description.Ko == "" || item.Description.En == "" ||
				item.Price <= 0 {
				t.Errorf("%s: menu item is not complete: %+v", r.Slug, item)
			}
			if item.DailyQuantity != nil {
				limited++
			}
		}
	}
	if limited < 3 {
		t.Errorf("%d dishes are limited, want 3 at least", limited)
	}
	if len(districts) != 3 {
		t.Errorf("districts %v, want three", districts)
	}
}

func checkRestaurant(t *testing.T, r booking.Restaurant) {
	t.Helper()
	for _, words := range []booking.Text{r.Name, r.Description, r.Address} {
		if words.Ko == "" || words.En == "" {
			t.Errorf("%s: a text is missing: %+v", r.Slug, words)
		}
	}
	if r.Phone == "" || len(r.Photos) < 5 {
		t.Errorf("%s: phone %q, pictures %q", r.Slug, r.Phone, r.Photos)
	}
	if !slices.Contains(choices.Dishes(), r.Picture) {
		t.Errorf("%s: no picture is named %q", r.Slug, r.Picture)
	}
	tiers := r.Policy.Tiers
	if !slices.IsSortedFunc(tiers, func(a, b booking.RefundTier) int { return b.HoursBefore - a.HoursBefore }) {
		t.Errorf("%s: refund tiers do not fall: %+v", r.Slug, tiers)
	}
	sizes := r.Deposits()
	if !slices.IsSortedFunc(sizes, func(a, b booking.DepositTier) int { return a.FromParty - b.FromParty }) ||
		r.ExtensionMinutes == 0 {
		t.Errorf("%s: deposits %+v, %d minutes more", r.Slug, sizes, r.ExtensionMinutes)
	}
	var open, closed int
	for day := range 30 {
		if len(r.Times(booking.DateOf(morning, r.Location).AddDays(day))) > 0 {
			open++
		} else {
			closed++
		}
	}
	if open < 15 {
		t.Errorf("%s is open on %d of 30 days", r.Slug, open)
	}
	if len(r.Closures) > 0 && closed == 0 {
		t.Errorf("%s has days of rest, but is open on all 30 days", r.Slug)
	}
}

func TestDemo_AccountsCanPayAndWork(t *testing.T) {
	t.Parallel()
	stores := setupDemo(t).stores
	for _, email := range []string{seed.DinerEmail, seed.FriendEmail, seed.StaffEmail} {
		user, err := stores.Users.FindUserByEmail(t.Context(), email)
		if err != nil {
			t.Fatal(email, err)
		}
		if want, _ := stores.Hash(seed.DemoPassword); user.PasswordHash != want {
			t.Errorf("%s: password hash %q, want %q", email, user.PasswordHash, want)
		}
		account, err := stores.Wallets.Find(t.Context(), user.ID)
		if err != nil || account.Balance <= 0 {
			t.Errorf("%s: wallet %+v, %v", email, account, err)
		}
	}
	staff, err := stores.Users.FindUserByEmail(t.Context(), seed.StaffEmail)
	dbtest.Must(t, err)
	got, err := stores.Users.ListMemberships(t.Context(), staff.ID)
	all := restaurants(t, stores)
	want := []identity.Membership{
		{RestaurantID: all[0].ID, Role: identity.RoleOwner}, {RestaurantID: all[1].ID, Role: identity.RoleHost},
		{RestaurantID: all[2].ID, Role: identity.RoleManager},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("staff of %v (%v), want %v", got, err, want)
	}
}

func TestDemo_HasASoldOutEveningAndBusyDays(t *testing.T) {
	t.Parallel()
	stores := setupDemo(t).stores
	soldOut, busy := 0, 0
	for _, r := range restaurants(t, stores) {
		today := booking.DateOf(morning, r.Location)
		slots, err := stores.Slots.ListOccupancy(t.Context(), r.ID, today, today.AddDays(2))
		dbtest.Must(t, err)
		for slot, o := range slots {
			if o.OnHold > 0 || o.Held > o.Capacity {
				t.Errorf("%s %v: %+v", r.Slug, slot, o)
			}
			if o.Remaining() == 0 && slot.Date == today && slot.Time >= "17:00" {
				soldOut++
			}
			if o.Held > 0 && o.Remaining() > 0 {
				busy++
			}
		}
	}
	if soldOut == 0 || busy < 20 {
		t.Errorf("%d slots sold out tonight, %d partly booked; want 1 and 20 at least", soldOut, busy)
	}
}

func TestDemo_AgainKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	stores := setupDemo(t).stores
	before := held(t, stores)
	dbtest.Must(t, seed.Demo(t.Context(), stores, morning.Add(time.Minute)))
	if after := held(t, stores); after != before {
		t.Errorf("%d seats were held, now %d", before, after)
	}
	diner, err := stores.Users.FindUserByEmail(t.Context(), seed.DinerEmail)
	dbtest.Must(t, err)
	if account, err := stores.Wallets.Find(t.Context(), diner.ID); err != nil || account.Version != 1 {
		t.Errorf("the diner's wallet was charged again: %+v, %v", account, err)
	}
	if err := seed.Demo(t.Context(), stores, morning.Add(24*time.Hour)); err != nil {
		t.Fatalf("the day after: %v", err)
	}
	if after := held(t, stores); after <= before {
		t.Errorf("the day after, %d seats are held, want more than %d", after, before)
	}
}

func TestDemo_ByFourInstancesAtOnce(t *testing.T) {
	t.Parallel()
	stores := setup(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if err := seed.Demo(ctx, stores, morning); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := len(restaurants(t, stores)); n != 14 {
		t.Errorf("%d restaurants, want 14", n)
	}
}

func held(t *testing.T, stores seed.Stores) int {
	t.Helper()
	sum := 0
	for _, r := range restaurants(t, stores) {
		today := booking.DateOf(morning, r.Location)
		slots, err := stores.Slots.ListOccupancy(t.Context(), r.ID, today, today.AddDays(30))
		dbtest.Must(t, err)
		for _, o := range slots {
			sum += o.Held
		}
	}
	return sum
}

func TestDiners_HaveMoneyAndNoPassword(t *testing.T) {
	t.Parallel()
	stores := setup(t)
	ids, err := seed.Diners(t.Context(), stores.Seeds, 2_500)
	if err != nil || len(ids) != 2_500 {
		t.Fatal(len(ids), err)
	}
	for _, id := range []string{ids[0], ids[2_499]} {
		account, err := stores.Wallets.Find(t.Context(), id)
		if err != nil || account.Balance != seed.DinerPurse {
			t.Errorf("wallet %+v, %v", account, err)
		}
		page, err := stores.Wallets.ListEntries(t.Context(), id, keyset.Request{})
		entries := page.Items
		if err != nil || len(entries) != 1 || entries[0].Amount != seed.DinerPurse {
			t.Errorf("ledger %+v, %v", entries, err)
		}
		user, err := stores.Users.FindUser(t.Context(), id)
		if err != nil || user.PasswordHash != "!" {
			t.Errorf("user %+v, %v", user, err)
		}
	}
}

func TestShadowRestaurant_IsBookableAtOnceAndNeverListed(t *testing.T) {
	t.Parallel()
	stores := setup(t)
	r, slots, err := seed.ShadowRestaurant(t.Context(), stores,
		seed.Shadow{Name: "Rush", Seats: 20, PartyMax: 4, Slots: 120}, morning)
	dbtest.Must(t, err)
	if len(restaurants(t, stores)) != 0 {
		t.Error("it is listed")
	}
	if len(slots) != 120 {
		t.Fatalf("%d slots, want 120", len(slots))
	}
	for _, slot := range slots {
		if err := r.CheckBookable(slot.Date, slot.Time, morning); err != nil {
			t.Errorf("%v: %v", slot, err)
		}
	}
	ids, err := seed.Diners(t.Context(), stores.Seeds, 1)
	dbtest.Must(t, err)
	turn := booking.Turn{Slot: slots[0], Capacity: r.Capacity, Fence: 1}
	run := []booking.Request{{UserID: ids[0], IdempotencyKey: "k", Slot: slots[0], PartySize: 2}}
	if _, after, err := stores.Slots.Serve(t.Context(), turn, run); err != nil || after[0].Held != 2 {
		t.Fatalf("%+v, %v", after, err)
	}
	dbtest.Must(t, stores.Seeds.FreeShadow(t.Context(), r.ID))
	if _, after, err := stores.Slots.Serve(t.Context(), turn, nil); err != nil || after[0].Held != 0 {
		t.Errorf("after it was freed: %+v, %v", after, err)
	}
}

func TestFreeShadow_OnlyAShadow(t *testing.T) {
	t.Parallel()
	stores := setupDemo(t).stores
	before := held(t, stores)
	if err := stores.Seeds.FreeShadow(t.Context(), restaurants(t, stores)[0].ID); !errors.Is(err,
		booking.ErrNotFound) {
		t.Errorf("got %v, want %v", err, booking.ErrNotFound)
	}
	if after := held(t, stores); after != before {
		t.Errorf("%d seats were held, now %d", before, after)
	}
}
