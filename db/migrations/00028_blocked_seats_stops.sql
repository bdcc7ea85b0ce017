-- +goose Up

-- Named seats that are given to nobody in a slot: a broken table, one that is kept for somebody. Staff change them, and turns
-- read them, under the lock of the slot's row.
CREATE TABLE blocked_seats (
    slot_id       bigint      NOT NULL,
    restaurant_id bigint      NOT NULL,
    seat_id       bigint      NOT NULL,
    reason        text        NOT NULL DEFAULT '',
    blocked_at    timestamptz NOT NULL DEFAULT statement_timestamp(),
    CONSTRAINT blocked_seats_pk PRIMARY KEY (slot_id, seat_id),
    CONSTRAINT blocked_seats_slot FOREIGN KEY (slot_id, restaurant_id) REFERENCES slots (id, restaurant_id),
    CONSTRAINT blocked_seats_seat FOREIGN KEY (seat_id, restaurant_id) REFERENCES seats (id, restaurant_id)
);

-- A restaurant that is stopped takes no new reservations in any slot until it goes on again.
ALTER TABLE restaurants
    ADD COLUMN stopped_at  timestamptz,
    ADD COLUMN stop_reason text NOT NULL DEFAULT ''; -- for diners

-- Staff have taken the limit of a dish away for a day. What is left stays as it was, so that a limit can come back.
ALTER TABLE menu_stock ADD COLUMN unlimited boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE menu_stock DROP COLUMN unlimited;
ALTER TABLE restaurants
    DROP COLUMN stop_reason,
    DROP COLUMN stopped_at;
DROP TABLE blocked_seats;
