-- Letters to an account's confirmed address that a passkey was added or removed. Each brings a link to object.
-- wider: mails_kind
-- reads all of mails: everybody waits who wants the table, half a second for a million rows

-- +goose Up

-- Two more kinds besides those that there are, with a link.
-- +goose StatementBegin
DO $$
DECLARE
    kinds text := (SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint
        WHERE conname = 'mails_kind' AND conrelid = 'mails'::regclass);
BEGIN
    ALTER TABLE mails DROP CONSTRAINT mails_kind;
    EXECUTE format('ALTER TABLE mails ADD CONSTRAINT mails_kind CHECK ((%s)
        OR kind IN (''passkey_added'', ''passkey_removed'') AND link_id IS NOT NULL)', kinds);
END
$$;
-- +goose StatementEnd

-- +goose Down
DELETE FROM mails WHERE kind IN ('passkey_added', 'passkey_removed');
