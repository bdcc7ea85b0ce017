-- No slot has given away more seats than it has.
SELECT 'slot ' || s.id || ' of restaurant ' || s.restaurant_id || ' on ' || s.service_date || ' at ' || s.service_time AS subject,
	sum(r.party_size) || ' seats are taken of ' || s.capacity AS problem
FROM slots s
JOIN reservations r ON r.slot_id = s.id
WHERE r.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending')
GROUP BY s.id
HAVING sum(r.party_size) > s.capacity
