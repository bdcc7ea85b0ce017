-- The menu amount of every reservation is the sum of its order lines.
SELECT 'reservation ' || r.id AS subject,
	r.menu_amount || ' won for lines of ' || COALESCE(ordered.amount, 0) AS problem
FROM reservations r
LEFT JOIN (
	SELECT reservation_id, sum(quantity * unit_price) AS amount
	FROM reservation_items
	WHERE reservation_id = ANY (:reservations)
	GROUP BY reservation_id
) ordered ON ordered.reservation_id = r.id
WHERE r.id = ANY (:reservations) AND r.menu_amount <> COALESCE(ordered.amount, 0)
