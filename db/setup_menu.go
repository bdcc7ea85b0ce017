package db

import (
	"context"
	"fmt"
	"slices"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	contents "lunchgo/app/setup"
	"lunchgo/db/auditlog"
	"lunchgo/db/catalog"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
)

// SetupStore keeps what is in a restaurant: it implements setup.ContentStore.
type SetupStore struct {
	db *pg.Pool
}

// NewSetupStore returns the contents of restaurants stored in db.
func NewSetupStore(db *pg.Pool) *SetupStore { return &SetupStore{db: db} }

// FindMenu implements setup.ContentStore.
func (s *SetupStore) FindMenu(ctx context.Context, restaurantID int64) (contents.Menu, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (contents.Menu, error) {
		return readMenu(ctx, t, restaurantID)
	})
}

func readMenu(ctx context.Context, t *pg.Tx, restaurantID int64) (contents.Menu, error) {
	var rows []struct {
		booking.MenuItem
		SlotMinutes int
	}
	err := t.List(ctx, &rows, `
		SELECT `+catalog.MenuItemColumns+`, (SELECT slot_minutes FROM restaurants WHERE id = restaurant_id) AS slot_minutes
		FROM menu_items
		WHERE restaurant_id = $1 AND NOT removed
		ORDER BY retired, position`, restaurantID)
	menu := contents.Menu{Items: make([]booking.MenuItem, len(rows))}
	for i, row := range rows {
		menu.Items[i] = row.Brief(row.SlotMinutes)
	}
	return menu, err
}

// PutMenu implements setup.ContentStore.
func (s *SetupStore) PutMenu(ctx context.Context, w contents.Write, menu contents.Menu) (contents.Menu, error) {
	document := storedDocument[contents.Menu]{action: "setup.menu", read: readMenu,
		changed: func(of, other contents.Menu) any { return changedItems(of, other) }}
	return document.put(ctx, s.db, w, func(ctx context.Context, t *pg.Tx, was contents.Menu) error {
		slotMinutes, err := pg.One[int](ctx, t, `SELECT slot_minutes FROM restaurants WHERE id = $1`, w.RestaurantID)
		if err != nil {
			return err
		}
		if menu, err = menu.In(slotMinutes); err != nil {
			return err
		}
		if err := checkReferences(ctx, t, w.RestaurantID, was, menu); err != nil {
			return err
		}
		return replaceMenu(ctx, t, w.RestaurantID, menu)
	})
}

// storedDocument is a document of what is in a restaurant.
type storedDocument[D any] struct {
	action  string // in the audit log
	read    func(ctx context.Context, t *pg.Tx, restaurantID int64) (D, error)
	changed func(of, other D) any // what of a version another does not have just so: the log keeps no more
}

// put has a document replaced over the version that a write names, under the lock of the restaurant's row, and returns
// it as stored. Returns booking.ErrNotFound, and the errors of Write.Check and of replace.
func (d storedDocument[D]) put(ctx context.Context, db *pg.Pool, w contents.Write,
	replace func(ctx context.Context, t *pg.Tx, was D) error) (D, error) {
	return pg.WithinCall(ctx, db, 2, func(ctx context.Context, t *pg.Tx) (stored D, err error) {
		if err := rowlock.Restaurant(ctx, t, w.RestaurantID); err != nil {
			return stored, err
		}
		was, err := d.read(ctx, t, w.RestaurantID)
		if err == nil {
			err = w.Check(was)
		}
		if err == nil {
			err = replace(ctx, t, was)
		}
		if err == nil {
			stored, err = d.read(ctx, t, w.RestaurantID)
		}
		if err != nil {
			return stored, err
		}
		return stored, auditlog.Write(ctx, t, auditlog.Entry{StaffID: w.StaffID, RestaurantID: w.RestaurantID,
			Action: d.action, Detail: map[string]any{"was": d.changed(was, stored), "is": d.changed(stored, was)}})
	})
}

