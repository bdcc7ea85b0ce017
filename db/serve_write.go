package db

import (
	"context"
	"crypto/rand"
	"slices"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
	dbwallet "lunchgo/db/wallet"
)

// newReservation is a row to write; a run's rows travel to the server as one JSON array.
type newReservation struct {
	ID            string         `json:"id"`
	UserID        *string        `json:"user_id"` // null for a guest without an account
	State         string         `json:"state"`
	Source        string         `json:"source"`
	GuestName     *string        `json:"guest_name"` // null with an account, as are the next two
	GuestPhone    *string        `json:"guest_phone"`
	BookedBy      *string        `json:"booked_by"`
	PartySize     int            `json:"party_size"`
	HoldMicros    int64          `json:"hold_micros"`
	SeenMicros    int64          `json:"seen_micros"` // of the hold once it is seen; 0: it is
	DepositAmount int64          `json:"deposit_amount"`
	MenuAmount    int64          `json:"menu_amount"`
	Policy        booking.Policy `json:"policy"`
	Note          string         `json:"note"`
	Allergies     string         `json:"allergies"`
	Key           string         `json:"idempotency_key"`
	Ticket        string         `json:"ticket"`
	Arrival       int64          `json:"arrival"`
	CouponID      int64          `json:"coupon_id"` // 0 for none
	DiscountUse   string         `json:"discount_use"`
	Discount      int64          `json:"discount_amount"`
	Items         []newItem      `json:"items"`
	SeatIDs       []int64        `json:"seat_ids"`
	SeatsChosen   bool           `json:"seats_chosen"`
	OverReason    string         `json:"over_reason,omitempty"` // set with an override, as is the next
	FireLimit     int            `json:"fire_limit,omitempty"`
}

type newItem struct {
	MenuItemID int64  `json:"menu_item_id"`
	NameKo     string `json:"name_ko"`
	NameEn     string `json:"name_en"`
	Quantity   int    `json:"quantity"`
	UnitPrice  int64  `json:"unit_price"`
	FromStock  bool   `json:"from_stock"`
}

// decided is what came of a run under the locks of its slots and its stock.
type decided struct {
	slots     lockedSlots
	turn      booking.Turn
	outcomes  []booking.Outcome
	stock     booking.Stock // as it was before the run
	wallets   dbwallet.Accounts
	fireLimit int                  // known where a request overrides the plan
	cards     map[string]int64     // by payment, won that a provider has ready for changes
	changeIDs []string             // of each outcome, should it be a change
	changed   []changedReservation // by the outcomes, each once
}

// writeOutcomes stores what a run makes and changes. What the changes free comes first: what is new may need it. It
// sends nothing when nothing was decided.
func writeOutcomes(ctx context.Context, t *pg.Tx, d decided) error {
	mapWalletErrors(d.outcomes)
	for range d.outcomes {
		d.changeIDs = append(d.changeIDs, rand.Text())
	}
	d.changed = d.changedReservations()
	for _, write := range []func(context.Context, *pg.Tx, decided) error{
		notePasses, freeChanged, insertOutcomes, noteLinks, writeChanges, moveDifferences, settleCards, noteActs,
	} {
		if err := write(ctx, t, d); err != nil {
			return err
		}
	}
	return nil
}

// insertTurn is the statement that writes what a run makes: a row a reservation, and those further tables that some
// reservation of the run has rows in. Each table costs its preparation, also where nothing is written, which is as much
// as a reservation. The hold ends by the server's clock, read when the row is made and not when the transaction began,
// so that waiting for the lock costs the diner nothing.
func insertTurn(rows []newReservation, further pq.Int64Array) string {
	parts, seats := insertInput, insertSeats
	over := slices.ContainsFunc(rows, func(r newReservation) bool { return r.OverReason != "" })
	if over {
		seats += seatsWhereFree
	}
	for _, part := range []struct {
		text string
		used bool
	}{
		{insertOverrides, over},
		{insertStays, len(further) > 0},
		{seats + ")", slices.ContainsFunc(rows, func(r newReservation) bool { return len(r.SeatIDs) > 0 })},
		{useCoupons, slices.ContainsFunc(rows, func(r newReservation) bool { return r.CouponID != 0 })},
		{insertDishes, slices.ContainsFunc(rows, func(r newReservation) bool { return len(r.Items) > 0 })},
	} {
		if part.used {
			parts += part.text
		}
	}
	return parts + insertReservation
}

