package reserve

import (
	"context"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
)

// shelves is a Catalog of restaurants that never change.
type shelves struct {
	restaurants []booking.Restaurant
	menus       map[int64][]booking.MenuItem
}

func (s shelves) ListRestaurants(context.Context) ([]booking.Restaurant, error) {
	return s.restaurants, nil
}

func (s shelves) FindRestaurant(_ context.Context, id int64) (booking.Restaurant, error) {
	for _, r := range s.restaurants {
		if r.ID == id {
			return r, nil
		}
	}
	return booking.Restaurant{}, booking.ErrNotFound
}

func (s shelves) FindRestaurantBySlug(_ context.Context, slug string) (booking.Restaurant, error) {
	for _, r := range s.restaurants {
		if r.Slug == slug {
			return r, nil
		}
	}
	return booking.Restaurant{}, booking.ErrNotFound
}

func (s shelves) ListMenu(_ context.Context, id int64) ([]booking.MenuItem, error) {
	return s.menus[id], nil
}

// noLines is a Lines in which nobody waits.
type noLines struct{}

func (noLines) Lengths(_ context.Context, slots []booking.SlotKey) ([]int, error) {
	return make([]int, len(slots)), nil
}

func TestSearchFindsByWordsOfAllKinds(t *testing.T) {
	t.Parallel()
	s := &Service{Lines: noLines{}, Catalog: shelves{
		restaurants: []booking.Restaurant{
			{ID: 1, Name: booking.Text{Ko: "담담반상", En: "Damdam Bansang"}, Address: booking.Text{Ko: "서울 종로구", En: "Jongno-gu, Seoul"}, District: "jongno", Cuisine: "korean", PartyMin: 1, PartyMax: 6},
			{ID: 2, Name: booking.Text{Ko: "해온", En: "Haeon"}, Description: booking.Text{Ko: "", En: "A counter of eight"}, District: "mapo", Cuisine: "sushi", PartyMin: 1, PartyMax: 2},
		},
		menus: map[int64][]booking.MenuItem{2: {{Name: booking.Text{Ko: "참치 초밥", En: "Tuna sushi"}}}},
	}}
	for words, want := range map[string]int64{
		"담담": 1, "BANSANG": 1, "종로구": 1, "참치": 2, "tuna counter": 2, "한식": 1, "tuna damdam": 0,
	} {
		found, err := s.Search(t.Context(), Query{Words: words, Names: func(_, cuisine string) string {
			return map[string]string{"korean": "한식", "sushi": "초밥"}[cuisine]
		}}, keyset.Request{})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(found.Items); got != min(int(want), 1) || want > 0 && found.Items[0].Restaurant.ID != want {
			t.Errorf("%q found %v, want %d", words, found, want)
		}
	}
	if found, _ := s.Search(t.Context(), Query{PartySize: 4}, keyset.Request{}); len(found.Items) != 1 {
		t.Errorf("a party of 4 finds %v", found)
	}
}
