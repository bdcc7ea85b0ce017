// Package favourites is the restaurants that diners save for later.
package favourites

import (
	"context"
	"errors"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/refusal"
)

// Most is how many restaurants a diner can save.
const Most = 200

// ErrTooMany says that a diner has saved as many as they can.
var ErrTooMany = refusal.New(refusal.Conflict, "too_many_favourites", "favourites: as many as a diner can save")

// Favourite is a restaurant that a diner has saved.
type Favourite struct {
	ID           int64 // in the order in which they were saved
	RestaurantID int64
	Name         booking.Text // of the restaurant
}

// Store keeps what diners save.
type Store interface {
	// Save saves a restaurant, once however often. Returns ErrTooMany.
	Save(ctx context.Context, userID string, restaurantID int64) error
	// Remove forgets a restaurant, if it was saved.
	Remove(ctx context.Context, userID string, restaurantID int64) error
	// Has returns whether a restaurant is saved.
	Has(ctx context.Context, userID string, restaurantID int64) (bool, error)
	// List returns a page of what a diner has saved, the latest first.
	List(ctx context.Context, userID string, page keyset.Request) (keyset.Page[Favourite], error)
}

// Catalog finds restaurants that are published.
type Catalog interface {
	FindRestaurant(ctx context.Context, id int64) (booking.Restaurant, error)
}

// Service is what diners do with their favourites.
type Service struct {
	Store
	Catalog Catalog
}

// Saved is a restaurant that a diner has saved, as it is now.
type Saved struct {
	Favourite
	Restaurant *booking.Restaurant // nil: it is not published at present
}

// ListSaved returns a page of what a diner has saved, the latest first.
func (s *Service) ListSaved(ctx context.Context, userID string, page keyset.Request) (keyset.Page[Saved], error) {
	all, err := s.List(ctx, userID, page)
	found := keyset.Page[Saved]{Next: all.Next}
	for _, one := range all.Items {
		saved := Saved{Favourite: one}
		r, missing := s.Catalog.FindRestaurant(ctx, one.RestaurantID)
		switch {
		case missing == nil && r.Unpublished:
		case missing == nil:
			saved.Restaurant = &r
		case !errors.Is(missing, booking.ErrNotFound):
			return found, missing
		}
		found.Items = append(found.Items, saved)
	}
	return found, err
}

// ListRestaurants is ListSaved without what is not published at present.
func (s *Service) ListRestaurants(ctx context.Context, userID string,
	page keyset.Request) (keyset.Page[booking.Restaurant], error) {
	saved, err := s.ListSaved(ctx, userID, page)
	found := keyset.Page[booking.Restaurant]{Next: saved.Next}
	for _, one := range saved.Items {
		if one.Restaurant != nil {
			found.Items = append(found.Items, *one.Restaurant)
		}
	}
	return found, err
}
