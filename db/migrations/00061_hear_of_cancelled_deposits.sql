-- A guest whom staff had asked for the deposit hears that the restaurant has cancelled, also without a reason: their letter
-- has the link. What earlier migrations allow is checked here, by itself: a check beside the change that allows it would
-- keep everybody from the table while all of it is read.
-- reads all of ledger_entries: nobody waits, half a second for a million rows
-- reads all of payments: nobody waits, half a second for a million rows
-- reads all of reservations: nobody waits, half a second for a million rows

-- +goose Up
ALTER TABLE ledger_entries VALIDATE CONSTRAINT ledger_entries_kind;
ALTER TABLE payments VALIDATE CONSTRAINT payments_kind;
ALTER TABLE reservations VALIDATE CONSTRAINT reservations_whose;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION write_to_diners() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
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
            WHEN after.state = 'cancelled' AND (before.state <> 'temporary' OR after.cancel_reason <> ''
                OR after.booked_by IS NOT NULL AND after.diner_cancelled_at IS NULL) THEN 'cancelled'
            WHEN after.state = 'refunded' AND after.refund_amount > 0 THEN 'refunded'
        END AS kind
    ) letter
    WHERE after.state <> before.state AND letter.kind IS NOT NULL AND after.user_id IS NOT NULL;
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
