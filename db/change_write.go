package db

import (
	"context"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
)

// changedReservation is a row to write; a run's rows travel to the server as one JSON array.
type changedReservation struct {
	ID            string                 `json:"id"`
	State         string                 `json:"state"`
	Seen          int                    `json:"seen"`    // changes as they were read
	Changes       int                    `json:"changes"` // as they are now
	HoldExpiresAt time.Time              `json:"hold_expires_at"`
	SeenExpiresAt *time.Time             `json:"seen_expires_at"`
	SlotIDs       pq.Int64Array          `json:"slot_ids"`
	RestaurantID  int64                  `json:"restaurant_id"`
	PartySize     int                    `json:"party_size"`
	DepositAmount int64                  `json:"deposit_amount"`
	MenuAmount    int64                  `json:"menu_amount"`
	CouponID      int64                  `json:"coupon_id"` // 0 for none
	DiscountUse   string                 `json:"discount_use"`
	Discount      int64                  `json:"discount_amount"`
	PaidAmount    int64                  `json:"paid_amount"`
	Policy        booking.Policy         `json:"policy"`
	Note          string                 `json:"note"`
	Allergies     string                 `json:"allergies"`
	Items         []newItem              `json:"items"`
	Seats         []booking.ReservedSeat `json:"seats"`
	Lacks         []lackedSeat           `json:"lacks"`
	Reseated      bool                   `json:"reseated"`
	OverReason    string                 `json:"over_reason,omitempty"` // set with an override, as is the next
	FireLimit     int                    `json:"fire_limit,omitempty"`
}

// lackedSeat is a seat that a reservation over the plan does not hold in a slot.
type lackedSeat struct {
	SlotID int64 `json:"slot_id"`
	SeatID int64 `json:"seat_id"`
}

// portionRow is by how much the stock of a dish on a day changes.
type portionRow struct {
	MenuItemID  int64        `json:"menu_item_id"`
	ServiceDate booking.Date `json:"service_date"`
	Quantity    int          `json:"quantity"`
}

// writeChanges stores the changes of a run: it gives the reservations what is new and frees what is old, and then
// stores the orders, stays and seats that they have now, and what has changed. It sends nothing when there are none.
func writeChanges(ctx context.Context, t *pg.Tx, d decided) error {
	if len(d.changed) == 0 {
		return nil
	}
	return t.Run(ctx, insertChanges, pg.JSON(d.changed), pg.JSON(d.changes()))
}

// freeChanged gives the changed reservations of a run their new slots, parties, prices and terms, and frees what they
// had, all of it under locks that are held. It is a compare-and-set on the state and the number of changes of each.
func freeChanged(ctx context.Context, t *pg.Tx, d decided) error {
	if len(d.changed) == 0 {
		return nil
	}
	var changed int
	err := t.Get(ctx, &changed, t.Pool.Guarded(UpdateTerms, updateReservations), pg.JSON(d.changed),
		pg.JSON(d.portions()))
	if err == nil && changed != len(d.changed) {
		err = errChanged
	}
	return err
}

// changedRecord describes the rows of changedReservation.
const changedRecord = ` (
		id text, state text, seen integer, changes integer, hold_expires_at timestamptz, seen_expires_at timestamptz,
		slot_ids bigint[], restaurant_id bigint, party_size integer,
		deposit_amount bigint, menu_amount bigint, coupon_id bigint, discount_use text, discount_amount bigint,
		paid_amount bigint, policy jsonb, note text, allergies text, items json, seats json, lacks json, reseated boolean,
		over_reason text, fire_limit integer)`

const updateReservations = `
	WITH changed AS (
		UPDATE reservations r
		SET changes = input.changes, hold_expires_at = input.hold_expires_at, seen_expires_at = input.seen_expires_at,
			coming_at = CASE r.slot_id WHEN input.slot_ids[1] THEN r.coming_at END,
			slot_id = input.slot_ids[1], party_size = input.party_size,
			deposit_amount = input.deposit_amount, menu_amount = input.menu_amount,
			coupon_id = NULLIF(input.coupon_id, 0), discount_use = input.discount_use,
			discount_amount = input.discount_amount, paid_amount = input.paid_amount,
			policy = input.policy, note = input.note, allergies = input.allergies
		FROM json_to_recordset($1::json) AS input` + changedRecord + `
		WHERE r.id = input.id AND r.state = input.state AND r.changes = input.seen
		RETURNING r.id, input.coupon_id, input.reseated
	), replanned AS (
		DELETE FROM reservation_overrides over
		USING changed
		WHERE over.reservation_id = changed.id AND changed.reseated
	), returned AS (
		UPDATE coupon_claims c
		SET reservation_id = NULL
		FROM changed
		WHERE c.reservation_id = changed.id AND c.coupon_id <> changed.coupon_id
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
		FROM json_to_recordset($2::json) AS back (menu_item_id bigint, service_date date, quantity integer)
		WHERE m.menu_item_id = back.menu_item_id AND m.service_date = back.service_date
	)
	SELECT count(*) FROM changed`

const insertChanges = `
	WITH input AS (
		SELECT id, slot_ids, restaurant_id, items, seats, lacks, over_reason, fire_limit
		FROM json_to_recordset($1::json) AS input` + changedRecord + `
	), lines AS (
		INSERT INTO reservation_items (reservation_id, menu_item_id, name_ko, name_en, quantity, unit_price, from_stock)
		SELECT input.id, item.menu_item_id, item.name_ko, item.name_en, item.quantity, item.unit_price, item.from_stock
		FROM input
		CROSS JOIN json_to_recordset(input.items) AS item (
			menu_item_id bigint, name_ko text, name_en text, quantity integer, unit_price bigint, from_stock boolean)
	), stays AS (
		INSERT INTO reservation_stays (reservation_id, slot_id)
		SELECT input.id, further.slot_id
		FROM input
		CROSS JOIN unnest(input.slot_ids[2:]) AS further (slot_id)
	), seated AS (
		INSERT INTO reservation_seats (reservation_id, slot_id, restaurant_id, seat_id, chosen)
		SELECT input.id, slot.id, input.restaurant_id, seat.id, seat.chosen
		FROM input
		CROSS JOIN unnest(input.slot_ids) AS slot (id)
		CROSS JOIN json_to_recordset(input.seats) AS seat (id bigint, chosen boolean)
		WHERE (slot.id, seat.id) NOT IN (
			SELECT slot_id, seat_id FROM json_to_recordset(input.lacks) AS lacked (slot_id bigint, seat_id bigint)
		)
	), overridden AS (
		INSERT INTO reservation_overrides (reservation_id, reason, fire_limit)
		SELECT id, over_reason, fire_limit
		FROM input
		WHERE over_reason IS NOT NULL
	)
	INSERT INTO reservation_changes (id, reservation_id, number, user_id, staff_id, state, from_slot_id, to_slot_id,
		from_slots, to_slots, from_party, to_party, from_items, to_items, from_deposit, to_deposit, from_menu, to_menu,
		from_coupon_id, to_coupon_id, from_discount, to_discount, from_paid, to_paid, charged, refunded, kept,
		idempotency_key, ticket, arrival, fence)
	SELECT id, reservation_id, number, user_id, staff_id, state, from_slot_id, to_slot_id,
		from_slots, to_slots, from_party, to_party, from_items, to_items, from_deposit, to_deposit, from_menu, to_menu,
		from_coupon_id, to_coupon_id, from_discount, to_discount, from_paid, to_paid, charged, refunded, kept,
		idempotency_key, ticket, arrival, fence
	FROM json_populate_recordset(NULL::reservation_changes, $2::json)`
