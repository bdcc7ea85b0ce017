-- Seats that staff block, or give back, may sell a slot out, or open it again: its day is counted anew.

-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION touch_blocked_seats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO touched_days (restaurant_id, service_date)
    SELECT DISTINCT s.restaurant_id, s.service_date
    FROM touched
    JOIN slots s ON s.id = touched.slot_id
    WHERE wants_events(s.restaurant_id);
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER blocked_seats_touch AFTER INSERT ON blocked_seats
    REFERENCING NEW TABLE AS touched
    FOR EACH STATEMENT EXECUTE FUNCTION touch_blocked_seats();
CREATE TRIGGER unblocked_seats_touch AFTER DELETE ON blocked_seats
    REFERENCING OLD TABLE AS touched
    FOR EACH STATEMENT EXECUTE FUNCTION touch_blocked_seats();

-- +goose Down
DROP TRIGGER unblocked_seats_touch ON blocked_seats;
DROP TRIGGER blocked_seats_touch ON blocked_seats;
DROP FUNCTION touch_blocked_seats();
