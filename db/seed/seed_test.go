package seed_test

import (
	"reflect"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db/testkit"
)

func TestPutRestaurant_Again(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	changed := testkit.Restaurant()
	changed.Capacity = 99
	changed.Hours = []booking.Opening{{Weekday: time.Friday, From: "23:00", Last: "23:45"}}
	changed.Closures = []booking.Date{"2032-02-02"}
	menu := testkit.Menu()
	menu[0].Price = 33_000
	id, err := h.Seeds.PutRestaurant(t.Context(), changed, menu)
	if err != nil || id != h.Restaurant.ID {
		t.Fatalf("id %d, want %d (%v)", id, h.Restaurant.ID, err)
	}
	r, err := h.Catalog.FindRestaurant(t.Context(), id)
	if err != nil || r.Capacity != 99 || !reflect.DeepEqual(r.Hours, changed.Hours) {
		t.Errorf("%+v, %v", r, err)
	}
	if want := []booking.Date{"2031-01-01", "2032-02-02"}; !reflect.DeepEqual(r.Closures, want) {
		t.Errorf("closures %v, want %v", r.Closures, want)
	}
	items, err := h.Catalog.ListMenu(t.Context(), id)
	if err != nil || len(items) != 2 || items[0].Price != 33_000 || items[0].ID != h.Menu[0].ID {
		t.Errorf("menu %+v, %v", items, err)
	}
}
