package catalog_test

import (
	"errors"
	"reflect"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

func TestCatalog_ReturnsWhatWasPut(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	want := testkit.Restaurant()
	want.ID, want.Location = h.Restaurant.ID, h.Restaurant.Location
	if !reflect.DeepEqual(h.Restaurant, want) {
		t.Errorf("got\n%+v, want\n%+v", h.Restaurant, want)
	}
	if name := h.Restaurant.Location.String(); name != "Asia/Seoul" {
		t.Errorf("time zone %s", name)
	}
	bySlug, err := h.Catalog.FindRestaurantBySlug(t.Context(), want.Slug)
	if err != nil || !reflect.DeepEqual(bySlug, want) {
		t.Errorf("by slug %+v, %v", bySlug, err)
	}
	course := booking.MenuItem{Category: "set", Name: booking.Text{Ko: "한정식", En: "Course"}, Price: 90_000,
		StaySlots: 3, StayMinutes: 180}
	wanted := append(testkit.Menu(), course)
	if _, err := h.Seeds.PutRestaurant(t.Context(), testkit.Restaurant(), wanted); err != nil {
		t.Fatal(err)
	}
	menu, err := h.Catalog.ListMenu(t.Context(), h.Restaurant.ID)
	if err != nil || len(menu) != len(wanted) {
		t.Fatalf("%d dishes, %v", len(menu), err)
	}
	for i, item := range menu {
		want := wanted[i]
		if want.ID = item.ID; item != want {
			t.Errorf("menu item %+v, want %+v", item, want)
		}
	}
}

func TestCatalog_OmitsShadows(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	shadow := testkit.Restaurant()
	shadow.Slug, shadow.Shadow = "shadow", true
	id, err := h.Seeds.PutRestaurant(t.Context(), shadow, nil)
	dbtest.Must(t, err)
	listed, err := h.Catalog.ListRestaurants(t.Context())
	if err != nil || len(listed) != 1 || listed[0].ID != h.Restaurant.ID {
		t.Errorf("listed %+v, %v", listed, err)
	}
	if r, err := h.Catalog.FindRestaurant(t.Context(), id); err != nil || !r.Shadow {
		t.Errorf("the shadow %+v, %v", r, err)
	}
}

func TestCatalog_NotFound(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	if _, err := h.Catalog.FindRestaurant(t.Context(), 999); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("by id: %v", err)
	}
	if _, err := h.Catalog.FindRestaurantBySlug(t.Context(), "none"); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("by slug: %v", err)
	}
	if items, err := h.Catalog.ListMenu(t.Context(), 999); err != nil || len(items) != 0 {
		t.Errorf("menu: %+v, %v", items, err)
	}
}

// Every change of what the catalogue returns, and nothing else, changes its version.
func TestCatalog_VersionFollowsChanges(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	version := func() string {
		v, err := h.Catalog.Version(t.Context())
		dbtest.Must(t, err)
		return v
	}
	for _, change := range []string{
		`UPDATE restaurants SET stop_reason = 'full'`,
		`UPDATE opening_hours SET last_time = first_time WHERE weekday = 1`,
		`DELETE FROM opening_hours WHERE weekday = 1`,
		`INSERT INTO special_hours (restaurant_id, opens_on, spans) SELECT id, '2030-01-01', '[]' FROM restaurants`,
		`INSERT INTO closures (restaurant_id, closed_on) SELECT id, '2030-01-02' FROM restaurants`,
		`INSERT INTO seats (restaurant_id, label, kind, places, position, map_x, map_y, map_width, map_height)
			SELECT id, 'T1', 'table', 4, 1, 1, 0, 1, 1 FROM restaurants`,
		`INSERT INTO seats (restaurant_id, label, kind, places, position, map_x, map_y, map_width, map_height)
			SELECT id, 'T2', 'table', 4, 2, 2, 0, 1, 1 FROM restaurants`,
		`INSERT INTO seat_partners (restaurant_id, seat_id, partner_id) SELECT a.restaurant_id, a.id, b.id
			FROM seats a JOIN seats b ON a.label = 'T1' AND b.label = 'T2'`,
		`DELETE FROM seat_partners`,
		`UPDATE menu_items SET price = price + 1`,
		`DELETE FROM menu_items`,
	} {
		before := version()
		if again := version(); again != before {
			t.Errorf("without a change %q is %q", before, again)
		}
		h.MustExec(t, change)
		if version() == before {
			t.Errorf("no other version after %s", change)
		}
	}
}
