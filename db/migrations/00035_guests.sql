-- Guests of restaurants, with what staff note of them, and whether a diner agrees to that.

-- +goose Up

-- Notes, tags and what bookings of the past said are only kept of who agrees; history_decided_at is when they last decided.
ALTER TABLE users
    ADD COLUMN history_consent boolean NOT NULL DEFAULT false,
    ADD COLUMN history_decided_at timestamptz;

-- +goose StatementBegin
-- phone_digits is a number as it is dialled within Korea.
CREATE FUNCTION phone_digits(phone text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT regexp_replace(regexp_replace(phone, '\D', '', 'g'), '^82(?=\d{8})', '0')
$$;

-- guest_id is who has a booking, as one restaurant knows them: an account, or a number. It finds nothing at another restaurant.
CREATE FUNCTION guest_id(restaurant bigint, account text, phone text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT substr(encode(sha256(convert_to(restaurant || CASE
        WHEN account IS NOT NULL THEN '/user/' || account
        WHEN phone_digits(phone) <> '' THEN '/phone/' || phone_digits(phone)
    END, 'UTF8')), 'hex'), 1, 24)
$$;

-- is_booking says whether a reservation was ever confirmed, and so belongs to a guest's history.
CREATE FUNCTION is_booking(state text, source text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT state IN ('confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'completed', 'no_show', 'refund_pending', 'refunded')
        OR state = 'cancelled' AND source <> 'web'
$$;

CREATE FUNCTION is_visit(state text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT state IN ('arrived', 'seated', 'completed')
$$;
-- +goose StatementEnd

-- One row for each who has a booking at a restaurant, so that their list and search need not read all bookings. Names and numbers
-- follow the account; a number without an account has the name of its latest booking. last_visit is 1970 for who has never come.
CREATE TABLE guests (
    id            text        PRIMARY KEY,
    number        bigint      GENERATED ALWAYS AS IDENTITY,
    restaurant_id bigint      NOT NULL,
    user_id       text,
    name          text        NOT NULL,
    phone         text        NOT NULL,
    digits        text        NOT NULL,
    last_visit    timestamptz NOT NULL DEFAULT to_timestamp(0),
    tags          text[]      NOT NULL DEFAULT '{}',
    tags_set_at   timestamptz,
    CONSTRAINT guests_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id),
    CONSTRAINT guests_user FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT guests_somebody CHECK (user_id IS NOT NULL OR digits <> ''),
    CONSTRAINT guests_tags CHECK (cardinality(tags) <= 12 AND length(array_to_string(tags, '')) <= 360
        AND (cardinality(tags) = 0) = (tags_set_at IS NULL))
);

CREATE INDEX guests_latest ON guests (restaurant_id, last_visit DESC, number DESC);
CREATE INDEX guests_by_user ON guests (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX guests_tagged ON guests (tags_set_at) WHERE tags_set_at IS NOT NULL;
CREATE INDEX reservations_by_number ON reservations (restaurant_id, phone_digits(guest_phone)) WHERE user_id IS NULL;

CREATE TABLE guest_notes (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    guest_id   text        NOT NULL,
    text       text        NOT NULL,
    written_by text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT guest_notes_guest FOREIGN KEY (guest_id) REFERENCES guests (id),
    CONSTRAINT guest_notes_writer FOREIGN KEY (written_by) REFERENCES users (id),
    CONSTRAINT guest_notes_text CHECK (length(text) BETWEEN 1 AND 1000)
);

CREATE INDEX guest_notes_by_guest ON guest_notes (guest_id, id);
CREATE INDEX guest_notes_by_writer ON guest_notes (written_by);
CREATE INDEX guest_notes_oldest ON guest_notes (created_at);

-- By the log it is known which notes were deleted: see below.
CREATE INDEX audit_log_deleted_notes ON audit_log ((detail ->> 'note')) WHERE action = 'guest.note_delete';

INSERT INTO guests (id, restaurant_id, user_id, name, phone, digits, last_visit)
SELECT b.guest, b.restaurant_id, b.user_id, (array_agg(b.name ORDER BY b.ordinal DESC))[1], (array_agg(b.phone ORDER BY b.ordinal DESC))[1],
    phone_digits((array_agg(b.phone ORDER BY b.ordinal DESC))[1]),
    COALESCE(max((s.service_date + s.service_time) AT TIME ZONE p.time_zone) FILTER (WHERE is_visit(b.state)), to_timestamp(0))
FROM (
    SELECT r.restaurant_id, r.user_id, r.ordinal, r.slot_id, r.state, guest_id(r.restaurant_id, r.user_id, r.guest_phone) AS guest,
        COALESCE(r.guest_name, u.name) AS name, COALESCE(r.guest_phone, u.phone) AS phone
    FROM reservations r
    LEFT JOIN users u ON u.id = r.user_id
    WHERE is_booking(r.state, r.source) AND u.deleted_at IS NULL
) b
JOIN slots s ON s.id = b.slot_id
JOIN restaurants p ON p.id = b.restaurant_id AND NOT p.shadow
WHERE b.guest IS NOT NULL
GROUP BY b.guest, b.restaurant_id, b.user_id;

-- +goose StatementBegin
-- A booking makes its guest known, and a visit makes it the latest. The row of the guest is locked before the visits are read, so
-- that of two marks at once the later one sees the other's. An account that is being deleted is waited for, and then nobody.
CREATE FUNCTION know_guest() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    guest text := guest_id(NEW.restaurant_id, NEW.user_id, NEW.guest_phone);
    latest timestamptz;
BEGIN
    IF guest IS NULL OR EXISTS (SELECT FROM restaurants WHERE id = NEW.restaurant_id AND shadow) THEN
        RETURN NULL;
    END IF;
    IF NEW.user_id IS NOT NULL THEN
        PERFORM FROM users WHERE id = NEW.user_id AND deleted_at IS NULL FOR KEY SHARE;
        IF NOT FOUND THEN
            RETURN NULL;
        END IF;
    END IF;
    INSERT INTO guests AS g (id, restaurant_id, user_id, name, phone, digits)
    SELECT guest, NEW.restaurant_id, NEW.user_id, who.name, who.phone, phone_digits(who.phone)
    FROM (
        SELECT NEW.guest_name AS name, NEW.guest_phone AS phone
        WHERE NEW.user_id IS NULL
        UNION ALL
        SELECT name, phone
        FROM users
        WHERE id = NEW.user_id
    ) who
    ON CONFLICT (id) DO UPDATE
    SET name = CASE WHEN TG_OP = 'INSERT' THEN excluded.name ELSE g.name END,
        phone = CASE WHEN TG_OP = 'INSERT' THEN excluded.phone ELSE g.phone END;
    IF NOT (is_visit(NEW.state) OR TG_OP = 'UPDATE' AND is_visit(OLD.state)) THEN
        RETURN NULL;
    END IF;
    IF NEW.user_id IS NOT NULL THEN
        SELECT max((s.service_date + s.service_time) AT TIME ZONE p.time_zone) INTO latest
        FROM reservations r
        JOIN slots s ON s.id = r.slot_id
        JOIN restaurants p ON p.id = r.restaurant_id
        WHERE r.user_id = NEW.user_id AND r.restaurant_id = NEW.restaurant_id AND is_visit(r.state);
    ELSE
        SELECT max((s.service_date + s.service_time) AT TIME ZONE p.time_zone) INTO latest
        FROM reservations r
        JOIN slots s ON s.id = r.slot_id
        JOIN restaurants p ON p.id = r.restaurant_id
        WHERE r.restaurant_id = NEW.restaurant_id AND phone_digits(r.guest_phone) = phone_digits(NEW.guest_phone)
            AND r.user_id IS NULL AND is_visit(r.state);
    END IF;
    latest := COALESCE(latest, to_timestamp(0));
    UPDATE guests SET last_visit = latest WHERE id = guest AND last_visit <> latest;
    RETURN NULL;
END
$$;

-- Guests follow their account. Without its consent nothing is kept that needs it; of a deleted account nobody is left.
CREATE FUNCTION follow_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.deleted_at IS NOT NULL OR NOT NEW.history_consent THEN
        DELETE FROM guest_notes WHERE guest_id IN (SELECT id FROM guests WHERE user_id = NEW.id);
    END IF;
    IF NEW.deleted_at IS NOT NULL THEN
        DELETE FROM guests WHERE user_id = NEW.id;
    ELSE
        UPDATE guests
        SET name = NEW.name, phone = NEW.phone, digits = phone_digits(NEW.phone),
            tags = CASE WHEN NEW.history_consent THEN tags ELSE '{}' END,
            tags_set_at = CASE WHEN NEW.history_consent THEN tags_set_at END
        WHERE user_id = NEW.id;
    END IF;
    RETURN NULL;
END
$$;

-- A note stays as it is. It goes when its diner does not agree any more or has deleted the account, two years after the latest
-- visit, and when the log says, in the same transaction, who deletes it.
CREATE FUNCTION keep_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT
        FROM guests g
        LEFT JOIN users u ON u.id = g.user_id
        WHERE g.id = OLD.guest_id AND (NOT u.history_consent OR u.deleted_at IS NOT NULL
            OR GREATEST(OLD.created_at, g.last_visit) < statement_timestamp() - interval '2 years'
            OR EXISTS (
                SELECT
                FROM audit_log a
                WHERE a.action = 'guest.note_delete' AND a.detail ->> 'note' = OLD.id::text AND a.restaurant_id = g.restaurant_id
            ))
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'guest_notes is append-only' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'guest_notes_append_only';
END
$$;
-- +goose StatementEnd

CREATE TRIGGER reservations_know_guest AFTER INSERT ON reservations
    FOR EACH ROW WHEN (is_booking(NEW.state, NEW.source)) EXECUTE FUNCTION know_guest();
CREATE TRIGGER reservations_know_visit AFTER UPDATE OF state, slot_id ON reservations
    FOR EACH ROW WHEN (is_booking(NEW.state, NEW.source) AND (NOT is_booking(OLD.state, OLD.source)
        OR is_visit(OLD.state) <> is_visit(NEW.state) OR is_visit(NEW.state) AND OLD.slot_id <> NEW.slot_id))
    EXECUTE FUNCTION know_guest();
CREATE TRIGGER users_guests_follow AFTER UPDATE OF name, phone, history_consent, deleted_at ON users
    FOR EACH ROW WHEN ((OLD.name, OLD.phone, OLD.history_consent, OLD.deleted_at)
        IS DISTINCT FROM (NEW.name, NEW.phone, NEW.history_consent, NEW.deleted_at)) EXECUTE FUNCTION follow_account();
CREATE TRIGGER guest_notes_append_only BEFORE UPDATE OR DELETE ON guest_notes
    FOR EACH ROW EXECUTE FUNCTION keep_note();
CREATE TRIGGER guest_notes_no_truncate BEFORE TRUNCATE ON guest_notes
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- +goose Down
DROP TRIGGER users_guests_follow ON users;
DROP TRIGGER reservations_know_visit ON reservations;
DROP TRIGGER reservations_know_guest ON reservations;
DROP TABLE guest_notes, guests;
DROP FUNCTION keep_note;
DROP FUNCTION follow_account;
DROP FUNCTION know_guest;
DROP INDEX audit_log_deleted_notes, reservations_by_number;
DROP FUNCTION is_visit;
DROP FUNCTION is_booking;
DROP FUNCTION guest_id;
DROP FUNCTION phone_digits;
ALTER TABLE users DROP COLUMN history_decided_at, DROP COLUMN history_consent;