// The parts of insertTurn. A row of insertInput is a reservation, and insertReservation the end of the statement.
const (
	insertInput = `
	WITH input AS (
		SELECT id, user_id, state, source, guest_name, guest_phone, booked_by, party_size, hold_micros, NULLIF(seen_micros, 0) AS seen_micros, deposit_amount, menu_amount, policy, note, allergies,
			idempotency_key, ticket, arrival, NULLIF(coupon_id, 0) AS coupon_id, discount_use, discount_amount, items, seat_ids, seats_chosen, ordinality
		FROM ROWS FROM (json_to_recordset($4::json) AS (
			id text, user_id text, state text, source text, guest_name text, guest_phone text, booked_by text, party_size integer, hold_micros bigint, seen_micros bigint, deposit_amount bigint, menu_amount bigint,
			policy jsonb, note text, allergies text, idempotency_key text, ticket text, arrival bigint, coupon_id bigint,
			discount_use text, discount_amount bigint, items json, seat_ids json, seats_chosen boolean
		)) WITH ORDINALITY
		WHERE $5::date IS NOT NULL AND $6::bigint[] IS NOT NULL -- of which some parts make no use
	)`
	insertStays = `, stays AS (
		INSERT INTO reservation_stays (reservation_id, slot_id)
		SELECT input.id, further.slot_id
		FROM input
		CROSS JOIN unnest($6::bigint[]) AS further (slot_id)
	)`
	insertSeats = `, seated AS (
		INSERT INTO reservation_seats (reservation_id, slot_id, restaurant_id, seat_id, chosen)
		SELECT input.id, slot.id, $2, seat.id::bigint, input.seats_chosen
		FROM input
		CROSS JOIN unnest($1::bigint || $6::bigint[]) AS slot (id)
		CROSS JOIN json_array_elements_text(input.seat_ids) AS seat (id)`
	// seatsWhereFree has who is seated over the plan hold its seats only where nobody else does.
	seatsWhereFree = `
		WHERE input.id NOT IN (SELECT id FROM over_plan) OR NOT EXISTS (
			SELECT FROM reservation_seats h WHERE h.slot_id = slot.id AND h.seat_id = seat.id::bigint AND h.held
			UNION ALL
			SELECT FROM blocked_seats b WHERE b.slot_id = slot.id AND b.seat_id = seat.id::bigint
		)`
	insertOverrides = `, over_plan AS (
		SELECT id, over_reason, fire_limit
		FROM json_to_recordset($4::json) AS (id text, over_reason text, fire_limit integer)
		WHERE over_reason IS NOT NULL
	), overridden AS (
		INSERT INTO reservation_overrides (reservation_id, reason, fire_limit)
		SELECT id, over_reason, fire_limit FROM over_plan
	)`
	useCoupons = `, used AS (
		UPDATE coupon_claims c
		SET reservation_id = input.id
		FROM input
		WHERE c.coupon_id = input.coupon_id AND c.user_id = input.user_id
	)`
	insertDishes = `, lines AS (
		SELECT input.id, item.menu_item_id, item.name_ko, item.name_en, item.quantity, item.unit_price, item.from_stock
		FROM input
		CROSS JOIN json_to_recordset(input.items) AS item (
			menu_item_id bigint, name_ko text, name_en text, quantity integer, unit_price bigint, from_stock boolean)
	), taken AS (
		UPDATE menu_stock m
		SET remaining = m.remaining - ordered.quantity
		FROM (
			SELECT menu_item_id, sum(quantity) AS quantity
			FROM lines
			WHERE from_stock
			GROUP BY menu_item_id
		) ordered
		WHERE m.menu_item_id = ordered.menu_item_id AND m.service_date = $5::date
	), items AS (
		INSERT INTO reservation_items (reservation_id, menu_item_id, name_ko, name_en, quantity, unit_price, from_stock)
		SELECT id, menu_item_id, name_ko, name_en, quantity, unit_price, from_stock
		FROM lines
	)`
	insertReservation = `
	INSERT INTO reservations (id, slot_id, restaurant_id, user_id, source, guest_name, guest_phone, booked_by, party_size,
		state, confirmed_at, arrived_at, seated_at, hold_expires_at, seen_expires_at, deposit_amount, menu_amount, policy, note,
		allergies, idempotency_key, ticket, arrival, fence, coupon_id, discount_use, discount_amount)
	SELECT id, $1, $2, user_id, source, guest_name, guest_phone, booked_by, party_size, state,
		CASE WHEN state = 'confirmed' THEN clock_timestamp() END,
		CASE WHEN state = 'arrived' THEN clock_timestamp() END, CASE WHEN state = 'seated' THEN clock_timestamp() END,
		clock_timestamp() + hold_micros * interval '1 microsecond',
		clock_timestamp() + seen_micros * interval '1 microsecond',
		deposit_amount, menu_amount, policy, note, allergies, idempotency_key, ticket, arrival, $3,
		coupon_id, discount_use, discount_amount
	FROM input
	ORDER BY ordinality`
)

