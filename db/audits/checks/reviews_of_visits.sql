-- Every review is of a completed visit, and by its diner.
SELECT 'reservation ' || v.reservation_id AS subject,
	'reviewed by ' || v.user_id || ', but ' || COALESCE(r.state || ' for ' || COALESCE(r.user_id, 'a guest'), 'not there') AS problem
FROM reviews v
LEFT JOIN reservations r ON r.id = v.reservation_id
WHERE v.reservation_id = ANY (:reservations)
	AND (r.state IS DISTINCT FROM 'completed' OR r.user_id IS DISTINCT FROM v.user_id OR r.restaurant_id <> v.restaurant_id)
