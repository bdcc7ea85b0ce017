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

// updateReservation takes what is new and frees what is old in one statement, all of it under locks that are held. It is a
// compare-and-set: it writes nothing when the reservation is in another state, or was changed meanwhile.
const updateReservation = `
	WITH changed AS (
		UPDATE reservations
		SET changes = changes + 1, slot_id = $4, party_size = $5, deposit_amount = $6, menu_amount = $7,
			coupon_id = NULLIF($8::bigint, 0), discount_use = $9, discount_amount = $10, paid_amount = $11,
			policy = $12::jsonb, note = $13, allergies = $14
		WHERE id = $1 AND state = $2 AND changes = $3
		RETURNING id
	), returned AS (
		UPDATE coupon_claims c
		SET reservation_id = NULL
		FROM changed
		WHERE c.reservation_id = changed.id AND c.coupon_id <> $8::bigint
	), dropped AS (
		DELETE FROM reservation_items i
		USING changed
		WHERE i.reservation_id = changed.id
	), stood_up AS (
		DELETE FROM reservation_seats seat
		USING changed
		WHERE seat.reservation_id = changed.id
	), left_early AS (
		DELETE FROM reservation_stays stay
		USING changed
		WHERE stay.reservation_id = changed.id
	), moved AS (
		UPDATE menu_stock m
		SET remaining = m.remaining + back.quantity
		FROM changed
		CROSS JOIN json_to_recordset($15::json) AS back (menu_item_id bigint, service_date date, quantity integer)
		WHERE m.menu_item_id = back.menu_item_id AND m.service_date = back.service_date
	)
	SELECT count(*) FROM changed`

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
	err = c.get(ctx, &changed, c.db.guarded(updateTerms, updateReservation), next.ID, string(next.State), c.was.Changes,
		c.slots[next.Slot].ID, next.PartySize, next.DepositAmount, next.MenuAmount, next.Discount.CouponID,
		string(next.Discount.Use), next.Discount.Amount, next.PaidAmount, string(policy), next.Note, next.Allergies,
		string(portions))
	if err == nil && changed != 1 {
		err = errChanged
	}
	return err
}

// newChange is a row of reservation_changes.
type newChange struct {
	ID             string    `json:"id"`
	ReservationID  string    `json:"reservation_id"`
	Number         int       `json:"number"`
	UserID         string    `json:"user_id"`
	State          string    `json:"state"`
	FromSlotID     int64     `json:"from_slot_id"`
	ToSlotID       int64     `json:"to_slot_id"`
	FromSlots      int       `json:"from_slots"`
	ToSlots        int       `json:"to_slots"`
	FromParty      int       `json:"from_party"`
	ToParty        int       `json:"to_party"`
	FromItems      []itemRow `json:"from_items"`
	ToItems        []itemRow `json:"to_items"`
	FromDeposit    int64     `json:"from_deposit"`
	ToDeposit      int64     `json:"to_deposit"`
	FromMenu       int64     `json:"from_menu"`
	ToMenu         int64     `json:"to_menu"`
	FromCouponID   int64     `json:"from_coupon_id,omitempty"` // null for none
	ToCouponID     int64     `json:"to_coupon_id,omitempty"`
	FromDiscount   int64     `json:"from_discount"`
	ToDiscount     int64     `json:"to_discount"`
	FromPaid       int64     `json:"from_paid"`
	ToPaid         int64     `json:"to_paid"`
	Charged        int64     `json:"charged"`
	Refunded       int64     `json:"refunded"`
	Retained       int64     `json:"kept"`
	IdempotencyKey string    `json:"idempotency_key"`
	Ticket         string    `json:"ticket"`
	Arrival        int64     `json:"arrival"`
	Fence          int64     `json:"fence"`
}

