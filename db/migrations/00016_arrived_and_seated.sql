-- +goose Up

-- A party that is there holds its seats until the stay ends or staff say that the table is free. The times are those of the
-- marks, so that a mark can be undone.
ALTER TABLE reservations
    ADD COLUMN arrived_at timestamptz,
    ADD COLUMN seated_at timestamptz,
    ADD COLUMN ended_at timestamptz,
    DROP CONSTRAINT reservations_state,
    ADD CONSTRAINT reservations_state CHECK (state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'expired', 'cancelled',
        'arrived', 'seated', 'completed', 'no_show', 'refund_pending', 'refunded')),
    ADD CONSTRAINT reservations_present CHECK (state NOT IN ('arrived', 'seated') OR arrived_at IS NOT NULL OR seated_at IS NOT NULL);

-- Servers of before ask for fewer states, which these indexes answer as well.
DROP INDEX reservations_one_live;
CREATE UNIQUE INDEX reservations_one_live ON reservations (slot_id, user_id)
    WHERE state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'refund_pending');
DROP INDEX reservations_one_a_coupon;
CREATE UNIQUE INDEX reservations_one_a_coupon ON reservations (user_id, coupon_id)
    WHERE coupon_id IS NOT NULL
        AND state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'completed', 'no_show');
CREATE INDEX reservations_at_table ON reservations (slot_id) WHERE state IN ('arrived', 'seated');

-- Servers of before mark a party that has just come as completed, without a time. Such a party keeps the later slots of its
-- stay; one whose stay has ended, at ended_at, keeps nothing.
CREATE OR REPLACE VIEW occupations AS
SELECT slot_id, id AS reservation_id, user_id, party_size, state
FROM reservations
UNION ALL
SELECT stay.slot_id, r.id, r.user_id, r.party_size,
    CASE WHEN r.state = 'completed' AND r.ended_at IS NULL THEN 'confirmed' ELSE r.state END
FROM reservation_stays stay
CROSS JOIN LATERAL (
    SELECT id, user_id, party_size, state, ended_at
    FROM reservations
    WHERE id = stay.reservation_id
    LIMIT 1
) r;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION hold_seats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE reservation_seats
    SET held = NEW.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'refund_pending')
        OR NEW.state = 'completed' AND NEW.ended_at IS NULL AND slot_id <> NEW.slot_id
    WHERE reservation_id = NEW.id;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

DROP TRIGGER reservations_hold_seats ON reservations;
CREATE TRIGGER reservations_hold_seats AFTER UPDATE OF state ON reservations
    FOR EACH ROW
    WHEN ((OLD.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'refund_pending'))
        <> (NEW.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'refund_pending')))
    EXECUTE FUNCTION hold_seats();

-- A mark that is undone is no confirmation: only the payment is written of.
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

-- Whoever has their seats again, because staff undid a mark, waits for none in these slots any more.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION waitlist_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        UPDATE waitlist_entries w
        SET state = 'left', ended_at = clock_timestamp()
        FROM made
        WHERE w.user_id = made.user_id AND w.state = 'waiting' AND needs_seats_of(w, made.id)
            AND made.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending');
    ELSE
        UPDATE waitlist_entries w
        SET state = CASE after.state WHEN 'expired' THEN 'lapsed' WHEN 'cancelled' THEN 'declined' ELSE 'accepted' END,
            ended_at = CASE WHEN after.state IN ('expired', 'cancelled') THEN clock_timestamp() END
        FROM after
        JOIN before ON before.id = after.id
        WHERE w.reservation_id = after.id AND before.state IN ('temporary', 'expired') AND after.state <> before.state;

        UPDATE waitlist_entries w
        SET state = 'left', ended_at = clock_timestamp()
        FROM after
        JOIN before ON before.id = after.id
        WHERE w.user_id = after.user_id AND w.state = 'waiting' AND needs_seats_of(w, after.id)
            AND after.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated')
            AND (after.slot_id <> before.slot_id OR before.state IN ('expired', 'no_show', 'completed'));
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- +goose Down
-- Parties that are there count as those of before: they have come.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION waitlist_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        UPDATE waitlist_entries w
        SET state = 'left', ended_at = clock_timestamp()
        FROM made
        WHERE w.user_id = made.user_id AND w.state = 'waiting' AND needs_seats_of(w, made.id)
            AND made.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending');
    ELSE
        UPDATE waitlist_entries w
        SET state = CASE after.state WHEN 'expired' THEN 'lapsed' WHEN 'cancelled' THEN 'declined' ELSE 'accepted' END,
            ended_at = CASE WHEN after.state IN ('expired', 'cancelled') THEN clock_timestamp() END
        FROM after
        JOIN before ON before.id = after.id
        WHERE w.reservation_id = after.id AND before.state IN ('temporary', 'expired') AND after.state <> before.state;

        UPDATE waitlist_entries w
        SET state = 'left', ended_at = clock_timestamp()
        FROM after
        JOIN before ON before.id = after.id
        WHERE w.user_id = after.user_id AND w.state = 'waiting' AND needs_seats_of(w, after.id)
            AND after.state IN ('temporary', 'confirmed', 'prepaid_confirmed')
            AND (after.slot_id <> before.slot_id OR before.state = 'expired');
    END IF;
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION write_to_diners() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
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
                WHEN after.state IN ('confirmed', 'prepaid_confirmed') THEN 'confirmed'
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
CREATE OR REPLACE FUNCTION hold_seats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE reservation_seats
    SET held = NEW.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending')
        OR NEW.state = 'completed' AND slot_id <> NEW.slot_id
    WHERE reservation_id = NEW.id;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
UPDATE reservations SET state = 'completed' WHERE state IN ('arrived', 'seated');
-- Completed parties keep their later slots again, named seats too where nobody else has them.
DROP TRIGGER reservations_hold_seats ON reservations;
CREATE TRIGGER reservations_hold_seats AFTER UPDATE OF state ON reservations
    FOR EACH ROW
    WHEN ((OLD.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending'))
        <> (NEW.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending')))
    EXECUTE FUNCTION hold_seats();
CREATE OR REPLACE VIEW occupations AS
SELECT slot_id, id AS reservation_id, user_id, party_size, state
FROM reservations
UNION ALL
SELECT stay.slot_id, r.id, r.user_id, r.party_size, CASE r.state WHEN 'completed' THEN 'confirmed' ELSE r.state END
FROM reservation_stays stay
CROSS JOIN LATERAL (
    SELECT id, user_id, party_size, state
    FROM reservations
    WHERE id = stay.reservation_id
    LIMIT 1
) r;
DROP INDEX reservations_at_table, reservations_one_a_coupon, reservations_one_live;
CREATE UNIQUE INDEX reservations_one_a_coupon ON reservations (user_id, coupon_id)
    WHERE coupon_id IS NOT NULL AND state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'completed', 'no_show');
CREATE UNIQUE INDEX reservations_one_live ON reservations (slot_id, user_id)
    WHERE state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending');
ALTER TABLE reservations
    DROP CONSTRAINT reservations_present,
    DROP CONSTRAINT reservations_state,
    ADD CONSTRAINT reservations_state CHECK (state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'expired', 'cancelled',
        'completed', 'no_show', 'refund_pending', 'refunded')),
    DROP COLUMN ended_at,
    DROP COLUMN seated_at,
    DROP COLUMN arrived_at;
