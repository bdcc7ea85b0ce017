-- Money of a reservation that staff give back, with a reason, without cancelling it, or besides what its cancellation
-- refunds. It goes back the way it came.
-- wider: ledger_entries_kind, mails_kind
-- reads all of mails: everybody waits who wants the table, half a second for a million rows

-- +goose Up
ALTER TABLE reservations ADD COLUMN given_back bigint NOT NULL DEFAULT 0; -- won, of paid_amount

CREATE TABLE reservation_refunds (
    id              text        PRIMARY KEY,
    reservation_id  text        NOT NULL,
    staff_id        text        NOT NULL,
    idempotency_key text        NOT NULL,
    amount          bigint      NOT NULL, -- won
    reason          text        NOT NULL, -- for the diner
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT reservation_refunds_reservation FOREIGN KEY (reservation_id) REFERENCES reservations (id),
    CONSTRAINT reservation_refunds_staff FOREIGN KEY (staff_id) REFERENCES users (id),
    CONSTRAINT reservation_refunds_key UNIQUE (staff_id, idempotency_key),
    CONSTRAINT reservation_refunds_amount CHECK (amount > 0)
);
CREATE INDEX reservation_refunds_of_a_reservation ON reservation_refunds (reservation_id);
CREATE TRIGGER reservation_refunds_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON reservation_refunds
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE mails ADD COLUMN refund_id text,
    ADD CONSTRAINT mails_refund FOREIGN KEY (refund_id) REFERENCES reservation_refunds (id);

-- +goose StatementBegin
DO $$
DECLARE
    kinds text := (SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint
        WHERE conname = 'mails_kind' AND conrelid = 'mails'::regclass);
    entries text := (SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint
        WHERE conname = 'ledger_entries_kind' AND conrelid = 'ledger_entries'::regclass);
BEGIN
    ALTER TABLE mails DROP CONSTRAINT mails_kind;
    EXECUTE format('ALTER TABLE mails ADD CONSTRAINT mails_kind CHECK ((%s) OR kind = ''given_back'')', kinds);
    ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_kind;
    EXECUTE format('ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_kind CHECK ((%s)
        OR (kind = ''given_back'' AND amount > 0 AND reservation_id IS NOT NULL)) NOT VALID', entries);
END
$$;
-- +goose StatementEnd

-- +goose Down
-- Entries of money that was given back stay, and so does what allows them: the ledger keeps what happened.
DELETE FROM mails WHERE kind = 'given_back';
ALTER TABLE mails DROP COLUMN refund_id;
DROP TABLE reservation_refunds;
ALTER TABLE reservations DROP COLUMN given_back;
