-- Every rating is the sum and number of the stars of its restaurant's public reviews.
SELECT 'restaurant ' || p.id AS subject,
	COALESCE(r.reviews, 0) || ' reviews with ' || COALESCE(r.stars, 0) || ' stars, but '
		|| public.reviews || ' with ' || public.stars AS problem
FROM (
	SELECT DISTINCT restaurant_id AS id
	FROM reservations
	WHERE id = ANY (:reservations)
) p
LEFT JOIN ratings r ON r.restaurant_id = p.id
CROSS JOIN LATERAL (
	SELECT count(*) AS reviews, COALESCE(sum(stars), 0) AS stars
	FROM reviews
	WHERE restaurant_id = p.id AND hidden_reason = ''
) public
WHERE COALESCE(r.reviews, 0) <> public.reviews OR COALESCE(r.stars, 0) <> public.stars
