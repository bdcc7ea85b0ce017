// Package setup stores what restaurants are before and after they are published: drafts, their documents, and what is
// in them.
package setup

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/db/auditlog"
	"lunchgo/db/catalog"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
)

// Guards of the package.
const (
	FindEarlierSlug     pg.Guard = "find whom an earlier slug leads to"
	LockOpener          pg.Guard = "lock who opens a draft"
	InsertDraft         pg.Guard = "open a draft"
	StoreDocuments      pg.Guard = "store the documents of a restaurant"
	MoveDishes          pg.Guard = "make room for another menu"
	UnpublishRestaurant pg.Guard = "take a restaurant off the public pages"
)

// DocumentStore implements setup.Store: the documents of a restaurant that owners replace, and their review.
type DocumentStore struct {
	db      *pg.Pool
	catalog *catalog.Store
}

// NewDocumentStore returns the documents of the restaurants in a database.
func NewDocumentStore(pool *pg.Pool) *DocumentStore {
	return &DocumentStore{db: pool, catalog: catalog.NewStore(pool)}
}

// FindSetup implements setup.Store.
func (s *DocumentStore) FindSetup(ctx context.Context, restaurantID int64) (setup.State, error) {
	r, err := s.catalog.FindAtWork(ctx, restaurantID)
	if err != nil {
		return setup.State{}, err
	}
	menu, err := s.catalog.ListMenu(ctx, restaurantID)
	if err != nil {
		return setup.State{}, err
	}
	state := setup.State{Restaurant: r, Menu: menu}
	err = s.db.Get(ctx, &state, `SELECT submitted_at, refusal FROM restaurants WHERE id = $1`, restaurantID)
	return state, pg.OrNotFound(err, booking.ErrNotFound)
}

// Change implements setup.Store. The lock on the restaurant's row lets one change of it decide at a time.
func (s *DocumentStore) Change(ctx context.Context, c setup.Change) ([]booking.SlotKey, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (slots []booking.SlotKey, err error) {
		was, err := s.lockSetup(ctx, t, c.RestaurantID)
		if err != nil {
			return nil, err
		}
		next, entries, err := c.Decide(was)
		if err != nil || len(entries) == 0 {
			return nil, err
		}
		if err = checkShown(ctx, t, was, next); err == nil {
			err = storeSetup(ctx, t, next)
		}
		if err == nil && was.Slug != next.Slug {
			err = leaveSlug(ctx, t, was, next)
		}
		if err == nil {
			slots, err = followCapacity(ctx, t, was, next)
		}
		if err == nil && limitsSlots(was) != limitsSlots(next) {
			slots, err = comingSlots(ctx, t, next)
		}
		if err != nil {
			return nil, err
		}
		var acts []auditlog.Entry
		for _, entry := range entries {
			acts = append(acts, auditlog.Entry{StaffID: c.StaffID, RestaurantID: c.RestaurantID,
				Action: "setup." + string(entry.Document), Detail: map[string]any{"was": entry.Was, "is": entry.Is}})
		}
		return slots, auditlog.Write(ctx, t, acts...)
	})
}

// limitsSlots is what of a restaurant limits and opens its slots besides their capacity, and is cached with them.
func limitsSlots(r booking.Restaurant) any {
	return struct {
		arrivals int
		rule     booking.OpeningRule
		zone     string
	}{r.ArrivalsPerSlot, r.OpeningRule, r.Location.String()}
}

// lockSetup locks a restaurant and reads it after that. Reservations do not wait: they lock its key only.
func (s *DocumentStore) lockSetup(ctx context.Context, t *pg.Tx, restaurantID int64) (booking.Restaurant, error) {
	if err := rowlock.Restaurant(ctx, t, restaurantID); err != nil {
		return booking.Restaurant{}, err
	}
	return catalog.FindRestaurant(ctx, t, restaurantID)
}

// storeSetup stores all documents of a restaurant.
func storeSetup(ctx context.Context, t *pg.Tx, r booking.Restaurant) error {
	query, args, err := catalog.BindRestaurant(t.Pool, catalog.UpdateRestaurant, r)
	if err != nil {
		return err
	}
	if _, err := t.Exec(ctx, t.Pool.Guarded(StoreDocuments, query), args...); err != nil {
		return err
	}
	if err := catalog.PutHours(ctx, t, r.ID, r.Hours); err != nil {
		return err
	}
	if err := catalog.ReplaceSpecialDays(ctx, t, r); err != nil {
		return err
	}
	return catalog.ReplaceClosures(ctx, t, r)
}

// leaveSlug has the slug that a restaurant had lead to it. The restaurant has the new one already: whoever leaves that
// at the same moment is awaited, so that what is read here is theirs. Returns setup.ErrSlugTaken.
func leaveSlug(ctx context.Context, t *pg.Tx, was, next booking.Restaurant) error {
	taken, err := pg.One[bool](ctx, t, t.Pool.Guarded(FindEarlierSlug, `
		SELECT EXISTS (SELECT FROM earlier_slugs WHERE slug = $1 AND restaurant_id <> $2)`), next.Slug, next.ID)
	if err == nil && taken {
		err = setup.ErrSlugTaken
	}
	if err == nil {
		err = t.Run(ctx, `DELETE FROM earlier_slugs WHERE slug = $1 AND restaurant_id = $2`, next.Slug, next.ID)
	}
	if err != nil {
		return err
	}
	return t.Run(ctx, `INSERT INTO earlier_slugs (slug, restaurant_id) VALUES ($1, $2)`, was.Slug, next.ID)
}

// Submit implements setup.Store.
func (s *DocumentStore) Submit(ctx context.Context, sub setup.Submission) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		if sub.Publish {
			_, err := publish(ctx, t, sub.RestaurantID, sub.StaffID)
			return err
		}
		changed, err := t.Exec(ctx, `
			UPDATE restaurants
			SET submitted_at = clock_timestamp(), refusal = '', refused_at = NULL
			WHERE id = $1 AND state = 'draft' AND submitted_at IS NULL`, sub.RestaurantID)
		if err != nil || changed == 0 {
			return err
		}
		return auditlog.Write(ctx, t, auditlog.Entry{StaffID: sub.StaffID, RestaurantID: sub.RestaurantID,
			Action: "restaurant.submitted"})
	})
}

// publish makes a draft a restaurant that diners see, and notes who did. Returns booking.ErrNotFound.
func publish(ctx context.Context, t *pg.Tx, id int64, staffID string) (published bool, err error) {
	changed, err := t.Exec(ctx, `
		UPDATE restaurants
		SET state = 'published'
		WHERE id = $1 AND state = 'draft'`, id)
	if err != nil {
		return false, err
	}
	if changed == 0 {
		var known bool
		err := t.Get(ctx, &known, `SELECT true FROM restaurants WHERE id = $1 AND NOT shadow`, id)
		return false, pg.OrNotFound(err, booking.ErrNotFound)
	}
	return true, auditlog.Write(ctx, t, auditlog.Entry{StaffID: staffID, RestaurantID: id,
		Action: "restaurant.published"})
}
