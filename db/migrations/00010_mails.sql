-- +goose Up

-- The language in which somebody is written to.
ALTER TABLE users ADD COLUMN language text NOT NULL DEFAULT 'ko',
    ADD CONSTRAINT users_language CHECK (language IN ('ko', 'en'));

-- The letters that are to be sent. Whoever sends one takes it for a while first (due_at); it is sent once more if that
-- sender dies.
CREATE TABLE mails (
    id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind           text        NOT NULL,
    user_id        text        NOT NULL,
    reservation_id text        NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    due_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    attempts       integer     NOT NULL DEFAULT 0,
    sent_at        timestamptz,
    error          text        NOT NULL DEFAULT '',
    CONSTRAINT mails_kind CHECK (kind IN ('turn', 'confirmed', 'cancelled', 'refunded', 'reminder')),
    CONSTRAINT mails_user FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT mails_reservation FOREIGN KEY (reservation_id) REFERENCES reservations (id)
);

CREATE INDEX mails_due ON mails (due_at) WHERE sent_at IS NULL;
CREATE INDEX mails_by_user ON mails (user_id);
CREATE UNIQUE INDEX mails_one_reminder ON mails (reservation_id) WHERE kind = 'reminder';
CREATE INDEX slots_by_date ON slots (service_date);

-- Whatever changes a reservation, its diner is written to in the same transaction. Load tests write to nobody.
-- +goose StatementBegin
CREATE FUNCTION write_to_diners() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        -- Whoever has stood in line for a while may be looking elsewhere. Arrival numbers are microseconds.
        INSERT INTO mails (kind, user_id, reservation_id)
        SELECT 'turn', made.user_id, made.id
        FROM made
        JOIN restaurants p ON p.id = made.restaurant_id AND NOT p.shadow
        WHERE made.state = 'temporary' AND made.arrival > 0
            AND made.created_at - to_timestamp(made.arrival / 1e6) > interval '10 seconds';
    ELSE
        INSERT INTO mails (kind, user_id, reservation_id)
        SELECT letter.kind, after.user_id, after.id
        FROM after
        JOIN before ON before.id = after.id
        JOIN restaurants p ON p.id = after.restaurant_id AND NOT p.shadow
        CROSS JOIN LATERAL (
            SELECT CASE
                WHEN after.state IN ('confirmed', 'prepaid_confirmed') THEN 'confirmed'
                WHEN after.state = 'refund_pending' THEN 'cancelled'
                WHEN after.state = 'cancelled' AND before.state <> 'temporary' THEN 'cancelled'
                WHEN after.state = 'refunded' AND after.refund_amount > 0 THEN 'refunded'
            END AS kind
        ) letter
        WHERE after.state <> before.state AND letter.kind IS NOT NULL;
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER reservations_made AFTER INSERT ON reservations
    REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION write_to_diners();

CREATE TRIGGER reservations_changed AFTER UPDATE ON reservations
    REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION write_to_diners();

-- +goose Down
DROP TRIGGER reservations_changed ON reservations;
DROP TRIGGER reservations_made ON reservations;
DROP FUNCTION write_to_diners;
DROP INDEX slots_by_date;
DROP TABLE mails;
ALTER TABLE users DROP COLUMN language;
