package db

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"maps"
	"slices"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/wallet"
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

// readStock locks and reads what is left, on the day asked for, of the dishes asked for, and locks those that go back. Own
// portions of the same day are there to be had again; of a dish that was not limited when it was ordered, as many as were
// ordered then.
func (c *changing) readStock(ctx context.Context) error {
	var row changeStockRow
	err := c.get(ctx, &row, c.db.guards.lockStockForChange, c.was.ID, string(c.was.Slot.Date), string(c.req.Slot.Date),
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

// writeReservation gives the reservation its new slot, party, dishes, price and terms, and frees what it had. It is a
// compare-and-set on the state and the number of changes.
func (c *changing) writeReservation(ctx context.Context) error {
	policy, err := c.next.Policy.MarshalPolicy()
	if err != nil {
		return err
	}
	portions, err := json.Marshal(c.portions())
	if err != nil {
		return err
	}
	next := c.next.Reservation
	var changed int
	err = c.get(ctx, &changed, c.db.guards.changeTerms, next.ID, string(next.State), c.was.Changes,
		c.slots[next.Slot].ID, next.PartySize, next.DepositAmount, next.MenuAmount, next.Discount.CouponID,
		string(next.Discount.Use), next.Discount.Amount, next.PaidAmount, string(policy), next.Note, next.Allergies,
		string(portions))
	if err == nil && changed != 1 {
		err = errChanged
	}
	return err
}

// writeHistory stores the new order and says in the reservation's history what has changed. Returns the id of that.
func (c *changing) writeHistory(ctx context.Context) (id string, err error) {
	limited := slices.AppendSeq([]int64{}, maps.Keys(c.state.Stock))
	seats := append([]booking.ReservedSeat{}, c.next.Seats...) // never null
	texts, err := jsonTexts(itemRows(c.was.Items), itemRows(c.next.Items), limited, seats)
	if err != nil {
		return "", err
	}
	id = rand.Text()
	was, next := c.was, c.next
	slots := pq.Int64Array{}
	for _, slot := range next.Slots() {
		slots = append(slots, c.slots[slot].ID)
	}
	_, err = c.exec(ctx, insertChange, id, next.ID, next.Changes, next.UserID, string(next.State),
		was.SlotIDs[0], slots[0], was.PartySize, next.PartySize, texts[0], texts[1],
		was.DepositAmount, next.DepositAmount, was.MenuAmount, next.MenuAmount, was.Discount.CouponID, next.Discount.CouponID,
		was.Discount.Amount, next.Discount.Amount, was.PaidAmount, next.PaidAmount, next.Charge, next.Refund, next.Kept,
		c.req.IdempotencyKey, c.req.Ticket, c.req.Arrival, c.turn.Fence, texts[2],
		slots[1:], len(was.SlotIDs), next.RestaurantID, texts[3])
	return id, err
}

// jsonTexts are values as JSON.
func jsonTexts(values ...any) ([]string, error) {
	texts := make([]string, len(values))
	for i, value := range values {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		texts[i] = string(text)
	}
	return texts, nil
}

func itemRows(items []booking.Item) []itemRow {
	rows := make([]itemRow, 0, len(items))
	for _, it := range items {
		rows = append(rows, itemRow{it.MenuItemID, it.Name.Ko, it.Name.En, it.Quantity, it.UnitPrice})
	}
	slices.SortFunc(rows, func(a, b itemRow) int { return int(a.MenuItemID - b.MenuItemID) })
	return rows
}

// postChange moves the difference between a diner's wallet and the restaurant, whichever way.
func postChange(ctx context.Context, t *tx, next booking.Revision, changeID string) error {
	return postEntry(ctx, t, posting{
		UserID:        next.UserID,
		Amount:        -next.Amount(),
		Kind:          wallet.KindChange,
		ReservationID: next.ID,
		Key:           changeKey(changeID),
	})
}
