package reserve

import (
	"context"
	"slices"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
)

// shelves is a CatalogStore that counts how often it is listed.
type shelves struct {
	Catalog
	restaurants []booking.Restaurant
	version     string
	listed      int
}

func (s *shelves) Version(context.Context) (string, error) { return s.version, nil }

func (s *shelves) ListRestaurants(context.Context) ([]booking.Restaurant, error) {
	s.listed++
	return s.restaurants, nil
}

func (*shelves) ListRatings(context.Context) (map[int64]booking.Rating, error) { return nil, nil }

func (*shelves) ListDishes(context.Context) (map[int64][]booking.Text, error) { return nil, nil }

// The whole catalogue is read when its version says that something has changed.
func TestCachedCatalog_ListsAnewAfterAChange(t *testing.T) {
	t.Parallel()
	source := &shelves{version: "1", restaurants: []booking.Restaurant{{ID: 1}}}
	catalog := NewCachedCatalog(source, time.Nanosecond, func(string, string) string { return "" })
	read := func() *Directory {
		d, err := catalog.readDirectory(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := read()
	source.restaurants = []booking.Restaurant{{ID: 1}, {ID: 2}}
	if again := read(); again != first || source.listed != 1 {
		t.Errorf("listed %d times without a change", source.listed)
	}
	source.version = "2"
	if changed := read(); len(changed.restaurants) != 2 || source.listed != 2 {
		t.Errorf("after a change %d restaurants, listed %d times", len(changed.restaurants), source.listed)
	}
}

// Pages follow each other without gap or repeat, whatever else is asked for.
func TestDirectory_CutsPages(t *testing.T) {
	t.Parallel()
	var restaurants []booking.Restaurant
	for id := range int64(40) {
		restaurants = append(restaurants, booking.Restaurant{ID: 3*id + 1, Settings: booking.Settings{Cuisine: []string{"korean", "sushi"}[id%2]}})
	}
	d := NewDirectory(restaurants, nil, func(string, string) string { return "" })
	var ids []int64
	asked := keyset.Request{Limit: 7}
	for {
		page := d.page(Query{Cuisine: "sushi"}, asked)
		for _, found := range page.Items {
			ids = append(ids, found.Restaurant.ID)
		}
		if page.Next == "" {
			break
		}
		after, err := keyset.Parse(page.Next)
		if err != nil || len(page.Items) != 7 {
			t.Fatalf("a page of %d, %v", len(page.Items), err)
		}
		asked.After = &after
	}
	if len(ids) != 20 || !slices.IsSorted(ids) || len(slices.Compact(ids)) != 20 {
		t.Errorf("pages of %v", ids)
	}
}
