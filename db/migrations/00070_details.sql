-- Staff correct who comes: name, number, note and allergies. A guest without an account follows, by the number.

-- +goose Up

-- A repeat of the request that made a reservation differs from what it has become.
ALTER TABLE reservations ADD COLUMN details_changed boolean NOT NULL DEFAULT false;

-- +goose StatementBegin
-- The guests of the numbers before and after have the names and visits of their bookings. A number that was only mistyped is
-- nobody's, unless staff have noted something of it. Both rows are locked before the bookings are read, as in know_guest.
CREATE FUNCTION follow_details() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    was text := guest_id(OLD.restaurant_id, NULL, OLD.guest_phone);
    guest text := guest_id(NEW.restaurant_id, NULL, NEW.guest_phone);
BEGIN
    INSERT INTO guests (id, restaurant_id, name, phone, digits)
    SELECT guest, NEW.restaurant_id, NEW.guest_name, NEW.guest_phone, phone_digits(NEW.guest_phone)
    FROM restaurants p
    WHERE p.id = NEW.restaurant_id AND NOT p.shadow AND guest IS NOT NULL
    ON CONFLICT (id) DO NOTHING;
    PERFORM FROM guests WHERE id IN (was, guest) ORDER BY id FOR UPDATE;
    UPDATE guests g
    SET name = booked.name, phone = booked.phone, last_visit = booked.last_visit
    FROM (
        SELECT guest_id(r.restaurant_id, NULL, r.guest_phone) AS id,
            (array_agg(r.guest_name ORDER BY r.ordinal DESC))[1] AS name,
            (array_agg(r.guest_phone ORDER BY r.ordinal DESC))[1] AS phone,
            COALESCE(max((s.service_date + s.service_time) AT TIME ZONE p.time_zone) FILTER (WHERE is_visit(r.state)),
                to_timestamp(0)) AS last_visit
        FROM reservations r
        JOIN slots s ON s.id = r.slot_id
        JOIN restaurants p ON p.id = r.restaurant_id
        WHERE r.restaurant_id = NEW.restaurant_id AND r.user_id IS NULL AND is_booking(r.state, r.source)
            AND phone_digits(r.guest_phone) IN (NULLIF(phone_digits(OLD.guest_phone), ''), NULLIF(phone_digits(NEW.guest_phone), ''))
        GROUP BY 1
    ) booked
    WHERE g.id = booked.id;
    DELETE FROM guests g
    WHERE g.id = was AND was IS DISTINCT FROM guest AND cardinality(g.tags) = 0
        AND NOT EXISTS (SELECT FROM guest_notes WHERE guest_id = g.id)
        AND NOT EXISTS (
            SELECT
            FROM reservations r
            WHERE r.restaurant_id = g.restaurant_id AND r.user_id IS NULL AND phone_digits(r.guest_phone) = g.digits
                AND is_booking(r.state, r.source)
        );
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER reservations_follow_details AFTER UPDATE OF guest_name, guest_phone ON reservations
    FOR EACH ROW WHEN (NEW.user_id IS NULL AND is_booking(NEW.state, NEW.source)
        AND (OLD.guest_name, OLD.guest_phone) IS DISTINCT FROM (NEW.guest_name, NEW.guest_phone))
    EXECUTE FUNCTION follow_details();

-- +goose Down
DROP TRIGGER reservations_follow_details ON reservations;
DROP FUNCTION follow_details;
ALTER TABLE reservations DROP COLUMN details_changed;
