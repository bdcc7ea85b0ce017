-- Every coupon in use serves a reservation of its own diner that lives or was visited, and every such reservation has its coupon.
SELECT 'coupon of campaign ' || COALESCE(c.coupon_id, r.coupon_id) || ' of ' || COALESCE(c.user_id, r.user_id) AS subject,
	COALESCE('it is used for reservation ' || c.reservation_id || ', which has given it back or never had it',
		'reservation ' || r.id || ' (' || r.state || ') has it, but it is free or used for another') AS problem
FROM (
	SELECT coupon_id, user_id, reservation_id
	FROM coupon_claims
	WHERE user_id = ANY (:diners) AND reservation_id IS NOT NULL
) c
FULL JOIN (
	SELECT id, coupon_id, user_id, state
	FROM reservations
	WHERE user_id = ANY (:diners) AND coupon_id IS NOT NULL AND state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'completed', 'no_show')
) r ON r.id = c.reservation_id AND r.coupon_id = c.coupon_id AND r.user_id = c.user_id
WHERE c.reservation_id IS NULL OR r.id IS NULL