// checkReferences returns *booking.InvalidError for dishes and pictures that the restaurant does not have.
func checkReferences(ctx context.Context, t *pg.Tx, restaurantID int64, was, menu contents.Menu) error {
	var invalid booking.InvalidError
	var uploaded pq.StringArray
	for i, item := range menu.Items {
		known := slices.ContainsFunc(was.Items, func(old booking.MenuItem) bool { return old.ID == item.ID })
		if item.ID != 0 && !known {
			invalid.Fields = append(invalid.Fields,
				booking.FieldError{Field: fmt.Sprintf("items[%d].id", i), Reason: "unknown"})
		}
		if contents.IsUploaded(item.Picture) {
			uploaded = append(uploaded, item.Picture)
		}
	}
	known, err := lockPictures(ctx, t, restaurantID, uploaded)
	if err != nil {
		return err
	}
	for i, item := range menu.Items {
		if contents.IsUploaded(item.Picture) && !slices.Contains(known, item.Picture) {
			invalid.Fields = append(invalid.Fields, booking.FieldError{Field: fmt.Sprintf("items[%d].picture", i),
				Reason: "unknown"})
		}
	}
	if len(invalid.Fields) > 0 {
		return &invalid
	}
	return nil
}

// replaceMenu stores the items by their ids, adds those without one and retires the rest.
func replaceMenu(ctx context.Context, t *pg.Tx, restaurantID int64, menu contents.Menu) error {
	placed := catalog.PlacedItems(menu.Items)
	if _, err := t.Exec(ctx, t.Pool.Guarded(MoveDishes, adjustStock), restaurantID, placed); err != nil {
		return err
	}
	return catalog.ReplaceMenu(ctx, t, restaurantID, placed)
}

// adjustStock carries another daily quantity over to the days from today on that still have the old one; what was
// ordered stays ordered. A day for which staff set a number of its own keeps that. Locks are taken in the order of
// turns.
const adjustStock = `
	WITH changed AS (
		SELECT i.id, i.daily_quantity AS was, new."dailyQuantity" AS quantity
		FROM menu_items i
		JOIN ` + catalog.NewItems + ` ON new.id = i.id
		WHERE i.restaurant_id = $1 AND i.daily_quantity <> new."dailyQuantity"
	), locked AS (
		SELECT m.menu_item_id, m.service_date, changed.quantity, m.offered - m.remaining AS ordered
		FROM changed
		JOIN menu_stock m ON m.menu_item_id = changed.id
			AND (m.offered = changed.was OR m.remaining = 0 AND m.offered > changed.was) -- more was ordered than that
		JOIN restaurants p ON p.id = $1
		WHERE m.service_date >= (clock_timestamp() AT TIME ZONE p.time_zone)::date
		ORDER BY m.service_date, m.menu_item_id
		FOR UPDATE OF m
	)
	UPDATE menu_stock m
	SET offered = greatest(locked.quantity, m.offered - m.remaining),
		remaining = greatest(locked.quantity - (m.offered - m.remaining), 0)
	FROM locked
	WHERE m.menu_item_id = locked.menu_item_id AND m.service_date = locked.service_date`

// auditedItem is what the log keeps of a dish.
type auditedItem struct {
	ID            int64  `json:"id"`
	Name          string `json:"name"`
	Price         int64  `json:"price"`
	DailyQuantity int    `json:"dailyQuantity,omitempty"`
	Served        string `json:"served,omitempty"` // HH:MM–HH:MM
	Retired       bool   `json:"retired,omitempty"`
}

func auditedItems(menu contents.Menu) []auditedItem {
	items := make([]auditedItem, 0, len(menu.Items))
	for _, item := range menu.Items {
		audited := auditedItem{ID: item.ID, Name: item.Name.Ko, Price: item.Price, Retired: item.Retired}
		if item.DailyQuantity != nil {
			audited.DailyQuantity = *item.DailyQuantity
		}
		if item.Served != nil {
			audited.Served = string(item.Served.From) + "–" + string(item.Served.Last)
		}
		items = append(items, audited)
	}
	return items
}

// changedItems are the items of a menu that the other does not have just so.
func changedItems(of, other contents.Menu) []auditedItem {
	same := auditedItems(other)
	return slices.DeleteFunc(auditedItems(of), func(item auditedItem) bool { return slices.Contains(same, item) })
}
