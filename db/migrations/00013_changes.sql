-- +goose Up

-- How often a reservation was changed by its diner.
ALTER TABLE reservations ADD COLUMN changes integer NOT NULL DEFAULT 0;

-- What became of a reservation, step by step: each row goes on where the one before it ended, and the last one says what is
-- reserved now. What is kept is of the difference, where the new cost less, what the restaurant keeps.
CREATE TABLE reservation_changes (
    id              text        PRIMARY KEY,
    reservation_id  text        NOT NULL,
    number          integer     NOT NULL,
    user_id         text        NOT NULL,
    state           text        NOT NULL,
    from_slot_id    bigint      NOT NULL,
    to_slot_id      bigint      NOT NULL,
    from_slots      integer     NOT NULL, -- how many, from the first one on
    to_slots        integer     NOT NULL,
    from_party      integer     NOT NULL,
    to_party        integer     NOT NULL,
    from_items      jsonb       NOT NULL,
    to_items        jsonb       NOT NULL,
    from_deposit    bigint      NOT NULL,
    to_deposit      bigint      NOT NULL,
    from_menu       bigint      NOT NULL,
    to_menu         bigint      NOT NULL,
    from_coupon_id  bigint,
    to_coupon_id    bigint,
    from_discount   bigint      NOT NULL,
    to_discount     bigint      NOT NULL,
    from_paid       bigint      NOT NULL,
    to_paid         bigint      NOT NULL,
    charged         bigint      NOT NULL,
    refunded        bigint      NOT NULL,
    kept            bigint      NOT NULL,
    idempotency_key text        NOT NULL,
    ticket          text        NOT NULL,
    arrival         bigint      NOT NULL,
    fence           bigint      NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT reservation_changes_number UNIQUE (reservation_id, number),
    CONSTRAINT reservation_changes_user_key UNIQUE (user_id, idempotency_key),
    CONSTRAINT reservation_changes_reservation FOREIGN KEY (reservation_id) REFERENCES reservations (id),
    CONSTRAINT reservation_changes_from_slot FOREIGN KEY (from_slot_id) REFERENCES slots (id),
    CONSTRAINT reservation_changes_to_slot FOREIGN KEY (to_slot_id) REFERENCES slots (id),
    CONSTRAINT reservation_changes_state CHECK (state IN ('temporary', 'confirmed', 'prepaid_confirmed')),
    CONSTRAINT reservation_changes_key_given CHECK (idempotency_key <> ''),
    CONSTRAINT reservation_changes_amounts CHECK (charged >= 0 AND refunded >= 0 AND kept >= 0
        AND (charged = 0 OR refunded + kept = 0) AND to_paid = from_paid + charged - refunded - kept),
    CONSTRAINT reservation_changes_unpaid CHECK (state <> 'temporary' OR from_paid = 0 AND to_paid = 0)
);

CREATE UNIQUE INDEX reservation_changes_ticket ON reservation_changes (ticket) WHERE ticket <> '';

CREATE TRIGGER reservation_changes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON reservation_changes
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The money of a change, in either direction; there may be many of a reservation.
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_kind,
    ADD CONSTRAINT ledger_entries_kind CHECK (
        (kind = 'charge' AND amount > 0 AND reservation_id IS NULL)
        OR (kind = 'withdrawal' AND amount < 0 AND reservation_id IS NULL)
        OR (kind IN ('deposit', 'prepay') AND amount < 0 AND reservation_id IS NOT NULL)
        OR (kind = 'change' AND amount <> 0 AND reservation_id IS NOT NULL)
        OR (kind = 'refund' AND amount > 0 AND reservation_id IS NOT NULL));

-- Whoever has changed what is confirmed is written to; so is, again, whoever was reminded of another day.
ALTER TABLE mails ADD COLUMN slot_id bigint,
    DROP CONSTRAINT mails_kind,
    ADD CONSTRAINT mails_kind CHECK (kind IN ('turn', 'confirmed', 'changed', 'cancelled', 'refunded', 'reminder'));
UPDATE mails m
SET slot_id = r.slot_id
FROM reservations r
WHERE m.kind = 'reminder' AND r.id = m.reservation_id;
DROP INDEX mails_one_reminder;
CREATE UNIQUE INDEX mails_one_reminder ON mails (reservation_id, slot_id) WHERE kind = 'reminder';

-- +goose StatementBegin
CREATE FUNCTION write_of_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO mails (kind, user_id, reservation_id)
    SELECT 'changed', made.user_id, made.reservation_id
    FROM made
    JOIN slots s ON s.id = made.to_slot_id
    JOIN restaurants p ON p.id = s.restaurant_id AND NOT p.shadow
    WHERE made.state <> 'temporary';
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER reservation_changes_made AFTER INSERT ON reservation_changes
    REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION write_of_changes();

-- +goose Down
DROP TABLE reservation_changes;
DROP FUNCTION write_of_changes;
DELETE FROM mails WHERE kind = 'changed';
DELETE FROM mails a USING mails b WHERE a.kind = 'reminder' AND b.kind = 'reminder' AND a.reservation_id = b.reservation_id AND a.id < b.id;
DROP INDEX mails_one_reminder;
CREATE UNIQUE INDEX mails_one_reminder ON mails (reservation_id) WHERE kind = 'reminder';
ALTER TABLE mails DROP COLUMN slot_id,
    DROP CONSTRAINT mails_kind,
    ADD CONSTRAINT mails_kind CHECK (kind IN ('turn', 'confirmed', 'cancelled', 'refunded', 'reminder'));
-- Money that was moved by changes stays in the ledger.
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_kind,
    ADD CONSTRAINT ledger_entries_kind CHECK (
        (kind = 'charge' AND amount > 0 AND reservation_id IS NULL)
        OR (kind = 'withdrawal' AND amount < 0 AND reservation_id IS NULL)
        OR (kind IN ('deposit', 'prepay') AND amount < 0 AND reservation_id IS NOT NULL)
        OR (kind = 'refund' AND amount > 0 AND reservation_id IS NOT NULL)) NOT VALID;
ALTER TABLE reservations DROP COLUMN changes;
