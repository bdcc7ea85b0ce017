package setup_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"lunchgo/app/booking"
	contents "lunchgo/app/setup"
	"lunchgo/db/dbtest"
	"lunchgo/db/rowlock"
	dbsetup "lunchgo/db/setup"
	"lunchgo/db/testkit"
)

// menuOf is the menu of the fixture's restaurant, with its version.
func menuOf(t testing.TB, h *testkit.Harness) (contents.Menu, contents.Write) {
	t.Helper()
	menu, err := dbsetup.NewContentStore(h.Pool).FindMenu(t.Context(), h.Restaurant.ID)
	if err != nil {
		t.Fatal(err)
	}
	tag, err := contents.Tag(menu)
	if err != nil {
		t.Fatal(err)
	}
	return menu, contents.Write{StaffID: h.Diners(t, 1, 0)[0], RestaurantID: h.Restaurant.ID, Tag: tag}
}

func putMenu(t testing.TB, h *testkit.Harness, edit func(*contents.Menu)) contents.Menu {
	t.Helper()
	menu, write := menuOf(t, h)
	edit(&menu)
	stored, err := dbsetup.NewContentStore(h.Pool).PutMenu(t.Context(), write, menu)
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

func tea() booking.MenuItem {
	return booking.MenuItem{Category: "drink", Name: booking.Text{Ko: "녹차"}, Price: 4_000, StaySlots: 1}
}

// Prices and names of a reservation stay as they were agreed, whatever becomes of the dish.
func TestPutMenu_LeavesReservationsAsAgreed(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	id := h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("18:00")))
	before, err := h.Reservations.Find(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	putMenu(t, h, func(m *contents.Menu) {
		m.Items[0].Name.Ko, m.Items[0].Price, m.Items[0].StaySlots = "한우 갈비찜", 99_000, 3
	})
	after := putMenu(t, h, func(m *contents.Menu) { m.Items = []booking.MenuItem{tea()} })
	agreed, err := h.Reservations.Find(t.Context(), id)
	if err != nil || len(agreed.Items) != 1 || agreed.Items[0] != before.Items[0] ||
		agreed.MenuAmount != before.MenuAmount {
		t.Errorf("%+v %v, was %+v", agreed.Items, err, before.Items)
	}
	// The dish of the reservation is retired; the other one, which nobody had, is in no document any more.
	if len(after.Items) != 2 || after.Items[0].Name.Ko != "녹차" || after.Items[0].ID == 0 ||
		after.Items[1].ID != h.Menu[0].ID || !after.Items[1].Retired {
		t.Errorf("the menu is %+v", after.Items)
	}
	if n := h.Count(t, `SELECT count(*) FROM menu_items WHERE restaurant_id = $1`, h.Restaurant.ID); n != 3 {
		t.Errorf("%d rows of dishes: a request in a line may name each", n)
	}
	listed, err := h.Catalog.ListMenu(t.Context(), h.Restaurant.ID)
	if err != nil || len(listed) != 1 || listed[0].Name.Ko != "녹차" {
		t.Errorf("diners see %+v, %v", listed, err)
	}
	if n := h.Count(t,
		`SELECT count(*) FROM audit_log WHERE action = 'setup.menu' AND detail -> 'was' IS NOT NULL`); n != 2 {
		t.Errorf("%d entries in the audit log", n)
	}
}

func TestPutMenu_OrdersAddsAndBringsBack(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	swapped := putMenu(t, h, func(m *contents.Menu) { m.Items[0], m.Items[1] = m.Items[1], m.Items[0] })
	if swapped.Items[0].ID != h.Menu[1].ID || swapped.Items[1].ID != h.Menu[0].ID {
		t.Errorf("swapped: %+v", swapped.Items)
	}
	putMenu(t, h, func(m *contents.Menu) { m.Items[1].Retired = true })
	putMenu(t, h, func(m *contents.Menu) { m.Items = []booking.MenuItem{tea(), m.Items[1], m.Items[0], tea()} })
	back := putMenu(t, h, func(m *contents.Menu) { m.Items[3].Retired = false })
	if len(back.Items) != 4 || back.Items[3].ID != h.Menu[0].ID || back.Items[3].Retired {
		t.Errorf("brought back: %+v", back.Items)
	}
	unknown, write := menuOf(t, h)
	unknown.Items[0].ID, unknown.Items[1].Picture = 987_654,
		"ab00000000000000000000000000000000000000000000000000000000000000"
	_, err := dbsetup.NewContentStore(h.Pool).PutMenu(t.Context(), write, unknown)
	var invalid *booking.InvalidError
	if !errors.As(err, &invalid) || len(invalid.Fields) != 2 {
		t.Errorf("an unknown dish, and an unknown picture: %v", err)
	}
}

// Another number of portions a day holds for the days that had the old one, less what is ordered; a day with a number
// of its own keeps it.
func TestPutMenu_CarriesPortionsOver(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	h.Limit(t, h.Menu[0], 10)
	slot, own := h.Slot("18:00"), h.Slot("18:00")
	own.Date = "2040-05-14"
	h.ServeAlone(t, h.Ordering(h.Diners(t, 1, 0)[0], slot, 3))
	h.MustExec(t, `INSERT INTO menu_stock VALUES ($1, '2040-05-14', 4, 4)`, h.Menu[0].ID)
	for _, c := range []struct{ daily, left int }{{5, 2}, {2, 0}, {8, 5}} {
		putMenu(t, h, func(m *contents.Menu) { m.Items[0].DailyQuantity = &c.daily })
		if got := h.Left(t, slot)[h.Menu[0].ID]; got != c.left {
			t.Errorf("%d a day: %d left, want %d", c.daily, got, c.left)
		}
		if got := h.Left(t, own)[h.Menu[0].ID]; got != 4 {
			t.Errorf("%d left of the day's own 4", got)
		}
		h.CheckStock(t)
	}
}

// putAtOnce lets several write over the same version at the same moment, and returns how many did.
func putAtOnce(t *testing.T, h *testkit.Harness, n int) (written int64) {
	t.Helper()
	menu, write := menuOf(t, h)
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		store := dbsetup.NewContentStore(h.Instance(t))
		mine := contents.Menu{Items: append([]booking.MenuItem{}, menu.Items...)}
		mine.Items[0].Price = int64(1_000 * (i + 1))
		wg.Go(func() {
			<-start
			_, err := store.PutMenu(t.Context(), write, mine)
			switch {
			case err == nil:
				atomic.AddInt64(&written, 1)
			case !errors.Is(err, contents.ErrChanged):
				t.Error(err)
			}
		})
	}
	close(start)
	wg.Wait()
	return written
}

// Of those who have seen the same version one writes; the others learn that it has changed.
func TestPutMenu_OverOneVersionOnce(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	if written := putAtOnce(t, h, 6); written != 1 {
		t.Errorf("%d wrote over one version", written)
	}
	h.Weaken(rowlock.LockRestaurant, dbtest.Replacing("FOR NO KEY UPDATE", ""))
	h.Weaken(dbsetup.MoveDishes, dbtest.Meeting(2))
	if written := putAtOnce(t, h, 6); written < 2 {
		t.Errorf("%d wrote over one version without the lock: the race shows nothing", written)
	}
}
