-- +goose Up

-- A party that has come leaves its first slot to history, but keeps its seats in the slots for which it stays: those may
-- still be booked.
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

-- Likewise with seats that have names.
-- +goose StatementBegin
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

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION hold_seats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE reservation_seats
    SET held = NEW.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending')
    WHERE reservation_id = NEW.id;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE OR REPLACE VIEW occupations AS
SELECT slot_id, id AS reservation_id, user_id, party_size, state
FROM reservations
UNION ALL
SELECT stay.slot_id, r.id, r.user_id, r.party_size, r.state
FROM reservation_stays stay
CROSS JOIN LATERAL (
    SELECT id, user_id, party_size, state
    FROM reservations
    WHERE id = stay.reservation_id
    LIMIT 1
) r;
