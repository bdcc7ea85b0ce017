package reserve

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/cache"
)

// How many restaurants the catalogue keeps, and how long a press and a search wait for the database where nothing is
// kept.
const (
	catalogMost       = 10_000
	catalogPatience   = 3 * time.Second
	directoryPatience = 30 * time.Second
)

// CachedCatalog keeps what a CatalogStore returns for a moment, so that a press in a rush asks no database. When the
// database is away it goes on with what it has.
type CachedCatalog struct {
	source      CatalogStore
	names       func(district, cuisine string) string
	directories cache.Cache[struct{}, *Directory]
	latest      atomic.Pointer[directoryVersion]
	restaurants cache.Cache[int64, booking.Restaurant]
	slugs       cache.Cache[string, int64]
	menus       cache.Cache[int64, []booking.MenuItem]
}

// directoryVersion is a directory of what the catalogue had at a version, or later.
type directoryVersion struct {
	version   string
	directory *Directory
}

// NewCachedCatalog returns a catalogue that asks source again after maxAge. names returns the names of a district and a
// cuisine in all languages, by which they are found.
func NewCachedCatalog(source CatalogStore, maxAge time.Duration,
	names func(district, cuisine string) string) *CachedCatalog {
	c := &CachedCatalog{
		source:      source,
		names:       names,
		directories: catalogCache[struct{}, *Directory](maxAge),
		restaurants: catalogCache[int64, booking.Restaurant](maxAge),
		slugs:       catalogCache[string, int64](maxAge),
		menus:       catalogCache[int64, []booking.MenuItem](maxAge),
	}
	c.directories.Patience = directoryPatience
	return c
}

func catalogCache[K comparable, V any](maxAge time.Duration) cache.Cache[K, V] {
	notFound := func(err error) bool { return errors.Is(err, booking.ErrNotFound) }
	return cache.Cache[K, V]{Life: maxAge, Most: catalogMost, Patience: catalogPatience,
		Stale: &cache.Stale{Ends: notFound}}
}

// Directory returns what diners search, as it was maxAge ago or later.
func (c *CachedCatalog) Directory(ctx context.Context) (*Directory, error) {
	return c.directories.Load(ctx, struct{}{}, c.readDirectory)
}

// readDirectory lists the catalogue anew if it has another version than the latest directory.
func (c *CachedCatalog) readDirectory(ctx context.Context) (*Directory, error) {
	version, err := c.source.Version(ctx) // first: what changes from here on is read once more
	if err != nil {
		return nil, err
	}
	ratings, err := c.source.ListRatings(ctx)
	if err != nil {
		return nil, err
	}
	if latest := c.latest.Load(); latest != nil && latest.version == version {
		latest.directory.ratings.Store(&ratings)
		return latest.directory, nil
	}
	restaurants, err := c.source.ListRestaurants(ctx)
	if err != nil {
		return nil, err
	}
	dishes, err := c.source.ListDishes(ctx)
	if err != nil {
		return nil, err
	}
	latest := &directoryVersion{version, NewDirectory(restaurants, dishes, c.names)}
	latest.directory.ratings.Store(&ratings)
	c.latest.Store(latest)
	return latest.directory, nil
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
	r, err := c.FindRestaurant(ctx, id)
	if err == nil && r.Unpublished {
		return booking.Restaurant{}, booking.ErrNotFound
	}
	return r, err
}

// Forget reads a restaurant anew the next time, after a change that this process knows of.
func (c *CachedCatalog) Forget(restaurantID int64) {
	c.restaurants.Forget(restaurantID)
	c.directories.Forget(struct{}{})
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
