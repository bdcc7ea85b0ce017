-- Whoever has just booked becomes known once for a statement, and no more once for each row: a turn of sixty-four bookings that are
-- confirmed at once looked each guest up by itself, which took longer than to store the bookings.

-- +goose Up
-- +goose StatementBegin
-- The foreign key of the new rows has locked their accounts: whichever is being deleted was waited for, and is nobody.
CREATE FUNCTION know_new_guests() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM made WHERE is_booking(state, source)) THEN
        RETURN NULL;
    END IF;
    INSERT INTO guests AS g (id, restaurant_id, user_id, name, phone, digits, last_visit)
    SELECT DISTINCT ON (id) id, restaurant_id, user_id, name, phone, phone_digits(phone),
        COALESCE(max(visited_at) OVER (PARTITION BY id), to_timestamp(0))
    FROM (
        SELECT guest_id(made.restaurant_id, made.user_id, made.guest_phone) AS id, made.restaurant_id, made.user_id, made.ordinal,
            CASE WHEN made.user_id IS NULL THEN made.guest_name ELSE u.name END AS name,
            CASE WHEN made.user_id IS NULL THEN made.guest_phone ELSE u.phone END AS phone,
            CASE WHEN is_visit(made.state) THEN (s.service_date + s.service_time) AT TIME ZONE p.time_zone END AS visited_at
        FROM made
        JOIN restaurants p ON p.id = made.restaurant_id AND NOT p.shadow
        JOIN slots s ON s.id = made.slot_id
        LEFT JOIN users u ON u.id = made.user_id
        WHERE is_booking(made.state, made.source) AND u.deleted_at IS NULL
            AND (made.user_id IS NOT NULL OR phone_digits(made.guest_phone) <> '')
    ) known
    ORDER BY id, ordinal DESC
    ON CONFLICT (id) DO UPDATE
    SET name = excluded.name, phone = excluded.phone, last_visit = GREATEST(g.last_visit, excluded.last_visit);
    RETURN NULL;
END
$$;
-- +goose StatementEnd
DROP TRIGGER reservations_know_guest ON reservations;
CREATE TRIGGER reservations_know_guests AFTER INSERT ON reservations
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION know_new_guests();

-- +goose Down
DROP TRIGGER reservations_know_guests ON reservations;
CREATE TRIGGER reservations_know_guest AFTER INSERT ON reservations FOR EACH ROW
    WHEN (is_booking(NEW.state, NEW.source)) EXECUTE FUNCTION know_guest();
DROP FUNCTION know_new_guests();
