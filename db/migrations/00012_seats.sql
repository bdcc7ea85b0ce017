-- +goose Up

-- The room of a restaurant that names its seats: how large its map is, and what else stands in it.
ALTER TABLE restaurants ADD COLUMN floor jsonb NOT NULL DEFAULT '{}';

-- A seat is a place at a counter, or a table. One that is retired is not given away any more, but reservations know it still.
-- A restaurant without seats gives away covers only.
CREATE TABLE seats (
    id            bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    restaurant_id bigint  NOT NULL,
    position      integer NOT NULL,
    label         text    NOT NULL,
    kind          text    NOT NULL,
    places        integer NOT NULL,
    min_party     integer NOT NULL DEFAULT 1,
    map_x         integer NOT NULL,
    map_y         integer NOT NULL,
    map_width     integer NOT NULL,
    map_height    integer NOT NULL,
    retired       boolean NOT NULL DEFAULT false,
    CONSTRAINT seats_label UNIQUE (restaurant_id, label),
    CONSTRAINT seats_of_restaurant UNIQUE (id, restaurant_id),
    CONSTRAINT seats_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id),
    CONSTRAINT seats_kind CHECK (kind IN ('counter', 'table')),
    CONSTRAINT seats_places CHECK (places > 0 AND (kind = 'table' OR places = 1)),
    CONSTRAINT seats_min_party CHECK (min_party > 0),
    CONSTRAINT seats_area CHECK (map_x >= 0 AND map_y >= 0 AND map_width > 0 AND map_height > 0)
);

-- Seats that one party can have together, each pair once: tables that can be joined, neighbours at a counter.
CREATE TABLE seat_partners (
    restaurant_id bigint NOT NULL,
    seat_id       bigint NOT NULL,
    partner_id    bigint NOT NULL,
    CONSTRAINT seat_partners_pk PRIMARY KEY (seat_id, partner_id),
    CONSTRAINT seat_partners_seat FOREIGN KEY (seat_id, restaurant_id) REFERENCES seats (id, restaurant_id),
    CONSTRAINT seat_partners_partner FOREIGN KEY (partner_id, restaurant_id) REFERENCES seats (id, restaurant_id),
    CONSTRAINT seat_partners_once CHECK (seat_id < partner_id)
);

CREATE INDEX seat_partners_of_restaurant ON seat_partners (restaurant_id);

-- Who has which seat in which slot; a stay over several slots has a row for each. A row outlives the hold on its seat, so that
-- a reservation can be asked where it was. The foreign keys keep seats of other restaurants out.
CREATE TABLE reservation_seats (
    reservation_id text    NOT NULL,
    slot_id        bigint  NOT NULL,
    restaurant_id  bigint  NOT NULL,
    seat_id        bigint  NOT NULL,
    chosen         boolean NOT NULL DEFAULT false,
    held           boolean NOT NULL DEFAULT true,
    CONSTRAINT reservation_seats_pk PRIMARY KEY (reservation_id, slot_id, seat_id),
    CONSTRAINT reservation_seats_reservation FOREIGN KEY (reservation_id) REFERENCES reservations (id),
    CONSTRAINT reservation_seats_slot FOREIGN KEY (slot_id, restaurant_id) REFERENCES slots (id, restaurant_id),
    CONSTRAINT reservation_seats_seat FOREIGN KEY (seat_id, restaurant_id) REFERENCES seats (id, restaurant_id)
);

-- A seat is held by one reservation at a time. Turns see that coming under the slot's lock; the index makes sure.
CREATE UNIQUE INDEX reservation_seats_one_holder ON reservation_seats (slot_id, seat_id) WHERE held;

-- A reservation holds its named seats exactly while its state holds seats. It is here and not with the statements that change
-- states, so that none of them, and none to come, can forget it.
-- +goose StatementBegin
CREATE FUNCTION hold_seats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE reservation_seats
    SET held = NEW.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending')
    WHERE reservation_id = NEW.id;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER reservations_hold_seats AFTER UPDATE OF state ON reservations
    FOR EACH ROW
    WHEN ((OLD.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending'))
        <> (NEW.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending')))
    EXECUTE FUNCTION hold_seats();

-- +goose Down
DROP TRIGGER reservations_hold_seats ON reservations;
DROP FUNCTION hold_seats;
DROP TABLE reservation_seats, seat_partners, seats;
ALTER TABLE restaurants DROP COLUMN floor;
