-- No diner has seats in a slot twice.
SELECT 'diner ' || user_id || ' in slot ' || slot_id AS subject,
	count(*) || ' live reservations' AS problem
FROM occupations
WHERE slot_id = ANY (:slots) AND user_id IS NOT NULL AND state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'refund_pending')
GROUP BY slot_id, user_id
HAVING count(*) > 1
