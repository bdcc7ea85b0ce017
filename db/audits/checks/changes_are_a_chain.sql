-- Every change of a reservation goes on where the one before it ended, the last one ended at what is reserved, and the wallet moved by what they say.
WITH history AS (
	SELECT c.*, row_number() OVER steps AS step, lag(c.state) OVER steps AS state_before, lag(to_paid) OVER steps AS paid_before,
		lag(ROW (to_slot_id, to_slots, to_party, to_items, to_deposit, to_menu, to_coupon_id, to_discount)) OVER steps AS was,
		ROW (from_slot_id, from_slots, from_party, from_items, from_deposit, from_menu, from_coupon_id, from_discount) AS began
	FROM reservation_changes c
	WHERE reservation_id = ANY (:reservations)
	WINDOW steps AS (PARTITION BY reservation_id ORDER BY number)
), broken AS (
	SELECT reservation_id, 'change ' || number || ' does not go on where the one before it ended' AS problem
	FROM history
	WHERE number <> step OR step > 1 AND (was IS DISTINCT FROM began OR state_before <> 'temporary' AND paid_before <> from_paid)
	UNION ALL
	SELECT r.id, r.changes || ' changes, but its history ends elsewhere, at number ' || COALESCE(last.number, 0)
	FROM reservations r
	LEFT JOIN LATERAL (
		SELECT *
		FROM reservation_changes
		WHERE reservation_id = r.id
		ORDER BY number DESC
		LIMIT 1
	) last ON true
	WHERE r.id = ANY (:reservations) AND (r.changes <> COALESCE(last.number, 0) OR last.number > 0 AND (
		ROW (last.to_slot_id, last.to_party, last.to_deposit, last.to_menu, last.to_discount, last.user_id)
			IS DISTINCT FROM ROW (r.slot_id, r.party_size, r.deposit_amount, r.menu_amount, r.discount_amount, r.user_id)
		OR last.to_slots <> 1 + (SELECT count(*) FROM reservation_stays WHERE reservation_id = r.id)
		OR last.to_coupon_id IS DISTINCT FROM r.coupon_id
		OR last.state <> 'temporary' AND last.to_paid <> r.paid_amount
		OR last.to_items <> COALESCE((
			SELECT jsonb_agg(jsonb_build_object('menuItemId', i.menu_item_id, 'ko', i.name_ko, 'en', i.name_en,
				'quantity', i.quantity, 'unitPrice', i.unit_price) ORDER BY i.menu_item_id)
			FROM reservation_items i
			WHERE i.reservation_id = r.id
		), '[]')))
	UNION ALL
	SELECT COALESCE(c.reservation_id, e.reservation_id),
		COALESCE(c.refunded - c.charged, 0) || ' won moved by a change, ' || COALESCE(e.amount, 0) || ' in the ledger'
	FROM (
		SELECT id, reservation_id, charged, refunded
		FROM reservation_changes
		WHERE reservation_id = ANY (:reservations)
	) c
	FULL JOIN (
		SELECT reservation_id, idempotency_key, amount
		FROM ledger_entries
		WHERE reservation_id = ANY (:reservations) AND kind = 'change'
	) e ON e.reservation_id = c.reservation_id AND e.idempotency_key = 'change:' || c.id
	WHERE COALESCE(c.refunded - c.charged, 0) <> COALESCE(e.amount, 0)
)
SELECT 'reservation ' || reservation_id AS subject, problem
FROM broken
