-- The entries of every wallet are numbered from 1 on, and each tells the balance before it and its own amount.
SELECT 'entry ' || id || ' of ' || user_id AS subject,
	'number ' || version || ' tells ' || balance_after || ' won; number ' || number || ' of ' || balance || ' was due' AS problem
FROM (
	SELECT id, user_id, version, balance_after,
		row_number() OVER history AS number, sum(amount) OVER history AS balance
	FROM ledger_entries
	WINDOW history AS (PARTITION BY user_id ORDER BY version, id ROWS UNBOUNDED PRECEDING)
) e
WHERE version <> number OR balance_after <> balance
