package db

import (
	"context"

	"lunchgo/app/booking"
)

// menuItemColumns are those of a booking.MenuItem.
const menuItemColumns = `id, category, name_ko AS "name.ko", name_en AS "name.en", description_ko AS "description.ko",
	description_en AS "description.en", price, picture, stay_slots, stay_minutes, daily_quantity, retired,
	CASE WHEN served_from IS NOT NULL THEN json_build_object('from', to_char(served_from, 'HH24:MI'),
		'last', to_char(served_last, 'HH24:MI')) END AS served`

// ListDishes returns the names of what is on the menus of listed restaurants, by restaurant.
func (c *Catalog) ListDishes(ctx context.Context) (map[int64][]booking.Text, error) {
	var rows []struct {
		RestaurantID int64
		booking.Text
	}
	if err := c.db.list(ctx, &rows, `
		SELECT i.restaurant_id, i.name_ko AS ko, i.name_en AS en
		FROM menu_items i
		JOIN restaurants p ON p.id = i.restaurant_id
		WHERE NOT i.retired AND `+listed); err != nil {
		return nil, err
	}
	dishes := map[int64][]booking.Text{}
	for _, row := range rows {
		dishes[row.RestaurantID] = append(dishes[row.RestaurantID], row.Text)
	}
	return dishes, nil
}

// ListMenu returns a restaurant's items in menu order, without the retired ones.
func (c *Catalog) ListMenu(ctx context.Context, restaurantID int64) ([]booking.MenuItem, error) {
	return list[booking.MenuItem](ctx, c.db, `
		SELECT `+menuItemColumns+`
		FROM menu_items
		WHERE restaurant_id = $1 AND NOT retired
		ORDER BY position`, restaurantID)
}
