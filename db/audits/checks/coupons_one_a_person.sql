-- Nobody has two coupons of a campaign.
SELECT 'campaign ' || coupon_id || ', ' || user_id AS subject,
	count(*) || ' coupons' AS problem
FROM coupon_claims
WHERE coupon_id = ANY (:campaigns)
GROUP BY coupon_id, user_id
HAVING count(*) > 1