// newChange is the change as the reservation's history stores it, with the ids of its new slots.
func (c *changing) newChange(slots []int64) newChange {
	was, next := c.was, c.next
	return newChange{
		ID:             rand.Text(),
		ReservationID:  next.ID,
		Number:         next.Changes,
		UserID:         next.UserID,
		State:          string(next.State),
		FromSlotID:     was.SlotID,
		ToSlotID:       slots[0],
		FromSlots:      len(was.SlotIDs),
		ToSlots:        len(slots),
		FromParty:      was.PartySize,
		ToParty:        next.PartySize,
		FromItems:      itemRows(was.Items),
		ToItems:        itemRows(next.Items),
		FromDeposit:    was.DepositAmount,
		ToDeposit:      next.DepositAmount,
		FromMenu:       was.MenuAmount,
		ToMenu:         next.MenuAmount,
		FromCouponID:   was.Discount.CouponID,
		ToCouponID:     next.Discount.CouponID,
		FromDiscount:   was.Discount.Amount,
		ToDiscount:     next.Discount.Amount,
		FromPaid:       was.PaidAmount,
		ToPaid:         next.PaidAmount,
		Charged:        next.Charge,
		Refunded:       next.Refund,
		Retained:       next.Retained,
		IdempotencyKey: c.req.IdempotencyKey,
		Ticket:         c.req.Ticket,
		Arrival:        c.req.Arrival,
		Fence:          c.turn.Fence,
	}
}

// insertChange stores the order lines of a changed reservation, its stay and its named seats, and its history: $1 is a row of
// reservation_changes.
const insertChange = `
	WITH change AS (
		SELECT change.*
		FROM json_populate_record(NULL::reservation_changes, $1::json) AS change
	), lines AS (
		INSERT INTO reservation_items (reservation_id, menu_item_id, name_ko, name_en, quantity, unit_price, from_stock)
		SELECT change.reservation_id, item."menuItemId", item.ko, item.en, item.quantity, item."unitPrice",
			item."menuItemId" = ANY ($2::bigint[])
		FROM change
		CROSS JOIN jsonb_to_recordset(change.to_items) AS item (
			"menuItemId" bigint, ko text, en text, quantity integer, "unitPrice" bigint)
	), stays AS (
		INSERT INTO reservation_stays (reservation_id, slot_id)
		SELECT change.reservation_id, further.slot_id
		FROM change
		CROSS JOIN unnest($3::bigint[]) AS further (slot_id)
	), seated AS (
		INSERT INTO reservation_seats (reservation_id, slot_id, restaurant_id, seat_id, chosen)
		SELECT change.reservation_id, slot.id, $4, seat.id, seat.chosen
		FROM change
		CROSS JOIN unnest(change.to_slot_id || $3::bigint[]) AS slot (id)
		CROSS JOIN json_to_recordset($5::json) AS seat (id bigint, chosen boolean)
	)
	INSERT INTO reservation_changes (id, reservation_id, number, user_id, state, from_slot_id, to_slot_id,
		from_slots, to_slots, from_party, to_party, from_items, to_items, from_deposit, to_deposit, from_menu, to_menu,
		from_coupon_id, to_coupon_id, from_discount, to_discount, from_paid, to_paid, charged, refunded, kept,
		idempotency_key, ticket, arrival, fence)
	SELECT id, reservation_id, number, user_id, state, from_slot_id, to_slot_id,
		from_slots, to_slots, from_party, to_party, from_items, to_items, from_deposit, to_deposit, from_menu, to_menu,
		from_coupon_id, to_coupon_id, from_discount, to_discount, from_paid, to_paid, charged, refunded, kept,
		idempotency_key, ticket, arrival, fence
	FROM change`

// writeHistory stores the new order and what has changed. Returns the id of the entry in the reservation's history.
func (c *changing) writeHistory(ctx context.Context) (id string, err error) {
	var slots pq.Int64Array
	for _, slot := range c.next.Slots() {
		slots = append(slots, c.slots[slot].ID)
	}
	change := c.newChange(slots)
	row, err := json.Marshal(change)
	if err != nil {
		return "", err
	}
	seats, err := json.Marshal(append([]booking.ReservedSeat{}, c.next.Seats...)) // never null
	if err != nil {
		return "", err
	}
	limited := slices.AppendSeq(pq.Int64Array{}, maps.Keys(c.state.Stock))
	_, err = c.exec(ctx, insertChange, string(row), limited, slots[1:], c.next.RestaurantID, string(seats))
	return change.ID, err
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
