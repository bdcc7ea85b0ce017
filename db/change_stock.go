package db

import (
	"context"
	"encoding/json"
	"maps"

	"lunchgo/app/booking"
)

// ownLine is a dish that the reservation has before its change.
type ownLine struct {
	MenuItemID int64 `json:"menu_item_id"`
	Quantity   int   `json:"quantity"`
	FromStock  bool  `json:"from_stock"`
}

type changeStockRow struct {
	Own   []byte `db:"own"`
	Stock []byte `db:"stock"`
}

// selectStockOfChange locks the stock of what a reservation has taken from it on its day, and of what is asked for on another
// or the same, in the order in which all lock it, and reads what is left on the day asked for. Rows that are not there yet
// are made, as by selectSlots. The reservation is locked, so its own lines are what they are.
const selectStockOfChange = `
	WITH own AS (
		SELECT menu_item_id, quantity, from_stock
		FROM reservation_items
		WHERE reservation_id = $1
	), moved AS (
		SELECT menu_item_id, $2::date AS service_date
		FROM own
		WHERE from_stock
		UNION
		SELECT id, $3::date
		FROM unnest($4::bigint[]) AS ordered (id)
	), stock AS (
		INSERT INTO menu_stock AS m (menu_item_id, service_date, offered, remaining)
		SELECT moved.menu_item_id, moved.service_date, item.quantity, item.quantity
		FROM moved
		CROSS JOIN LATERAL (
			SELECT COALESCE(known.remaining, i.daily_quantity) AS quantity
			FROM menu_items i
			LEFT JOIN menu_stock known ON known.menu_item_id = i.id AND known.service_date = moved.service_date
			WHERE i.id = moved.menu_item_id
			LIMIT 1
		) item
		WHERE item.quantity IS NOT NULL
		ORDER BY moved.service_date, moved.menu_item_id
		ON CONFLICT ON CONSTRAINT menu_stock_pk
		DO UPDATE SET remaining = m.remaining
		RETURNING menu_item_id, service_date, remaining
	)
	SELECT (SELECT COALESCE(json_agg(own), '[]') FROM own) AS own,
		(SELECT COALESCE(json_object_agg(menu_item_id, remaining), '{}') FROM stock
		WHERE service_date = $3::date AND menu_item_id = ANY ($4::bigint[])) AS stock`

// readStock locks and reads what is left, on the day asked for, of the dishes asked for, and locks those that go back. Own
// portions of the same day are there to be had again; of a dish that was not limited when it was ordered, as many as were
// ordered then.
func (c *changing) readStock(ctx context.Context) error {
	var row changeStockRow
	err := c.get(ctx, &row, c.db.guarded(lockStockOfChange, selectStockOfChange), c.was.ID, string(c.was.Slot.Date), string(c.req.Slot.Date),
		orderedItems([]booking.Request{c.req}))
	if err == nil {
		err = json.Unmarshal(row.Own, &c.own)
	}
	if err == nil {
		err = json.Unmarshal(row.Stock, &c.state.Stock)
	}
	if err != nil || c.was.Slot.Date != c.req.Slot.Date {
		return err
	}
	for _, own := range c.own {
		left, limited := c.state.Stock[own.MenuItemID]
		switch {
		case limited && own.FromStock:
			c.state.Stock[own.MenuItemID] = left + own.Quantity
		case limited && c.wants(own.MenuItemID) <= own.Quantity:
			delete(c.state.Stock, own.MenuItemID)
		}
	}
	return nil
}

func (c *changing) wants(item int64) int {
	for _, it := range c.req.Items {
		if it.MenuItemID == item {
			return it.Quantity
		}
	}
	return 0
}

// portion is by how much the stock of a dish on a day changes.
type portion struct {
	MenuItemID  int64        `json:"menu_item_id"`
	ServiceDate booking.Date `json:"service_date"`
	Quantity    int          `json:"quantity"`
}

// portions are what goes back into stock, less what is taken from it.
func (c *changing) portions() []portion {
	type dish struct {
		date booking.Date
		item int64
	}
	back := map[dish]int{}
	for _, own := range c.own {
		if own.FromStock {
			back[dish{c.was.Slot.Date, own.MenuItemID}] += own.Quantity
		}
	}
	for _, it := range c.req.Items {
		if _, limited := c.state.Stock[it.MenuItemID]; limited {
			back[dish{c.req.Slot.Date, it.MenuItemID}] -= it.Quantity
		}
	}
	portions := make([]portion, 0, len(back))
	for d := range maps.Keys(back) {
		portions = append(portions, portion{d.item, d.date, back[d]})
	}
	return portions
}
