package setup

import (
	"context"
	"fmt"
	"slices"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/db/catalog"
	"lunchgo/db/pg"
)

// FindMenu implements setup.ContentStore.
func (s *ContentStore) FindMenu(ctx context.Context, restaurantID int64) (setup.Menu, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (setup.Menu, error) {
		return readMenu(ctx, t, restaurantID)
	})
}

func readMenu(ctx context.Context, t *pg.Tx, restaurantID int64) (setup.Menu, error) {
	var rows []struct {
		booking.MenuItem
		SlotMinutes int
	}
	err := t.List(ctx, &rows, `
		SELECT `+catalog.MenuItemColumns+`, (SELECT slot_minutes FROM restaurants WHERE id = restaurant_id) AS slot_minutes
		FROM menu_items
		WHERE restaurant_id = $1 AND NOT removed
		ORDER BY retired, position`, restaurantID)
	menu := setup.Menu{Items: make([]booking.MenuItem, len(rows))}
	for i, row := range rows {
		menu.Items[i] = row.Brief(row.SlotMinutes)
	}
	return menu, err
}

// PutMenu implements setup.ContentStore.
func (s *ContentStore) PutMenu(ctx context.Context, w setup.Write, menu setup.Menu) (setup.Menu, error) {
	document := storedDocument[setup.Menu]{action: "setup.menu", read: readMenu,
		changed: func(of, other setup.Menu) any { return changedItems(of, other) }}
	return document.put(ctx, s.db, w, func(ctx context.Context, t *pg.Tx, was setup.Menu) error {
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

// checkReferences returns *booking.InvalidError for dishes and pictures that the restaurant does not have.
func checkReferences(ctx context.Context, t *pg.Tx, restaurantID int64, was, menu setup.Menu) error {
	var invalid booking.InvalidError
	var uploaded pq.StringArray
	for i, item := range menu.Items {
		known := slices.ContainsFunc(was.Items, func(old booking.MenuItem) bool { return old.ID == item.ID })
		if item.ID != 0 && !known {
			invalid.Fields = append(invalid.Fields,
				booking.FieldError{Field: fmt.Sprintf("items[%d].id", i), Reason: "unknown"})
		}
		if setup.IsUploaded(item.Picture) {
			uploaded = append(uploaded, item.Picture)
		}
	}
	known, err := lockPictures(ctx, t, restaurantID, uploaded)
	if err != nil {
		return err
	}
	for i, item := range menu.Items {
		if setup.IsUploaded(item.Picture) && !slices.Contains(known, item.Picture) {
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
func replaceMenu(ctx context.Context, t *pg.Tx, restaurantID int64, menu setup.Menu) error {
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

func auditedItems(menu setup.Menu) []auditedItem {
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
func changedItems(of, other setup.Menu) []auditedItem {
	same := auditedItems(other)
	return slices.DeleteFunc(auditedItems(of), func(item auditedItem) bool { return slices.Contains(same, item) })
}