// insertOutcomes stores those outcomes that make a reservation, under the ids that they have, in the order of the run:
// the rows' ordinals are their order of decision. The dishes are taken from the stock, the coupons used, and the seats
// held, in the same statement.
func insertOutcomes(ctx context.Context, t *pg.Tx, d decided) error {
	var rows []newReservation
	for _, out := range d.outcomes {
		if !out.Reserves() {
			continue
		}
		rows = append(rows, rowOf(out, d))
	}
	if len(rows) == 0 {
		return nil
	}
	ids := d.slots.ids()
	first, further := ids[0], ids[1:]
	_, err := t.Exec(ctx, t.Pool.Guarded(InsertReservations, insertTurn(rows, further)), first,
		d.turn.Slot.RestaurantID, d.turn.Fence, pg.JSON(rows), string(d.turn.Slot.Date), further)
	return err
}

func rowOf(out booking.Outcome, d decided) newReservation {
	req := out.Request
	row := newReservation{
		ID:            out.ReservationID,
		State:         string(out.State()),
		Source:        string(booking.Web),
		PartySize:     req.PartySize,
		HoldMicros:    int64(req.HoldTime / time.Microsecond),
		DepositAmount: req.DepositAmount,
		MenuAmount:    req.MenuAmount(),
		Policy:        req.Policy,
		Note:          req.Note,
		Allergies:     req.Allergies,
		Key:           req.IdempotencyKey,
		Ticket:        req.Ticket,
		Arrival:       req.Arrival,
		CouponID:      out.Discount.CouponID,
		DiscountUse:   string(out.Discount.Use),
		Discount:      out.Discount.Amount,
		Items:         make([]newItem, 0, len(req.Items)),
		SeatIDs:       append([]int64{}, out.SeatIDs...), // never null
		SeatsChosen:   len(req.SeatIDs) > 0,
	}
	if g := req.Guest; g != nil {
		row.Source, row.GuestName, row.GuestPhone, row.BookedBy = string(g.Source), &g.Name, &g.Phone, &req.UserID
		if g.Account != "" {
			row.UserID = &g.Account
		}
	} else {
		row.UserID = &req.UserID
	}
	if out.Overridden {
		row.OverReason, row.FireLimit = req.Override.Reason, d.fireLimit
	}
	if req.UnseenTime > 0 && out.State() == booking.Temporary {
		row.HoldMicros, row.SeenMicros = min(row.HoldMicros, req.UnseenTime.Microseconds()), row.HoldMicros
	}
	for _, it := range req.Items {
		_, limited := d.stock[it.MenuItemID]
		row.Items = append(row.Items, newItem{it.MenuItemID, it.Name.Ko, it.Name.En, it.Quantity, it.UnitPrice,
			limited})
	}
	return row
}
