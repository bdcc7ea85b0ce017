-- Staff have new bookings pushed to their browsers.

-- +goose Up

-- Browsers to which the new bookings of a restaurant are pushed, until the session or the membership ends; not before due_at.
CREATE TABLE booking_followers (
    restaurant_id   bigint      NOT NULL,
    subscription_id bigint      NOT NULL,
    user_id         text        NOT NULL,
    attempts        integer     NOT NULL DEFAULT 0,
    due_at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (restaurant_id, subscription_id),
    CONSTRAINT booking_followers_member FOREIGN KEY (restaurant_id, user_id)
        REFERENCES staff_members (restaurant_id, user_id) ON DELETE CASCADE,
    CONSTRAINT booking_followers_subscription FOREIGN KEY (subscription_id)
        REFERENCES push_subscriptions (id) ON DELETE CASCADE
);

CREATE INDEX booking_followers_by_subscription ON booking_followers (subscription_id);
CREATE INDEX booking_followers_by_member ON booking_followers (user_id, restaurant_id);

-- Bookings on their way to a browser, those that one statement made for one slot together. They say nothing of people.
CREATE TABLE booking_pushes (
    id              bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    restaurant_id   bigint      NOT NULL,
    subscription_id bigint      NOT NULL,
    service_date    date        NOT NULL,
    service_time    time        NOT NULL,
    bookings        integer     NOT NULL,
    people          integer     NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT booking_pushes_follower FOREIGN KEY (restaurant_id, subscription_id)
        REFERENCES booking_followers (restaurant_id, subscription_id) ON DELETE CASCADE
);

CREATE INDEX booking_pushes_by_follower ON booking_pushes (restaurant_id, subscription_id);

-- Every booking that is confirmed is written to its diner. Rows are only added here: bookings do not wait for each other,
-- nor for a browser that is being signed out, and who books as a diner hears nothing of that as staff.
-- +goose StatementBegin
CREATE FUNCTION push_bookings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM noted WHERE kind = 'confirmed') OR NOT EXISTS (SELECT FROM booking_followers) THEN
        RETURN NULL;
    END IF;
    WITH booked AS MATERIALIZED (
        SELECT r.restaurant_id, r.slot_id, r.user_id, r.party_size
        FROM noted
        CROSS JOIN LATERAL (SELECT * FROM reservations WHERE id = noted.reservation_id LIMIT 1) r
        WHERE noted.kind = 'confirmed' AND r.source = 'web'
    ), followers AS MATERIALIZED (
        SELECT f.restaurant_id, f.subscription_id, f.user_id
        FROM booking_followers f
        JOIN push_subscriptions p ON p.id = f.subscription_id
        WHERE f.restaurant_id = ANY (ARRAY(SELECT DISTINCT restaurant_id FROM booked))
            AND EXISTS (SELECT FROM user_sessions s WHERE s.session_id = p.session_id AND s.expires_at > statement_timestamp())
        FOR KEY SHARE OF f SKIP LOCKED
    )
    INSERT INTO booking_pushes (restaurant_id, subscription_id, service_date, service_time, bookings, people)
    SELECT f.restaurant_id, f.subscription_id, s.service_date, s.service_time, count(*), sum(b.party_size)
    FROM booked b
    JOIN followers f ON f.restaurant_id = b.restaurant_id AND f.user_id <> b.user_id
    CROSS JOIN LATERAL (SELECT * FROM slots WHERE id = b.slot_id LIMIT 1) s
    GROUP BY f.restaurant_id, f.subscription_id, s.service_date, s.service_time;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER mails_push_bookings AFTER INSERT ON mails
    REFERENCING NEW TABLE AS noted FOR EACH STATEMENT EXECUTE FUNCTION push_bookings();

-- +goose Down
DROP TRIGGER mails_push_bookings ON mails;
DROP FUNCTION push_bookings;
DROP TABLE booking_pushes, booking_followers;
