package db

import (
	"context"

	"lunchgo/app/booking"
)

type menuItemRow struct {
	ID            int64  `db:"id"`
	Category      string `db:"category"`
	NameKo        string `db:"name_ko"`
	NameEn        string `db:"name_en"`
	DescriptionKo string `db:"description_ko"`
	DescriptionEn string `db:"description_en"`
	Price         int64  `db:"price"`
	Picture       string `db:"picture"`
	StaySlots     int    `db:"stay_slots"`
	DailyQuantity int    `db:"daily_quantity"`
	// Both empty, or both HH:MM.
	ServedFrom string `db:"served_from"`
	ServedLast string `db:"served_last"`
}

// menuItemColumns are those of menuItemRow.
const menuItemColumns = `id, category, name_ko, name_en, description_ko, description_en, price, picture, stay_slots,
	COALESCE(daily_quantity, 0) AS daily_quantity, COALESCE(to_char(served_from, 'HH24:MI'), '') AS served_from,
	COALESCE(to_char(served_last, 'HH24:MI'), '') AS served_last`

// served is the span of the slots whose parties can order the dish; nil: all.
func (row menuItemRow) served() *booking.Span {
	if row.ServedFrom == "" {
		return nil
	}
	return &booking.Span{From: booking.TimeOfDay(row.ServedFrom), Last: booking.TimeOfDay(row.ServedLast)}
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
	if err != nil {
		return nil, err
	}
	items := make([]booking.MenuItem, 0, len(rows))
	for _, row := range rows {
		items = append(items, booking.MenuItem{
			ID:            row.ID,
			Category:      row.Category,
			Name:          booking.Text{Ko: row.NameKo, En: row.NameEn},
			Description:   booking.Text{Ko: row.DescriptionKo, En: row.DescriptionEn},
			Price:         row.Price,
			Picture:       row.Picture,
			StaySlots:     row.StaySlots,
			DailyQuantity: row.DailyQuantity,
			Served:        row.served(),
		})
	}
	return items, nil
}
