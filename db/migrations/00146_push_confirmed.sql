-- Whoever waited in line for a table that costs nothing has it with their turn: the letter that says so is pushed, as a turn is.

-- +goose Up
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION push_letter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pushes (mail_id, subscription_id)
    SELECT NEW.id, p.id
    FROM push_subscriptions p
    WHERE (p.door_party_id = NEW.door_party_id OR p.user_id = NEW.user_id
        AND EXISTS (SELECT FROM user_sessions s WHERE s.session_id = p.session_id AND s.expires_at > statement_timestamp()))
        AND (NEW.kind <> 'confirmed' OR EXISTS (
            SELECT
            FROM reservations r
            WHERE r.id = NEW.reservation_id AND r.deposit_amount = 0 AND r.confirmed_at < r.created_at + interval '1 second' AND r.arrival > 0
                AND r.created_at - to_timestamp(r.arrival / 1e6) > interval '10 seconds'))
    FOR KEY SHARE OF p SKIP LOCKED;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

DROP TRIGGER mails_pushed ON mails;
CREATE TRIGGER mails_pushed AFTER INSERT ON mails
    FOR EACH ROW WHEN (NEW.kind IN ('turn', 'confirmed', 'offer', 'reminder', 'message', 'door')) EXECUTE FUNCTION push_letter();

-- +goose Down
DROP TRIGGER mails_pushed ON mails;
CREATE TRIGGER mails_pushed AFTER INSERT ON mails
    FOR EACH ROW WHEN (NEW.kind IN ('turn', 'offer', 'reminder', 'message', 'door')) EXECUTE FUNCTION push_letter();
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION push_letter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pushes (mail_id, subscription_id)
    SELECT NEW.id, p.id
    FROM push_subscriptions p
    WHERE p.door_party_id = NEW.door_party_id OR p.user_id = NEW.user_id
        AND EXISTS (SELECT FROM user_sessions s WHERE s.session_id = p.session_id AND s.expires_at > statement_timestamp())
    FOR KEY SHARE OF p SKIP LOCKED;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
