package db

import (
	"context"

	"lunchgo/app/booking"
)

type menuItemRow struct {
	booking.MenuItem
	ServedFrom, ServedLast booking.TimeOfDay // both or neither
}

// menuItemColumns are those of menuItemRow.
const menuItemColumns = `id, category, name_ko AS "name.ko", name_en AS "name.en", description_ko AS "description.ko",
	description_en AS "description.en", price, picture, stay_slots, daily_quantity, retired,
	COALESCE(to_char(served_from, 'HH24:MI'), '') AS served_from,
	COALESCE(to_char(served_last, 'HH24:MI'), '') AS served_last`

func menuOf(rows []menuItemRow) []booking.MenuItem {
	items := make([]booking.MenuItem, 0, len(rows))
	for _, row := range rows {
		if row.ServedFrom != "" {
			row.Served = &booking.Span{From: row.ServedFrom, Last: row.ServedLast}
		}
		items = append(items, row.MenuItem)
	}
	return items
}

// ListDishes returns the names of what is on the menus of listed restaurants, by restaurant.
func (c *Catalog) ListDishes(ctx context.Context) (map[int64][]booking.Text, error) {
	var rows []struct {
		RestaurantID int64  `db:"restaurant_id"`
		NameKo       string `db:"name_ko"`
		NameEn       string `db:"name_en"`
	}
	if err := c.db.list(ctx, &rows, `
		SELECT i.restaurant_id, i.name_ko, i.name_en
		FROM menu_items i
		JOIN restaurants p ON p.id = i.restaurant_id
		WHERE NOT i.retired AND NOT p.shadow AND `+published); err != nil {
		return nil, err
	}
	dishes := map[int64][]booking.Text{}
	for _, row := range rows {
		dishes[row.RestaurantID] = append(dishes[row.RestaurantID], booking.Text{Ko: row.NameKo, En: row.NameEn})
	}
	return dishes, nil
}

// ListMenu returns a restaurant's items in menu order, without the retired ones.
func (c *Catalog) ListMenu(ctx context.Context, restaurantID int64) ([]booking.MenuItem, error) {
	var rows []menuItemRow
	err := c.db.list(ctx, &rows, `
		SELECT `+menuItemColumns+`
		FROM menu_items
		WHERE restaurant_id = $1 AND NOT retired
		ORDER BY position`, restaurantID)
	return menuOf(rows), err
}
