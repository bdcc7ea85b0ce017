-- +goose Up

-- What staff book by phone or at the door belongs to no account: its guest has a name, and a phone number that may be empty.
-- It costs nothing, is confirmed at once and is nobody's hold. Its key is unique among those of the member of staff.
ALTER TABLE reservations
    ALTER COLUMN user_id DROP NOT NULL,
    ADD COLUMN source text NOT NULL DEFAULT 'web',
    ADD COLUMN guest_name text,
    ADD COLUMN guest_phone text,
    ADD COLUMN booked_by text,
    ADD COLUMN cancel_reason text NOT NULL DEFAULT '', -- what the restaurant says to the diner
    ADD CONSTRAINT reservations_booked_by FOREIGN KEY (booked_by) REFERENCES users (id),
    ADD CONSTRAINT reservations_whose CHECK (CASE
        WHEN source = 'web' THEN user_id IS NOT NULL AND guest_name IS NULL AND guest_phone IS NULL AND booked_by IS NULL
        WHEN source IN ('phone', 'walk_in') THEN user_id IS NULL AND guest_name IS NOT NULL AND guest_name <> ''
            AND guest_phone IS NOT NULL AND booked_by IS NOT NULL
        ELSE false END),
    ADD CONSTRAINT reservations_without_account CHECK (user_id IS NOT NULL OR deposit_amount = 0 AND paid_amount = 0
        AND coupon_id IS NULL AND state IN ('confirmed', 'arrived', 'seated', 'completed', 'no_show', 'cancelled'));

CREATE UNIQUE INDEX reservations_staff_key ON reservations (booked_by, idempotency_key) WHERE booked_by IS NOT NULL;

-- A change by staff has its own key too; it costs nothing, and may concern a party that is there.
ALTER TABLE reservation_changes
    ALTER COLUMN user_id DROP NOT NULL,
    ADD COLUMN staff_id text,
    ADD CONSTRAINT reservation_changes_staff FOREIGN KEY (staff_id) REFERENCES users (id),
    ADD CONSTRAINT reservation_changes_by CHECK (user_id IS NOT NULL OR staff_id IS NOT NULL),
    ADD CONSTRAINT reservation_changes_by_staff CHECK (staff_id IS NULL OR charged = 0 AND refunded = 0 AND kept = 0),
    DROP CONSTRAINT reservation_changes_user_key,
    DROP CONSTRAINT reservation_changes_state,
    ADD CONSTRAINT reservation_changes_state CHECK (state IN ('temporary', 'confirmed', 'prepaid_confirmed')
        OR staff_id IS NOT NULL AND state IN ('arrived', 'seated'));
CREATE UNIQUE INDEX reservation_changes_user_key ON reservation_changes (user_id, idempotency_key) WHERE staff_id IS NULL;
CREATE UNIQUE INDEX reservation_changes_staff_key ON reservation_changes (staff_id, idempotency_key) WHERE staff_id IS NOT NULL;

ALTER TABLE mails ADD COLUMN by_restaurant boolean NOT NULL DEFAULT false;

-- Nobody is written to without an account, nor of another table when they are there already.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION write_of_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO mails (kind, user_id, reservation_id, by_restaurant)
    SELECT 'changed', made.user_id, made.reservation_id, made.staff_id IS NOT NULL
    FROM made
    JOIN slots s ON s.id = made.to_slot_id
    JOIN restaurants p ON p.id = s.restaurant_id AND NOT p.shadow
    WHERE made.state IN ('confirmed', 'prepaid_confirmed') AND made.user_id IS NOT NULL;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

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
                WHEN after.state = 'cancelled' AND (before.state <> 'temporary' OR after.cancel_reason <> '') THEN 'cancelled'
                WHEN after.state = 'refunded' AND after.refund_amount > 0 THEN 'refunded'
            END AS kind
        ) letter
        WHERE after.state <> before.state AND letter.kind IS NOT NULL AND after.user_id IS NOT NULL;
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- +goose Down
-- Servers of before know no reservation without an account: while there is one, this does nothing but fail.
ALTER TABLE reservations ALTER COLUMN user_id SET NOT NULL;
ALTER TABLE reservation_changes ALTER COLUMN user_id SET NOT NULL;
DROP INDEX reservation_changes_staff_key, reservation_changes_user_key;
ALTER TABLE reservation_changes
    DROP CONSTRAINT reservation_changes_state,
    ADD CONSTRAINT reservation_changes_state CHECK (state IN ('temporary', 'confirmed', 'prepaid_confirmed')) NOT VALID,
    DROP COLUMN staff_id,
    ADD CONSTRAINT reservation_changes_user_key UNIQUE (user_id, idempotency_key);
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION write_of_changes() RETURNS trigger LANGUAGE plpgsql AS $$
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
ALTER TABLE mails DROP COLUMN by_restaurant;
DROP INDEX reservations_staff_key;
ALTER TABLE reservations
    DROP CONSTRAINT reservations_without_account,
    DROP CONSTRAINT reservations_whose,
    DROP COLUMN cancel_reason,
    DROP COLUMN booked_by,
    DROP COLUMN guest_phone,
    DROP COLUMN guest_name,
    DROP COLUMN source;
