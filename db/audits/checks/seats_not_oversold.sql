-- No slot has given away more seats than it has, but for those over the plan, which staff gave; and with these no more than the fire limit.
SELECT 'slot ' || s.id || ' of restaurant ' || s.restaurant_id || ' on ' || s.service_date || ' at ' || s.service_time AS subject,
	sum(o.party_size) || ' seats are taken of ' || s.capacity || ', ' || COALESCE(sum(o.party_size) FILTER (WHERE over.reservation_id IS NOT NULL), 0)
		|| ' of them over the plan' AS problem
FROM occupations o
JOIN slots s ON s.id = o.slot_id
LEFT JOIN reservation_overrides over ON over.reservation_id = o.reservation_id
WHERE o.slot_id = ANY (:slots) AND o.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'refund_pending')
GROUP BY s.id
HAVING COALESCE(sum(o.party_size) FILTER (WHERE over.reservation_id IS NULL), 0) > s.capacity
	OR sum(o.party_size) > GREATEST(s.capacity, max(over.fire_limit))
