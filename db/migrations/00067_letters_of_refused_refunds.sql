-- One more letter: a refund that the card's bank does not take is in the diner's wallet.
-- wider: mails_kind
-- reads all of mails: everybody waits who wants the table, half a second for a million rows

-- +goose Up
ALTER TABLE mails ADD COLUMN card_refund_id text,
    ADD CONSTRAINT mails_card_refund FOREIGN KEY (card_refund_id) REFERENCES payment_refunds (id),
    ADD CONSTRAINT mails_says_of_which_refund CHECK (kind <> 'card_refund_refused' OR card_refund_id IS NOT NULL);

-- +goose StatementBegin
DO $$
DECLARE
    kinds text := (SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint
        WHERE conname = 'mails_kind' AND conrelid = 'mails'::regclass);
BEGIN
    ALTER TABLE mails DROP CONSTRAINT mails_kind;
    EXECUTE format('ALTER TABLE mails ADD CONSTRAINT mails_kind CHECK ((%s) OR kind = ''card_refund_refused'')', kinds);
END
$$;
-- +goose StatementEnd

-- +goose Down
DELETE FROM mails WHERE kind = 'card_refund_refused';
ALTER TABLE mails DROP COLUMN card_refund_id;
