-- +goose Up

-- For how many slots parties from a size on stay, and whoever orders a dish: courses take longer than a slot.
ALTER TABLE restaurants ADD COLUMN stay_tiers jsonb NOT NULL DEFAULT '[]';
ALTER TABLE menu_items
    ADD COLUMN stay_slots integer NOT NULL DEFAULT 1,
    ADD CONSTRAINT menu_items_stay_slots CHECK (stay_slots BETWEEN 1 AND 3);

-- The slots in which a reservation stays after its first, which is reservations.slot_id. They are those that follow it at the
-- same restaurant.
CREATE TABLE reservation_stays (
    reservation_id text   NOT NULL,
    slot_id        bigint NOT NULL,
    CONSTRAINT reservation_stays_pk PRIMARY KEY (reservation_id, slot_id),
    CONSTRAINT reservation_stays_reservation FOREIGN KEY (reservation_id) REFERENCES reservations (id),
    CONSTRAINT reservation_stays_slot FOREIGN KEY (slot_id) REFERENCES slots (id)
);

CREATE INDEX reservation_stays_by_slot ON reservation_stays (slot_id);

-- Who is in a slot, whether they come then or stay. Every seat sum reads it. The lookup of a stay's reservation is one by
-- its key, also in a plan that was made while the tables were empty.
CREATE VIEW occupations AS
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

-- +goose Down
DROP VIEW occupations;
DROP TABLE reservation_stays;
ALTER TABLE menu_items DROP CONSTRAINT menu_items_stay_slots, DROP COLUMN stay_slots;
ALTER TABLE restaurants DROP COLUMN stay_tiers;
