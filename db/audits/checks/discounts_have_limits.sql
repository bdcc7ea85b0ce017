-- A coupon takes off a reservation at most the part of the price that it is for, and nothing is off without one.
SELECT 'reservation ' || id AS subject,
	discount_amount || ' won off (' || discount_use || ') a deposit of ' || deposit_amount || ' and a menu of ' || menu_amount AS problem
FROM reservations
WHERE id = ANY (:reservations) AND (discount_amount < 0 OR discount_amount > CASE
	WHEN coupon_id IS NULL THEN 0
	WHEN discount_use = 'deposit' THEN deposit_amount
	WHEN discount_use = 'menu' THEN menu_amount
	ELSE 0
END)
