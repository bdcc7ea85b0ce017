-- What staff write to guests, and whom it reached; one more letter, which is pushed as well.
-- wider: mails_kind
-- reads all of mails: everybody waits who wants the table, half a second for a million rows

-- +goose Up
CREATE TABLE guest_messages (
    id              text        PRIMARY KEY,
    restaurant_id   bigint      NOT NULL,
    staff_id        text        NOT NULL,
    idempotency_key text        NOT NULL,
    reservation_id  text,                 -- NULL: to all of the time, or of the date
    service_date    date        NOT NULL,
    service_time    time,                 -- NULL: to all of the date
    text            text        NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT guest_messages_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id),
    CONSTRAINT guest_messages_staff FOREIGN KEY (staff_id) REFERENCES users (id),
    CONSTRAINT guest_messages_reservation FOREIGN KEY (reservation_id) REFERENCES reservations (id),
    CONSTRAINT guest_messages_key UNIQUE (restaurant_id, staff_id, idempotency_key)
);
CREATE INDEX guest_messages_of_a_restaurant ON guest_messages (restaurant_id, created_at);

CREATE TABLE guest_message_recipients (
    message_id     text    NOT NULL,
    reservation_id text    NOT NULL,
    reached        boolean NOT NULL, -- there was an address to write to
    PRIMARY KEY (message_id, reservation_id),
    CONSTRAINT guest_message_recipients_message FOREIGN KEY (message_id) REFERENCES guest_messages (id),
    CONSTRAINT guest_message_recipients_reservation FOREIGN KEY (reservation_id) REFERENCES reservations (id)
);
CREATE INDEX guest_message_recipients_by_reservation ON guest_message_recipients (reservation_id);

ALTER TABLE mails ADD COLUMN message_id text,
    ADD CONSTRAINT mails_message FOREIGN KEY (message_id) REFERENCES guest_messages (id),
    ADD CONSTRAINT mails_says_which_message CHECK (kind <> 'message' OR message_id IS NOT NULL);

-- +goose StatementBegin
DO $$
DECLARE
    kinds text := (SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint
        WHERE conname = 'mails_kind' AND conrelid = 'mails'::regclass);
BEGIN
    ALTER TABLE mails DROP CONSTRAINT mails_kind;
    EXECUTE format('ALTER TABLE mails ADD CONSTRAINT mails_kind CHECK ((%s) OR kind = ''message'')', kinds);
END
$$;
-- +goose StatementEnd

DROP TRIGGER mails_pushed ON mails;
CREATE TRIGGER mails_pushed AFTER INSERT ON mails
    FOR EACH ROW WHEN (NEW.kind IN ('turn', 'offer', 'reminder', 'message')) EXECUTE FUNCTION push_letter();

-- +goose Down
DROP TRIGGER mails_pushed ON mails;
CREATE TRIGGER mails_pushed AFTER INSERT ON mails
    FOR EACH ROW WHEN (NEW.kind IN ('turn', 'offer', 'reminder')) EXECUTE FUNCTION push_letter();
DELETE FROM mails WHERE kind = 'message';
ALTER TABLE mails DROP COLUMN message_id;
DROP TABLE guest_message_recipients, guest_messages;
