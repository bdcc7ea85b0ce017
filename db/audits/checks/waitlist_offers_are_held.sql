-- Every offer of a waitlist that stands is one live reservation of its diner, for its slot and party, and no other offer is.
SELECT 'entry ' || w.id AS subject,
	'offered reservation ' || w.reservation_id || ', which is ' || COALESCE(r.state, 'missing') AS problem
FROM waitlist_entries w
LEFT JOIN reservations r ON r.id = w.reservation_id
WHERE w.slot_id = ANY (:slots) AND (w.state = 'offered' AND (r.state IS DISTINCT FROM 'temporary' OR r.user_id <> w.user_id)
	OR w.state IN ('declined', 'lapsed') AND r.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated')
	OR w.state = 'accepted' AND r.state IN ('cancelled', 'expired'))
UNION ALL
SELECT 'diner ' || w.user_id || ' in slot ' || w.slot_id, 'waits for seats in it, and has some'
FROM waitlist_entries w
JOIN reservations r ON r.slot_id = w.slot_id AND r.user_id = w.user_id
	AND r.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'refund_pending')
WHERE w.slot_id = ANY (:slots) AND w.state = 'waiting'
