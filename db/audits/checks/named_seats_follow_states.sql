-- A reservation holds its named seats exactly while its state holds seats; a party that an earlier release marked as come, where it stays on.
SELECT 'reservation ' || n.reservation_id || ' (' || COALESCE(r.state, 'missing') || ')' AS subject,
	'seat ' || n.seat_id || CASE WHEN n.held THEN ' is held' ELSE ' is not held' END AS problem
FROM reservation_seats n
LEFT JOIN reservations r ON r.id = n.reservation_id
WHERE n.reservation_id = ANY (:reservations) AND n.held IS DISTINCT FROM (r.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'refund_pending')
	OR r.state = 'completed' AND r.ended_at IS NULL AND n.slot_id <> r.slot_id)
