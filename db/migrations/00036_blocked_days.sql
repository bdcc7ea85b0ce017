-- +goose Up

-- Named seats that are given to nobody on a day. They are copied into blocked_seats for each slot: for those that there are when
-- staff block the seats, and for each other one when it is made, so that hours that change later free no seat.
CREATE TABLE day_blocked_seats (
    restaurant_id bigint NOT NULL,
    service_date  date   NOT NULL,
    seat_id       bigint NOT NULL,
    reason        text   NOT NULL DEFAULT '',
    CONSTRAINT day_blocked_seats_pk PRIMARY KEY (restaurant_id, service_date, seat_id),
    CONSTRAINT day_blocked_seats_seat FOREIGN KEY (seat_id, restaurant_id) REFERENCES seats (id, restaurant_id)
);

-- Whoever blocks seats for days holds the row of the restaurant. To read after that, the lock is a statement of its own.
-- +goose StatementBegin
CREATE FUNCTION block_seats_of_new_slot() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM restaurants WHERE id = NEW.restaurant_id FOR KEY SHARE;
    INSERT INTO blocked_seats (slot_id, restaurant_id, seat_id, reason)
    SELECT NEW.id, NEW.restaurant_id, seat_id, reason
    FROM day_blocked_seats
    WHERE restaurant_id = NEW.restaurant_id AND service_date = NEW.service_date;
    RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER slots_blocked_seats AFTER INSERT ON slots FOR EACH ROW EXECUTE FUNCTION block_seats_of_new_slot();

-- +goose Down
DROP TRIGGER slots_blocked_seats ON slots;
DROP FUNCTION block_seats_of_new_slot;
DROP TABLE day_blocked_seats;
