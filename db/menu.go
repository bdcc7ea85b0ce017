package db

import (
	"context"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
)

// menuItemColumns are those of a booking.MenuItem.
const menuItemColumns = `id, category, name_ko AS "name.ko", name_en AS "name.en", description_ko AS "description.ko",
	description_en AS "description.en", price, picture, stay_slots, stay_minutes, daily_quantity, retired,
	CASE WHEN served_from IS NOT NULL THEN json_build_object('from', to_char(served_from, 'HH24:MI'),
		'last', to_char(served_last, 'HH24:MI')) END AS served`

// menuItemFields are the columns of a dish that seeds and the document of a menu write, with what newItems has for
// each.
var menuItemFields = []struct{ column, value string }{
	{"position", "new.position"},
	{"category", "new.category"},
	{"name_ko", "new.name ->> 'ko'"},
	{"name_en", "new.name ->> 'en'"},
	{"description_ko", "new.description ->> 'ko'"},
	{"description_en", "new.description ->> 'en'"},
	{"price", "new.price"},
	{"picture", "new.picture"},
	{"stay_slots", `least(new."staySlots", 3)`}, // which the binary before reads
	{"stay_minutes", `COALESCE(new."stayMinutes", 0)`},
	{"daily_quantity", `new."dailyQuantity"`},
	{"served_from", "(new.served ->> 'from')::time"},
	{"served_last", "(new.served ->> 'last')::time"},
}

// newItems reads the items $2 of a menu, which are placedItems.
const newItems = `
	json_to_recordset($2::json) AS new (id bigint, position int, category text, name json, description json, price bigint,
		picture text, "staySlots" int, "stayMinutes" int, "dailyQuantity" int, served json, retired boolean)`

// placedItem is an item with its place in the menu, as newItems reads it.
type placedItem struct {
	booking.MenuItem
	ID       int64 `json:"id"`
	Position int   `json:"position"`
}

func placedItems(menu []booking.MenuItem) []placedItem {
	placed := make([]placedItem, 0, len(menu))
	for i, item := range menu {
		placed = append(placed, placedItem{MenuItem: item, ID: item.ID, Position: i + 1})
	}
	return placed
}

// Statements that write the items $2 of restaurant $1.
var (
	updateItems = `
	UPDATE menu_items i
	SET retired = new.retired, ` + eachMenuItemField("% = @") + `
	FROM ` + newItems + `
	WHERE i.restaurant_id = $1 AND i.id = new.id`

	insertItems = `
	INSERT INTO menu_items (restaurant_id, retired, ` + eachMenuItemField("%") + `)
	SELECT $1, new.retired, ` + eachMenuItemField("@") + `
	FROM ` + newItems + `
	WHERE new.id = 0
	ORDER BY new.position`

	// seedItems adds items, or replaces those at their places: what is retired stays so.
	seedItems = insertItems + `
	ON CONFLICT ON CONSTRAINT menu_items_position DO UPDATE SET ` + eachMenuItemField("% = excluded.%")
)

// eachMenuItemField lists menuItemFields in a form, in which % is the column and @ its value.
func eachMenuItemField(form string) string {
	list := make([]string, len(menuItemFields))
	for i, field := range menuItemFields {
		list[i] = strings.NewReplacer("%", field.column, "@", field.value).Replace(form)
	}
	return strings.Join(list, ", ")
}

// ListDishes returns the names of what is on the menus of listed restaurants, by restaurant.
func (c *Catalog) ListDishes(ctx context.Context) (map[int64][]booking.Text, error) {
	var rows []struct {
		RestaurantID int64
		booking.Text
	}
	if err := c.db.List(ctx, &rows, `
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
	return pg.List[booking.MenuItem](ctx, c.db, `
		SELECT `+menuItemColumns+`
		FROM menu_items
		WHERE restaurant_id = $1 AND NOT retired
		ORDER BY position`, restaurantID)
}
