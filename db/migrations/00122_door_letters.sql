-- A party at the door is written and pushed to when it is called, if it has asked for that.
-- wider: mails_about, mails_kind
-- reads all of mails: everybody waits who wants the table, half a second for a million rows
-- reads all of door_parties: the parties of today alone
-- reads all of push_subscriptions: few have one, and nothing waits but who subscribes

-- +goose Up

-- The account of a party that was signed in when it asked to be written to, and the language in which it asked.
ALTER TABLE door_parties
    ADD COLUMN user_id text,
    ADD COLUMN language text NOT NULL DEFAULT 'ko',
    ADD CONSTRAINT door_parties_user FOREIGN KEY (user_id) REFERENCES users (id);
CREATE INDEX door_parties_by_user ON door_parties (user_id) WHERE user_id IS NOT NULL;

-- A browser of a party without a session is pushed to until the party is forgotten.
ALTER TABLE push_subscriptions
    ALTER COLUMN session_id DROP NOT NULL,
    ALTER COLUMN user_id DROP NOT NULL,
    ADD COLUMN door_party_id text,
    ADD CONSTRAINT push_subscriptions_party FOREIGN KEY (door_party_id) REFERENCES door_parties (id) ON DELETE CASCADE,
    ADD CONSTRAINT push_subscriptions_somebodys CHECK (num_nonnulls(session_id, user_id) <> 1
        AND num_nonnulls(user_id, door_party_id) > 0);
CREATE INDEX push_subscriptions_by_party ON push_subscriptions (door_party_id) WHERE door_party_id IS NOT NULL;

ALTER TABLE mails
    ADD COLUMN door_party_id text,
    ADD CONSTRAINT mails_party FOREIGN KEY (door_party_id) REFERENCES door_parties (id) ON DELETE CASCADE,
    ADD CONSTRAINT mails_calls CHECK ((kind = 'door') = (door_party_id IS NOT NULL)),
    DROP CONSTRAINT mails_about,
    ADD CONSTRAINT mails_about CHECK (num_nonnulls(reservation_id, link_id, invitation_id, restaurant_id, webhook_id,
        door_party_id) = 1);
CREATE INDEX mails_by_party ON mails (door_party_id) WHERE door_party_id IS NOT NULL;
CREATE INDEX mails_calls_due ON mails (due_at) WHERE sent_at IS NULL AND door_party_id IS NOT NULL;

-- One more kind besides those that there are.
-- +goose StatementBegin
DO $$
DECLARE
    kinds text := (SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint
        WHERE conname = 'mails_kind' AND conrelid = 'mails'::regclass);
BEGIN
    ALTER TABLE mails DROP CONSTRAINT mails_kind;
    EXECUTE format('ALTER TABLE mails ADD CONSTRAINT mails_kind CHECK ((%s) OR kind = ''door'')', kinds);
END
$$;
-- +goose StatementEnd

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

DROP TRIGGER mails_pushed ON mails;
CREATE TRIGGER mails_pushed AFTER INSERT ON mails
    FOR EACH ROW WHEN (NEW.kind IN ('turn', 'offer', 'reminder', 'message', 'door')) EXECUTE FUNCTION push_letter();

-- +goose Down
DROP TRIGGER mails_pushed ON mails;
CREATE TRIGGER mails_pushed AFTER INSERT ON mails
    FOR EACH ROW WHEN (NEW.kind IN ('turn', 'offer', 'reminder', 'message')) EXECUTE FUNCTION push_letter();
DELETE FROM mails WHERE door_party_id IS NOT NULL;
ALTER TABLE mails
    DROP COLUMN door_party_id,
    ADD CONSTRAINT mails_about CHECK (num_nonnulls(reservation_id, link_id, invitation_id, restaurant_id, webhook_id) = 1);
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION push_letter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pushes (mail_id, subscription_id)
    SELECT NEW.id, p.id
    FROM push_subscriptions p
    WHERE p.user_id = NEW.user_id
        AND EXISTS (SELECT FROM user_sessions s WHERE s.session_id = p.session_id AND s.expires_at > statement_timestamp())
    FOR KEY SHARE OF p SKIP LOCKED;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
DELETE FROM push_subscriptions WHERE user_id IS NULL;
ALTER TABLE push_subscriptions
    DROP COLUMN door_party_id,
    ALTER COLUMN session_id SET NOT NULL,
    ALTER COLUMN user_id SET NOT NULL;
ALTER TABLE door_parties DROP COLUMN user_id, DROP COLUMN language;
