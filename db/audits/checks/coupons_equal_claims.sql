-- Every campaign has given out as many coupons as persons have, and no more than it has.
SELECT 'campaign ' || c.id AS subject,
	c.issued || ' of ' || c.total || ' given out, ' || COALESCE(claimed.coupons, 0) || ' claimed' AS problem
FROM coupons c
LEFT JOIN (
	SELECT coupon_id, count(*) AS coupons
	FROM coupon_claims
	WHERE coupon_id = ANY (:campaigns)
	GROUP BY coupon_id
) claimed ON claimed.coupon_id = c.id
WHERE c.id = ANY (:campaigns) AND (c.issued <> COALESCE(claimed.coupons, 0) OR c.issued > c.total)
