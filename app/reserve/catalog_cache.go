package reserve

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"lunchgo/app/booking"
)

// CachedCatalog keeps what a Catalog says for MaxAge, so that a press in a rush asks no database. When the database is
// away it goes on with what it has.
type CachedCatalog struct {
	Source Catalog
	MaxAge time.Duration

	listed      cached[[]booking.Restaurant]
	restaurants keyedCache[int64, booking.Restaurant]
	slugs       keyedCache[string, int64]
	menus       keyedCache[int64, []booking.MenuItem]
}

// ListRestaurants implements Catalog.
func (c *CachedCatalog) ListRestaurants(ctx context.Context) ([]booking.Restaurant, error) {
	list, err := c.listed.load(c.MaxAge, func() ([]booking.Restaurant, error) { return c.Source.ListRestaurants(ctx) })
	return slices.Clone(list), err
}

// FindRestaurant implements Catalog.
func (c *CachedCatalog) FindRestaurant(ctx context.Context, id int64) (booking.Restaurant, error) {
	return c.restaurants.load(id, c.MaxAge, func() (booking.Restaurant, error) { return c.Source.FindRestaurant(ctx, id) })
}

// FindRestaurantBySlug implements Catalog.
func (c *CachedCatalog) FindRestaurantBySlug(ctx context.Context, slug string) (booking.Restaurant, error) {
	id, err := c.slugs.load(slug, c.MaxAge, func() (int64, error) {
		r, err := c.Source.FindRestaurantBySlug(ctx, slug)
		return r.ID, err
	})
	if err != nil {
		return booking.Restaurant{}, err
	}
	return c.FindRestaurant(ctx, id)
}

// ListMenu implements Catalog.
func (c *CachedCatalog) ListMenu(ctx context.Context, restaurantID int64) ([]booking.MenuItem, error) {
	if _, err := c.FindRestaurant(ctx, restaurantID); err != nil {
		return nil, err // so that made-up ids are not kept as empty menus
	}
	return c.menus.load(restaurantID, c.MaxAge, func() ([]booking.MenuItem, error) { return c.Source.ListMenu(ctx, restaurantID) })
}

// keyedCache is a set of cached values by key. What could not be found is not kept: made-up keys must not fill the memory.
type keyedCache[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]*cached[V]
}

func (s *keyedCache[K, V]) load(key K, maxAge time.Duration, fetch func() (V, error)) (V, error) {
	s.mu.Lock()
	if s.values == nil {
		s.values = map[K]*cached[V]{}
	}
	c, ok := s.values[key]
	if !ok {
		c = &cached[V]{}
		s.values[key] = c
	}
	s.mu.Unlock()

	value, err := c.load(maxAge, fetch)
	if err != nil {
		s.mu.Lock()
		if s.values[key] == c {
			delete(s.values, key)
		}
		s.mu.Unlock()
	}
	return value, err
}

// cached is one value that is fetched by one caller at a time: while it is refreshed the others go on with the old one,
// And wait only where there is none yet.
type cached[V any] struct {
	fetching sync.Mutex
	kept     atomic.Pointer[kept[V]]
}

type kept[V any] struct {
	value V
	until time.Time
}

func (c *cached[V]) load(maxAge time.Duration, fetch func() (V, error)) (V, error) {
	if k := c.kept.Load(); k != nil {
		if time.Now().Before(k.until) || !c.fetching.TryLock() {
			return k.value, nil
		}
	} else {
		c.fetching.Lock()
	}
	defer c.fetching.Unlock()

	k := c.kept.Load()
	if k != nil && time.Now().Before(k.until) {
		return k.value, nil
	}
	value, err := fetch()
	if err != nil {
		if k != nil && !errors.Is(err, booking.ErrNotFound) {
			return k.value, nil
		}
		return value, err
	}
	c.kept.Store(&kept[V]{value: value, until: time.Now().Add(maxAge)})
	return value, nil
}
