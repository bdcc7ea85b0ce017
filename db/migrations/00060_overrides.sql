-- Staff may seat a party over the plan, with a reason, but never more people than may be in the house.
-- reads all of restaurants: everybody waits who wants the table; there are some thousands of rows

-- +goose Up
ALTER TABLE restaurants
    ADD COLUMN fire_limit integer NOT NULL DEFAULT 0, -- people in the house at once; 0: as many as have a seat
    ADD CONSTRAINT restaurants_fire_limit CHECK (fire_limit >= 0);

CREATE TABLE reservation_overrides (
    reservation_id text    CONSTRAINT reservation_overrides_pk PRIMARY KEY,
    reason         text    NOT NULL,
    fire_limit     integer NOT NULL, -- as it was: nobody was seated beyond it
    CONSTRAINT reservation_overrides_reservation FOREIGN KEY (reservation_id) REFERENCES reservations (id)
);

-- +goose Down
DROP TABLE reservation_overrides;
ALTER TABLE restaurants
    DROP CONSTRAINT restaurants_fire_limit,
    DROP COLUMN fire_limit;
