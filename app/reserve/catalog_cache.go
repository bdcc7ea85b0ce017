package reserve

import (
	"context"
	"errors"
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/cache"
)

// How many restaurants the catalogue keeps, and how long a press waits for the database where nothing is kept.
const (
	catalogMost     = 10_000
	catalogPatience = 3 * time.Second
)

// CachedCatalog keeps what a Catalog returns for a moment, so that a press in a rush asks no database. When the
// database is away it goes on with what it has.
type CachedCatalog struct {
	source      Catalog
	listed      cache.Cache[struct{}, []booking.Restaurant]
	restaurants cache.Cache[int64, booking.Restaurant]
	slugs       cache.Cache[string, int64]
	menus       cache.Cache[int64, []booking.MenuItem]
}

// NewCachedCatalog returns a catalogue that asks source again after maxAge.
func NewCachedCatalog(source Catalog, maxAge time.Duration) *CachedCatalog {
	return &CachedCatalog{
		source:      source,
		listed:      catalogCache[struct{}, []booking.Restaurant](maxAge),
		restaurants: catalogCache[int64, booking.Restaurant](maxAge),
		slugs:       catalogCache[string, int64](maxAge),
		menus:       catalogCache[int64, []booking.MenuItem](maxAge),
	}
}

func catalogCache[K comparable, V any](maxAge time.Duration) cache.Cache[K, V] {
	notFound := func(err error) bool { return errors.Is(err, booking.ErrNotFound) }
	return cache.Cache[K, V]{Life: maxAge, Most: catalogMost, Patience: catalogPatience,
		Stale: &cache.Stale{Ends: notFound}}
}

// ListRestaurants implements Catalog.
func (c *CachedCatalog) ListRestaurants(ctx context.Context) ([]booking.Restaurant, error) {
	list, err := c.listed.Load(ctx, struct{}{}, c.source.ListRestaurants)
	return slices.Clone(list), err
}

// FindRestaurant implements Catalog.
func (c *CachedCatalog) FindRestaurant(ctx context.Context, id int64) (booking.Restaurant, error) {
	return c.restaurants.Load(ctx, id, func(ctx context.Context) (booking.Restaurant, error) {
		return c.source.FindRestaurant(ctx, id)
	})
}

// FindRestaurantBySlug implements Catalog.
func (c *CachedCatalog) FindRestaurantBySlug(ctx context.Context, slug string) (booking.Restaurant, error) {
	id, err := c.slugs.Load(ctx, slug, func(ctx context.Context) (int64, error) {
		r, err := c.source.FindRestaurantBySlug(ctx, slug)
		return r.ID, err
	})
	if err != nil {
		return booking.Restaurant{}, err
	}
	return c.FindRestaurant(ctx, id)
}

// Forget reads a restaurant anew the next time, after a change that this process knows of.
func (c *CachedCatalog) Forget(restaurantID int64) {
	c.restaurants.Forget(restaurantID)
	c.listed.Forget(struct{}{})
	c.menus.Forget(restaurantID)
}

// ListMenu implements Catalog.
func (c *CachedCatalog) ListMenu(ctx context.Context, restaurantID int64) ([]booking.MenuItem, error) {
	if _, err := c.FindRestaurant(ctx, restaurantID); err != nil {
		return nil, err // so that made-up ids are not kept as empty menus
	}
	return c.menus.Load(ctx, restaurantID, func(ctx context.Context) ([]booking.MenuItem, error) {
		return c.source.ListMenu(ctx, restaurantID)
	})
}
