-- No slot has given away more seats than it has.
SELECT 'slot ' || s.id || ' of restaurant ' || s.restaurant_id || ' on ' || s.service_date || ' at ' || s.service_time AS subject,
	sum(o.party_size) || ' seats are taken of ' || s.capacity AS problem
FROM slots s
JOIN occupations o ON o.slot_id = s.id
WHERE o.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'refund_pending')
GROUP BY s.id
HAVING sum(o.party_size) > s.capacity
