-- A stay goes on in later slots of the same restaurant and day, twelve in all at most.
SELECT 'reservation ' || stay.reservation_id || ' in slot ' || stay.slot_id AS subject,
	CASE WHEN first.id IS NULL THEN 'there is no such reservation' ELSE
		'it begins in slot ' || first.id || ' and goes on in ' || others.number || ' more' END AS problem
FROM reservation_stays stay
LEFT JOIN reservations r ON r.id = stay.reservation_id
LEFT JOIN slots first ON first.id = r.slot_id
LEFT JOIN slots s ON s.id = stay.slot_id
CROSS JOIN LATERAL (SELECT count(*) AS number FROM reservation_stays other WHERE other.reservation_id = stay.reservation_id) others
WHERE stay.slot_id = ANY (:slots) AND (s.restaurant_id IS DISTINCT FROM first.restaurant_id OR s.service_date IS DISTINCT FROM first.service_date
	OR COALESCE(s.service_time <= first.service_time, true)
	OR others.number > 11)
