package db

// lockSlotNamed locks a slot that has a row, until the transaction ends.
const lockSlotNamed = `
	SELECT id, capacity, closed
	FROM slots
	WHERE restaurant_id = $1 AND service_date = $2::date AND service_time = $3::time
	FOR NO KEY UPDATE`

// countForChange counts the seats of a slot whose row is locked, finds another live reservation of a diner in it, and reads who
// waits for seats.
const countForChange = `
	SELECT seats.*, ` + takenSeats + `slot.id` + takenSeatsEnd + ` AS seats, (` + waitlistInto + `) AS waitlist
	FROM (SELECT $1::bigint AS id) slot
	CROSS JOIN LATERAL (
		SELECT COALESCE(sum(party_size), 0) AS held,
			COALESCE(sum(party_size) FILTER (WHERE state = 'temporary'), 0) AS on_hold,
			COALESCE(max(reservation_id) FILTER (WHERE user_id = $2 AND reservation_id <> $3), '') AS other
		FROM occupations
		WHERE slot_id = slot.id AND state IN ` + holdingStates + `
	) seats`

// lockStockForChange locks the stock of what a reservation has taken from it on its day, and of what is asked for on another
// or the same, in the order in which all lock it, and reads what is left on the day asked for. Rows that are not there yet
// are made, as by readSlot. The reservation is locked, so its own lines are what they are.
const lockStockForChange = `
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

// changeTerms takes what is new and frees what is old in one statement, all of it under locks that are held. It is a
// compare-and-set: it writes nothing when the reservation is in another state, or was changed meanwhile.
const changeTerms = `
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

// insertChange stores the order lines of a changed reservation, its stay and its named seats, and its history.
const insertChange = `
	WITH lines AS (
		INSERT INTO reservation_items (reservation_id, menu_item_id, name_ko, name_en, quantity, unit_price, from_stock)
		SELECT $2, item."menuItemId", item.ko, item.en, item.quantity, item."unitPrice",
			item."menuItemId" IN (SELECT id::bigint FROM json_array_elements_text($29::json) AS stocked (id))
		FROM json_to_recordset($11::json) AS item ("menuItemId" bigint, ko text, en text, quantity integer, "unitPrice" bigint)
	), stays AS (
		INSERT INTO reservation_stays (reservation_id, slot_id)
		SELECT $2, further.slot_id
		FROM unnest($30::bigint[]) AS further (slot_id)
	), seated AS (
		INSERT INTO reservation_seats (reservation_id, slot_id, restaurant_id, seat_id, chosen)
		SELECT $2, slot.id, $32, seat.id, seat.chosen
		FROM unnest($7::bigint || $30::bigint[]) AS slot (id)
		CROSS JOIN json_to_recordset($33::json) AS seat (id bigint, chosen boolean)
	)
	INSERT INTO reservation_changes (id, reservation_id, number, user_id, state, from_slot_id, to_slot_id, from_party, to_party,
		from_items, to_items, from_deposit, to_deposit, from_menu, to_menu, from_coupon_id, to_coupon_id,
		from_discount, to_discount, from_paid, to_paid, from_slots, to_slots, charged, refunded, kept, idempotency_key, ticket, arrival, fence)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11::jsonb, $12, $13, $14, $15, NULLIF($16::bigint, 0),
		NULLIF($17::bigint, 0), $18, $19, $20, $21, $31, 1 + cardinality($30::bigint[]), $22, $23, $24, $25, $26, $27, $28)`
