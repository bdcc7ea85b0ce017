-- +goose Up

-- A hold that came while nobody watched for it ends early, at hold_expires_at, unless its diner sees it. From then on it lasts
-- until seen_expires_at, which is null once that is so, and of all other holds.
ALTER TABLE reservations ADD COLUMN seen_expires_at timestamptz;

CREATE INDEX reservations_unseen ON reservations (created_at) WHERE state = 'temporary' AND seen_expires_at IS NOT NULL;

ALTER TABLE mails
    DROP CONSTRAINT mails_kind,
    ADD CONSTRAINT mails_kind CHECK (kind IN ('turn', 'confirmed', 'changed', 'cancelled', 'refunded', 'reminder', 'offer', 'unseen')
        AND link_id IS NULL OR kind IN ('confirm', 'known', 'signin', 'change', 'object') AND link_id IS NOT NULL);

-- One letter says that the turn has come.
CREATE UNIQUE INDEX mails_one_turn ON mails (reservation_id) WHERE kind = 'turn';

-- Whose hold ended unseen is written to.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION write_to_diners() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        -- Whoever has stood in line for a while may be looking elsewhere. Arrival numbers are microseconds.
        INSERT INTO mails (kind, user_id, reservation_id)
        SELECT 'turn', made.user_id, made.id
        FROM made
        JOIN restaurants p ON p.id = made.restaurant_id AND NOT p.shadow
        WHERE made.state = 'temporary' AND made.arrival > 0
            AND made.created_at - to_timestamp(made.arrival / 1e6) > interval '10 seconds';
    ELSE
        INSERT INTO mails (kind, user_id, reservation_id)
        SELECT letter.kind, after.user_id, after.id
        FROM after
        JOIN before ON before.id = after.id
        JOIN restaurants p ON p.id = after.restaurant_id AND NOT p.shadow
        CROSS JOIN LATERAL (
            SELECT CASE
                WHEN after.state IN ('confirmed', 'prepaid_confirmed') AND before.state IN ('temporary', 'expired') THEN 'confirmed'
                WHEN after.state = 'expired' AND before.state = 'temporary' AND after.seen_expires_at IS NOT NULL THEN 'unseen'
                WHEN after.state = 'refund_pending' THEN 'cancelled'
                WHEN after.state = 'cancelled' AND before.state <> 'temporary' THEN 'cancelled'
                WHEN after.state = 'refunded' AND after.refund_amount > 0 THEN 'refunded'
            END AS kind
        ) letter
        WHERE after.state <> before.state AND letter.kind IS NOT NULL;
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION write_to_diners() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        -- Whoever has stood in line for a while may be looking elsewhere. Arrival numbers are microseconds.
        INSERT INTO mails (kind, user_id, reservation_id)
        SELECT 'turn', made.user_id, made.id
        FROM made
        JOIN restaurants p ON p.id = made.restaurant_id AND NOT p.shadow
        WHERE made.state = 'temporary' AND made.arrival > 0
            AND made.created_at - to_timestamp(made.arrival / 1e6) > interval '10 seconds';
    ELSE
        INSERT INTO mails (kind, user_id, reservation_id)
        SELECT letter.kind, after.user_id, after.id
        FROM after
        JOIN before ON before.id = after.id
        JOIN restaurants p ON p.id = after.restaurant_id AND NOT p.shadow
        CROSS JOIN LATERAL (
            SELECT CASE
                WHEN after.state IN ('confirmed', 'prepaid_confirmed') AND before.state IN ('temporary', 'expired') THEN 'confirmed'
                WHEN after.state = 'refund_pending' THEN 'cancelled'
                WHEN after.state = 'cancelled' AND before.state <> 'temporary' THEN 'cancelled'
                WHEN after.state = 'refunded' AND after.refund_amount > 0 THEN 'refunded'
            END AS kind
        ) letter
        WHERE after.state <> before.state AND letter.kind IS NOT NULL;
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

DROP INDEX mails_one_turn;
DELETE FROM mails WHERE kind = 'unseen';
ALTER TABLE mails
    DROP CONSTRAINT mails_kind,
    ADD CONSTRAINT mails_kind CHECK (kind IN ('turn', 'confirmed', 'changed', 'cancelled', 'refunded', 'reminder', 'offer')
        AND link_id IS NULL OR kind IN ('confirm', 'known', 'signin', 'change', 'object') AND link_id IS NOT NULL);
DROP INDEX reservations_unseen;
ALTER TABLE reservations DROP COLUMN seen_expires_at;
