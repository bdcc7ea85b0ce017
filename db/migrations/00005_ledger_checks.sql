-- +goose Up

-- Each entry has its number in its wallet, from 1 on: the version of the account that it made.
ALTER TABLE ledger_entries ADD COLUMN version bigint;
ALTER TABLE ledger_entries DISABLE TRIGGER ledger_entries_append_only;
UPDATE ledger_entries e
SET version = numbered.version
FROM (SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY id) AS version FROM ledger_entries) numbered
WHERE numbered.id = e.id;
ALTER TABLE ledger_entries ENABLE TRIGGER ledger_entries_append_only;
ALTER TABLE ledger_entries ALTER COLUMN version SET NOT NULL,
    ADD CONSTRAINT ledger_entries_user_version UNIQUE (user_id, version),
    ADD CONSTRAINT ledger_entries_version CHECK (version > 0),
    DROP CONSTRAINT ledger_entries_kind,
    ADD CONSTRAINT ledger_entries_kind CHECK (
        (kind = 'charge' AND amount > 0 AND reservation_id IS NULL)
        OR (kind = 'withdrawal' AND amount < 0 AND reservation_id IS NULL)
        OR (kind IN ('deposit', 'prepay') AND amount < 0 AND reservation_id IS NOT NULL)
        OR (kind = 'refund' AND amount > 0 AND reservation_id IS NOT NULL));
DROP INDEX ledger_entries_newest;

-- The two checks hold the sum at every statement, whoever writes. An entry continues the one before it and is not beyond
-- its account; an account says what its last entry says. Entries are numbered without a gap and never change, so the
-- balance is their sum. An entry and its account have to be written in one statement.

-- +goose StatementBegin
CREATE FUNCTION check_new_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong bigint;
BEGIN
    SELECT e.id INTO wrong
    FROM added e
    JOIN accounts a ON a.user_id = e.user_id
    LEFT JOIN ledger_entries before ON before.user_id = e.user_id AND before.version = e.version - 1
    WHERE e.version > a.version
        OR (before.version IS NULL AND e.version <> 1)
        OR e.balance_after <> e.amount + COALESCE(before.balance_after, 0)
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'entry % does not continue the ledger of its account', wrong
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_entries_continue';
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION check_changed_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong text;
BEGIN
    SELECT a.user_id INTO wrong
    FROM changed a
    LEFT JOIN LATERAL (
        SELECT version, balance_after
        FROM ledger_entries
        WHERE user_id = a.user_id
        ORDER BY version DESC
        LIMIT 1
    ) last ON true
    WHERE a.version <> COALESCE(last.version, 0) OR a.balance <> COALESCE(last.balance_after, 0)
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'the account of % is not the sum of its ledger', wrong
            USING ERRCODE = 'check_violation', CONSTRAINT = 'accounts_equal_ledger';
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER ledger_entries_continue AFTER INSERT ON ledger_entries
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_new_entries();
CREATE TRIGGER accounts_equal_ledger_new AFTER INSERT ON accounts
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_changed_accounts();
CREATE TRIGGER accounts_equal_ledger AFTER UPDATE ON accounts
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_changed_accounts();

-- What the last audit found, in one row. Whoever holds the row audits.
CREATE TABLE last_audit (
    only_row    boolean     PRIMARY KEY DEFAULT true,
    finished_at timestamptz,
    report      jsonb,
    CONSTRAINT last_audit_one_row CHECK (only_row),
    CONSTRAINT last_audit_whole CHECK ((finished_at IS NULL) = (report IS NULL))
);
INSERT INTO last_audit DEFAULT VALUES;

-- +goose Down
DROP TABLE last_audit;
DROP TRIGGER ledger_entries_continue ON ledger_entries;
DROP TRIGGER accounts_equal_ledger_new ON accounts;
DROP TRIGGER accounts_equal_ledger ON accounts;
DROP FUNCTION check_new_entries, check_changed_accounts;
CREATE INDEX ledger_entries_newest ON ledger_entries (user_id, id);
-- Withdrawals that were made stay.
ALTER TABLE ledger_entries DROP COLUMN version, DROP CONSTRAINT ledger_entries_kind,
    ADD CONSTRAINT ledger_entries_kind CHECK (
        (kind = 'charge' AND amount > 0 AND reservation_id IS NULL)
        OR (kind IN ('deposit', 'prepay') AND amount < 0 AND reservation_id IS NOT NULL)
        OR (kind = 'refund' AND amount > 0 AND reservation_id IS NOT NULL)) NOT VALID;
