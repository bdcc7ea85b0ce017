-- What an owner decides about a restaurant besides its first settings, and when they ask for it to be published.

-- +goose Up

ALTER TABLE restaurants
    ADD COLUMN phone        text NOT NULL DEFAULT '',
    ADD COLUMN submitted_at timestamptz; -- when the owner asked for it; null: not yet

ALTER TABLE closures ADD COLUMN reason text NOT NULL DEFAULT '';

-- Hours of single dates, in place of those of their weekday: a list of {"from", "last"}.
CREATE TABLE special_hours (
    restaurant_id bigint NOT NULL,
    opens_on      date   NOT NULL,
    spans         jsonb  NOT NULL,
    CONSTRAINT special_hours_pk PRIMARY KEY (restaurant_id, opens_on),
    CONSTRAINT special_hours_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id)
);

-- The length of a slot is among what a party agreed to: those that are booked keep theirs.
UPDATE reservations r
SET policy = r.policy || jsonb_build_object('slotMinutes', p.slot_minutes)
FROM restaurants p
WHERE p.id = r.restaurant_id AND NOT r.policy ? 'slotMinutes'
    AND r.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'refund_pending');

-- +goose Down
DROP TABLE special_hours;
ALTER TABLE closures DROP COLUMN reason;
ALTER TABLE restaurants DROP COLUMN submitted_at, DROP COLUMN phone;
