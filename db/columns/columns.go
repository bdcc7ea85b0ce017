// Package columns has the columns by which several stores read reservations and slots.
package columns

// HoldingStates is booking.HoldingStates in SQL; written out, so that the partial indexes serve.
const HoldingStates = `('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'refund_pending')`

// SlotMinutes is how long a slot of a reservation r of a restaurant p lasts: what was agreed, whatever the restaurant
// has by now.
const SlotMinutes = `COALESCE((r.policy ->> 'slotMinutes')::integer, p.slot_minutes)`

// Reservation are those of a booking.Reservation, of reservations r and slots s.
const Reservation = `
	r.id, r.restaurant_id, COALESCE(r.user_id, '') AS user_id, r.source, COALESCE(r.guest_name, '') AS guest_name,
	COALESCE(r.guest_phone, '') AS guest_phone, COALESCE(r.booked_by, '') AS booked_by, r.cancel_reason, r.party_size,
	r.state, r.hold_expires_at, r.seen_expires_at, r.extended_at IS NOT NULL AS extended,
	r.deposit_amount, r.menu_amount, COALESCE(r.coupon_id, 0) AS "discount.coupon_id", r.discount_use AS "discount.use",
	r.discount_amount AS "discount.amount",
	r.paid_amount, r.refund_amount, r.given_back, r.payment_kind, r.policy, r.note, r.allergies,
	NULLIF(r.companions, '[]') AS companions, r.details_changed,
	r.coming_at, r.arrived_at AS "attendance.arrived_at",
	r.seated_at AS "attendance.seated_at", r.ended_at AS "attendance.ended_at",
	r.idempotency_key, r.changes, r.created_at, r.confirmed_at,
	` + SlotKey + `,
	NULLIF(` + FurtherTimes + `, '{}') AS stay,
	COALESCE((r.policy ->> 'slotMinutes')::integer,
		(SELECT slot_minutes FROM restaurants WHERE id = r.restaurant_id)) AS slot_minutes,
	COALESCE((
		SELECT json_agg(json_build_object(
			'menuItemId', i.menu_item_id, 'name', json_build_object('ko', i.name_ko, 'en', i.name_en),
			'quantity', i.quantity, 'unitPrice', i.unit_price) ORDER BY i.menu_item_id)
		FROM reservation_items i
		WHERE i.reservation_id = r.id
	), '[]') AS items,
	(
		SELECT json_agg(json_build_object(
			'id', n.seat_id, 'label', (SELECT label FROM seats WHERE id = n.seat_id), 'chosen', n.chosen) ORDER BY n.seat_id)
		FROM reservation_seats n
		WHERE n.reservation_id = r.id AND n.slot_id = r.slot_id
	) AS seats`

// FurtherTimes are the times of the slots of a reservation r after its first one, in order.
const FurtherTimes = `ARRAY(
		SELECT to_char(further.service_time, 'HH24:MI')
		FROM reservation_stays stay
		JOIN slots further ON further.id = stay.slot_id
		WHERE stay.reservation_id = r.id
		ORDER BY further.service_time
	)`

// SlotKey are those of the booking.SlotKey of slots s, as the field Slot.
const SlotKey = `s.restaurant_id AS "slot.restaurant_id", to_char(s.service_date, 'YYYY-MM-DD') AS "slot.date",
	to_char(s.service_time, 'HH24:MI') AS "slot.time"`

// SlotIDs are the ids of the slots of a reservation r, in order.
const SlotIDs = `
	r.slot_id || ARRAY(
		SELECT further.id
		FROM reservation_stays stay
		JOIN slots further ON further.id = stay.slot_id
		WHERE stay.reservation_id = r.id
		ORDER BY further.service_time
	)`

// Lacks are the seats that a reservation r over the plan does not hold in its later slots.
const Lacks = `(
		SELECT json_agg(json_build_object('time', to_char(later.service_time, 'HH24:MI'), 'id', n.seat_id))
		FROM reservation_overrides over
		JOIN reservation_seats n ON n.reservation_id = over.reservation_id AND n.slot_id = r.slot_id
		JOIN reservation_stays stay ON stay.reservation_id = over.reservation_id
		JOIN slots later ON later.id = stay.slot_id
		WHERE over.reservation_id = r.id AND NOT EXISTS (
			SELECT
			FROM reservation_seats h
			WHERE h.reservation_id = r.id AND h.slot_id = stay.slot_id AND h.seat_id = n.seat_id
		)
	) AS lacks`

// Guest are, besides Reservation, those of a reserve.Guest, of reservations r with JoinGuests.
const Guest = `COALESCE(r.guest_name, u.name) AS name, COALESCE(r.guest_phone, u.phone) AS phone,
	COALESCE((SELECT reason FROM reservation_overrides WHERE reservation_id = r.id), '') AS override,
	` + Lacks + `, COALESCE(g.tags, '{}') AS tags`

// JoinGuests joins who comes, an account u and a guest g, to reservations r.
const JoinGuests = `
		LEFT JOIN users u ON u.id = r.user_id
		LEFT JOIN guests g ON g.id = guest_id(r.restaurant_id, r.user_id, r.guest_phone)`

// EndOfStay is when the slots of a reservation r end, which begins in slot s of restaurant p.
const EndOfStay = `(s.service_date + GREATEST(s.service_time, (
		SELECT max(further.service_time)
		FROM reservation_stays stay
		JOIN slots further ON further.id = stay.slot_id
		WHERE stay.reservation_id = r.id
	))) AT TIME ZONE p.time_zone + ` + SlotMinutes + ` * interval '1 minute'`

// TakenSeats reads the named seats that reservations hold in a slot, or that staff have blocked there. The id of the
// slot follows, and TakenSeatsEnd. The reservation of each is looked up by its key, also in a plan that was made while
// the tables were empty.
const (
	TakenSeats = `(
			SELECT json_agg(json_build_object('id', taken.seat_id, 'onHold', taken.on_hold, 'blocked', taken.blocked)
				ORDER BY taken.seat_id)
			FROM (SELECT `
	TakenSeatsEnd = ` AS slot_id) here
			CROSS JOIN LATERAL (
				SELECT n.seat_id, holder.state = 'temporary' AS on_hold, false AS blocked
				FROM reservation_seats n
				CROSS JOIN LATERAL (
					SELECT state
					FROM reservations
					WHERE id = n.reservation_id
					LIMIT 1
				) holder
				WHERE n.held AND n.slot_id = here.slot_id
				UNION ALL
				SELECT seat_id, false, true
				FROM blocked_seats
				WHERE slot_id = here.slot_id
			) taken
		)`
)
