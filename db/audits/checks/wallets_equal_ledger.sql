-- Every balance is what the last entry of its ledger tells and not below zero, every version the number of that entry.
SELECT 'wallet of ' || u.id AS subject,
	COALESCE(a.balance || ' won at version ' || a.version, 'no account') || ', but ' || COALESCE(last.balance_after, 0)
		|| ' after ' || COALESCE(last.version, 0) || ' entries' AS problem
FROM users u
LEFT JOIN accounts a ON a.user_id = u.id
LEFT JOIN LATERAL (
	SELECT version, balance_after
	FROM ledger_entries
	WHERE user_id = u.id
	ORDER BY version DESC
	LIMIT 1
) last ON true
WHERE u.id = ANY (:diners) AND (a.balance < 0 OR COALESCE(a.balance, 0) <> COALESCE(last.balance_after, 0)
	OR COALESCE(a.version, 0) <> COALESCE(last.version, 0))
