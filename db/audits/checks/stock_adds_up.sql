-- What is gone of a dish on a day is the sum of the portions of reservations that did not give them back.
WITH taken AS (
	SELECT i.menu_item_id, s.service_date, sum(i.quantity) AS quantity
	FROM reservation_items i
	JOIN reservations r ON r.id = i.reservation_id
	JOIN slots s ON s.id = r.slot_id
	WHERE s.service_date = ANY (:days) AND i.from_stock AND r.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'completed', 'no_show')
	GROUP BY i.menu_item_id, s.service_date
)
SELECT 'item ' || menu_item_id || ' on ' || service_date AS subject,
	COALESCE(m.remaining || ' are left of ' || m.offered, 'there is no stock') || ', ' || COALESCE(taken.quantity, 0)
		|| ' are taken' AS problem
FROM (SELECT * FROM menu_stock WHERE service_date = ANY (:days)) m
FULL JOIN taken USING (menu_item_id, service_date)
WHERE m.offered IS NULL OR m.remaining < 0 OR m.offered - m.remaining <> COALESCE(taken.quantity, 0)
