-- Letters to the owners of a restaurant that a webhook of theirs was disabled.
-- wider: mails_about, mails_kind
-- reads all of mails: everybody waits who wants the table, half a second for a million rows

-- +goose Up

ALTER TABLE mails
    ADD COLUMN webhook_id text,
    ADD CONSTRAINT mails_webhook FOREIGN KEY (webhook_id) REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    ADD CONSTRAINT mails_disables CHECK ((kind = 'webhook') = (webhook_id IS NOT NULL)),
    DROP CONSTRAINT mails_about,
    ADD CONSTRAINT mails_about CHECK (num_nonnulls(reservation_id, link_id, invitation_id, restaurant_id, webhook_id) = 1);

CREATE INDEX mails_webhooks_due ON mails (due_at) WHERE sent_at IS NULL AND webhook_id IS NOT NULL;
CREATE INDEX mails_by_webhook ON mails (webhook_id) WHERE webhook_id IS NOT NULL;

-- One more kind besides those that there are.
-- +goose StatementBegin
DO $$
DECLARE
    kinds text := (SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint
        WHERE conname = 'mails_kind' AND conrelid = 'mails'::regclass);
BEGIN
    ALTER TABLE mails DROP CONSTRAINT mails_kind;
    EXECUTE format('ALTER TABLE mails ADD CONSTRAINT mails_kind CHECK ((%s) OR kind = ''webhook'')', kinds);
END
$$;
-- +goose StatementEnd

-- +goose Down
DELETE FROM mails WHERE webhook_id IS NOT NULL;
ALTER TABLE mails
    DROP COLUMN webhook_id,
    ADD CONSTRAINT mails_about CHECK (num_nonnulls(reservation_id, link_id, invitation_id, restaurant_id) = 1);
