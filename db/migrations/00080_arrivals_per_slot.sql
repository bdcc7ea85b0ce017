-- +goose Up
-- reads all of restaurants: everybody waits who wants the table; there are some thousands of rows

-- How many people may begin their stay in one slot; 0: any number.
ALTER TABLE restaurants ADD COLUMN arrivals_per_slot integer NOT NULL DEFAULT 0,
    ADD CONSTRAINT restaurants_arrivals_per_slot CHECK (arrivals_per_slot >= 0);

-- Whether a party begins its stay in the slot, or came before.
CREATE OR REPLACE VIEW occupations AS
SELECT slot_id, id AS reservation_id, user_id, party_size, state, true AS begins
FROM reservations
UNION ALL
SELECT stay.slot_id, r.id, r.user_id, r.party_size,
    CASE WHEN r.state = 'completed' AND r.ended_at IS NULL THEN 'confirmed' ELSE r.state END, false
FROM reservation_stays stay
CROSS JOIN LATERAL (
    SELECT id, user_id, party_size, state, ended_at
    FROM reservations
    WHERE id = stay.reservation_id
    LIMIT 1
) r;

-- +goose Down
DROP VIEW occupations;
CREATE VIEW occupations AS
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
ALTER TABLE restaurants DROP COLUMN arrivals_per_slot;
