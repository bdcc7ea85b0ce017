package audit

import (
	"cmp"
	"slices"
	"sync"
)

// Concern is what an audit found wrong at a restaurant.
type Concern struct {
	RestaurantID int64
	Check        string
	Found        int // of the examples in the report
}

// Board holds what the last audit found, for those whom it concerns. The zero value has found nothing.
type Board struct {
	mu       sync.Mutex
	concerns map[int64][]Concern
}

// Show replaces what the audit before found.
func (b *Board) Show(concerns []Concern) {
	byRestaurant := map[int64][]Concern{}
	for _, c := range concerns {
		byRestaurant[c.RestaurantID] = append(byRestaurant[c.RestaurantID], c)
	}
	for _, found := range byRestaurant {
		slices.SortFunc(found, func(a, b Concern) int { return cmp.Compare(a.Check, b.Check) })
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.concerns = byRestaurant
}

// Of returns what was found wrong at a restaurant, by check. The caller must not change it.
func (b *Board) Of(restaurantID int64) []Concern {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.concerns[restaurantID]
}
