-- A party that has named seats has as many places as people, at the restaurant and in the slots of its reservation, in each; one that staff seated over the plan, where nobody else has its seats.
WITH over AS (
	SELECT stay.reservation_id, stay.slot_id
	FROM reservation_overrides n
	JOIN reservation_stays stay ON stay.reservation_id = n.reservation_id
	WHERE stay.slot_id = ANY (:slots)
), places AS (
	SELECT n.reservation_id, n.slot_id, sum(seat.places) FILTER (WHERE seat.restaurant_id = n.restaurant_id) AS places
	FROM reservation_seats n
	LEFT JOIN seats seat ON seat.id = n.seat_id
	WHERE n.slot_id = ANY (:slots) AND n.held
	GROUP BY n.reservation_id, n.slot_id
), stays AS (
	SELECT o.reservation_id, o.slot_id, o.party_size
	FROM occupations o
	WHERE o.slot_id = ANY (:slots) AND o.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'refund_pending')
		AND EXISTS (SELECT FROM reservation_seats n WHERE n.reservation_id = o.reservation_id AND n.held)
)
SELECT 'reservation ' || reservation_id || ' in slot ' || slot_id AS subject,
	COALESCE(p.places, 0) || ' places for ' || COALESCE(s.party_size, 0) || ' people' AS problem
FROM stays s
FULL JOIN places p USING (reservation_id, slot_id)
WHERE COALESCE(p.places, 0) < COALESCE(s.party_size, 0) AND (reservation_id, slot_id) NOT IN (SELECT reservation_id, slot_id FROM over)
	OR s.party_size IS NULL
