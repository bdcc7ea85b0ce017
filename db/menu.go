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
}

// ListMenu returns a restaurant's items in menu order, without the retired ones.
func (c *Catalog) ListMenu(ctx context.Context, restaurantID int64) ([]booking.MenuItem, error) {
	var rows []menuItemRow
	err := c.db.list(ctx, &rows, `
		SELECT id, category, name_ko, name_en, description_ko, description_en, price, picture,
			stay_slots, COALESCE(daily_quantity, 0) AS daily_quantity
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
		})
	}
	return items, nil
}
