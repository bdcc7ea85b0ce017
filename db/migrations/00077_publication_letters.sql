-- Owners get a letter when an operator publishes their restaurant, and when one unpublishes it.
-- wider: mails_kind, mails_refuses
-- reads all of mails: everybody waits who wants the table, half a second for a million rows

-- +goose Up

-- Two more kinds besides those that there are, about a restaurant.
-- +goose StatementBegin
DO $$
DECLARE
    kinds text := (SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint
        WHERE conname = 'mails_kind' AND conrelid = 'mails'::regclass);
BEGIN
    ALTER TABLE mails DROP CONSTRAINT mails_kind, DROP CONSTRAINT mails_refuses;
    EXECUTE format('ALTER TABLE mails
        ADD CONSTRAINT mails_kind CHECK ((%s) OR kind IN (''published'', ''unpublished'')),
        ADD CONSTRAINT mails_refuses CHECK ((kind IN (''refused'', ''published'', ''unpublished''))
            = (restaurant_id IS NOT NULL))', kinds);
END
$$;
-- +goose StatementEnd

-- +goose Down
DELETE FROM mails WHERE kind IN ('published', 'unpublished');
ALTER TABLE mails DROP CONSTRAINT mails_refuses;
ALTER TABLE mails ADD CONSTRAINT mails_refuses CHECK ((kind = 'refused') = (restaurant_id IS NOT NULL));
