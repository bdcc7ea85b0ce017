package seed_test

import (
	"reflect"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/reserve"
	"lunchgo/app/seed"
	"lunchgo/db/dbtest"
)

// evening is what staff can change: their restaurant and its menu, and how tonight is sold.
type evening struct {
	Restaurant booking.Restaurant
	Menu       []booking.MenuItem
	Slot       booking.Occupancy
	Portions   []booking.Portions
	Staff      []identity.Membership
}

// What staff changed stays over the next starts with the demo, on the same day and on later ones.
func TestDemo_AgainLeavesWhatStaffChanged(t *testing.T) {
	t.Parallel()
	h := setupDemo(t)
	first := restaurants(t, h.stores)[0]
	menu, err := h.stores.Catalog.ListMenu(t.Context(), first.ID)
	dbtest.Must(t, err)
	untouched := h.evening(t, first.ID)
	h.changeAll(t, first, menu)
	changed := h.evening(t, first.ID)
	for _, day := range []time.Duration{0, 24 * time.Hour, 90 * 24 * time.Hour} {
		dbtest.Must(t, seed.Demo(t.Context(), h.stores, morning.Add(day)))
		if now := h.evening(t, first.ID); !reflect.DeepEqual(now, changed) {
			t.Errorf("after another start %v later:\n%+v\nwant\n%+v", day, now, changed)
		}
	}
	// The control: bringing the restaurant up to date, as every start once did, puts back what staff changed.
	if _, err := h.seeds.PutRestaurant(t.Context(), first, menu); err != nil {
		t.Fatal(err)
	}
	back := h.evening(t, first.ID)
	if back.Restaurant.Capacity != untouched.Restaurant.Capacity || !reflect.DeepEqual(back.Menu, untouched.Menu) {
		t.Errorf("the control changes nothing: %+v", back)
	}
}

// changeAll changes what the demo has of a restaurant.
func (h *harness) changeAll(t *testing.T, r booking.Restaurant, menu []booking.MenuItem) {
	t.Helper()
	changed := r
	changed.Name, changed.Capacity, changed.PartyMax = booking.Text{Ko: "새 이름", En: "Another name"}, 7, 3
	changed.Hours = []booking.Opening{{Weekday: time.Saturday, From: "18:00", Last: "20:00"}}
	dishes := append([]booking.MenuItem{}, menu...)
	dishes[0].Price, dishes[0].DailyQuantity, dishes[0].Name.Ko = 99_000, new(3), "새 요리"
	slot := h.tonight(r.ID)
	staff, err := h.stores.Users.FindUserByEmail(t.Context(), seed.StaffEmail)
	dbtest.Must(t, err)
	capacity, closed, portions := 33, true, 2
	_, changeErr := h.slots.ChangeSlots(t.Context(), reserve.SlotsChange{RestaurantID: r.ID, Date: slot.Date,
		Times: []booking.TimeOfDay{slot.Time}, UsualCapacity: r.Capacity, StaffID: staff.ID,
		Change: reserve.SlotChange{Capacity: &capacity, Closed: &closed}})
	_, putErr := h.seeds.PutRestaurant(t.Context(), changed, dishes)
	for _, err := range []error{
		putErr,
		changeErr,
		h.stocks.SetStock(t.Context(), reserve.StockChange{RestaurantID: r.ID, MenuItemID: menu[0].ID, Date: slot.Date,
			Remaining: &portions, StaffID: staff.ID}),
		h.seeds.PutStaff(t.Context(), staff.ID, identity.Membership{RestaurantID: r.ID, Role: identity.RoleHost}),
	} {
		dbtest.Must(t, err)
	}
}

// tonight is a slot that the guests of the demo do not fill.
func (h *harness) tonight(restaurantID int64) booking.SlotKey {
	return booking.SlotKey{RestaurantID: restaurantID, Date: "2026-11-21", Time: "19:00"}
}

func (h *harness) evening(t *testing.T, restaurantID int64) (e evening) {
	t.Helper()
	var err error
	if e.Restaurant, err = h.stores.Catalog.FindRestaurant(t.Context(), restaurantID); err != nil {
		t.Fatal(err)
	}
	if e.Menu, err = h.stores.Catalog.ListMenu(t.Context(), restaurantID); err != nil {
		t.Fatal(err)
	}
	slot := h.tonight(restaurantID)
	slots, err := h.slots.ListOccupancy(t.Context(), restaurantID, slot.Date, slot.Date)
	dbtest.Must(t, err)
	e.Slot = slots[slot]
	if e.Portions, err = h.stocks.ListPortions(t.Context(), restaurantID, slot.Date); err != nil {
		t.Fatal(err)
	}
	staff, err := h.stores.Users.FindUserByEmail(t.Context(), seed.StaffEmail)
	dbtest.Must(t, err)
	if e.Staff, err = h.stores.Users.ListMemberships(t.Context(), staff.ID); err != nil {
		t.Fatal(err)
	}
	return e
}
