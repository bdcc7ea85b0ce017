package catalog

import (
	"context"
	"database/sql/driver"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
)

// MenuItemColumns are those of a booking.MenuItem.
const MenuItemColumns = `id, category, name_ko AS "name.ko", name_en AS "name.en", description_ko AS "description.ko",
	description_en AS "description.en", price, picture, stay_slots, stay_minutes, daily_quantity, retired,
	CASE WHEN served_from IS NOT NULL THEN json_build_object('from', to_char(served_from, 'HH24:MI'),
		'last', to_char(served_last, 'HH24:MI')) END AS served`

// menuItemFields are the columns of a dish that seeds and the document of a menu write, with what NewItems has for
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

// NewItems reads the items $2 of a menu, which are PlacedItems.
const NewItems = `
	json_to_recordset($2::json) AS new (id bigint, position int, category text, name json, description json, price bigint,
		picture text, "staySlots" int, "stayMinutes" int, "dailyQuantity" int, served json, retired boolean)`

// placedItem is an item with its place in the menu, as NewItems reads it.
type placedItem struct {
	booking.MenuItem
	ID       int64 `json:"id"`
	Position int   `json:"position"`
}

// PlacedItems returns the items of a menu, in its order, as the argument that NewItems reads.
func PlacedItems(menu []booking.MenuItem) driver.Valuer {
	placed := make([]placedItem, 0, len(menu))
	for i, item := range menu {
		placed = append(placed, placedItem{MenuItem: item, ID: item.ID, Position: i + 1})
	}
	return pg.JSON(placed)
}

// Statements that write the items $2 of restaurant $1.
var (
	updateItems = `
	UPDATE menu_items i
	SET retired = new.retired, ` + eachMenuItemField("% = @") + `
	FROM ` + NewItems + `
	WHERE i.restaurant_id = $1 AND i.id = new.id`

	insertItems = `
	INSERT INTO menu_items (restaurant_id, retired, ` + eachMenuItemField("%") + `)
	SELECT $1, new.retired, ` + eachMenuItemField("@") + `
	FROM ` + NewItems + `
	WHERE new.id = 0
	ORDER BY new.position`

	// seedItems adds items, or replaces those at their places: what is retired stays so.
	seedItems = insertItems + `
	ON CONFLICT ON CONSTRAINT menu_items_position DO UPDATE SET ` + eachMenuItemField("% = excluded.%")
)

// retireItems takes off the menu what it leaves out.
const retireItems = `
	UPDATE menu_items i
	SET retired = true, removed = i.removed OR NOT EXISTS (SELECT FROM reservation_items o WHERE o.menu_item_id = i.id)
	WHERE i.restaurant_id = $1 AND NOT EXISTS (SELECT FROM ` + NewItems + ` WHERE new.id = i.id)`

// putMenu adds items, or replaces those at their places.
func putMenu(ctx context.Context, t *pg.Tx, restaurantID int64, r booking.Restaurant, menu []booking.MenuItem) error {
	fresh := make([]booking.MenuItem, len(menu))
	for i, item := range menu {
		fresh[i] = item.In(r.SlotMinutes)
		fresh[i].ID = 0
	}
	return t.Run(ctx, seedItems, restaurantID, PlacedItems(fresh))
}

// ReplaceMenu stores PlacedItems by their ids, adds those without one and retires the rest. The places go out of the
// way first, because no two items of a restaurant have the same.
func ReplaceMenu(ctx context.Context, t *pg.Tx, restaurantID int64, placed driver.Valuer) error {
	if _, err := t.Exec(ctx, `
		UPDATE menu_items
		SET position = -id
		WHERE restaurant_id = $1`, restaurantID); err != nil {
		return err
	}
	for _, statement := range []string{retireItems, updateItems, insertItems} {
		if _, err := t.Exec(ctx, statement, restaurantID, placed); err != nil {
			return err
		}
	}
	return nil
}

// eachMenuItemField lists menuItemFields in a form, in which % is the column and @ its value.
func eachMenuItemField(form string) string {
	list := make([]string, len(menuItemFields))
	for i, field := range menuItemFields {
		list[i] = strings.NewReplacer("%", field.column, "@", field.value).Replace(form)
	}
	return strings.Join(list, ", ")
}

// ListDishes returns the names of what is on the menus of listed restaurants, by restaurant.
func (s *Store) ListDishes(ctx context.Context) (map[int64][]booking.Text, error) {
	var rows []struct {
		RestaurantID int64
		booking.Text
	}
	if err := s.db.List(ctx, &rows, `
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
func (s *Store) ListMenu(ctx context.Context, restaurantID int64) ([]booking.MenuItem, error) {
	return pg.List[booking.MenuItem](ctx, s.db, `
		SELECT `+MenuItemColumns+`
		FROM menu_items
		WHERE restaurant_id = $1 AND NOT retired
		ORDER BY position`, restaurantID)
}
