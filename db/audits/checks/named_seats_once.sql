-- No named seat is held by two reservations in a slot.
SELECT 'seat ' || seat_id || ' in slot ' || slot_id AS subject, count(*) || ' reservations hold it' AS problem
FROM reservation_seats
WHERE slot_id = ANY (:slots) AND held
GROUP BY slot_id, seat_id
HAVING count(*) > 1
