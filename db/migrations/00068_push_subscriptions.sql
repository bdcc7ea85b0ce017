-- Browsers to which the letters that cannot wait are pushed.

-- +goose Up

-- A subscription goes with the session in which it was made: who signs out on a device is not pushed to there.
CREATE TABLE push_subscriptions (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session_id text        NOT NULL,
    user_id    text        NOT NULL,
    endpoint   text        NOT NULL,
    p256dh     text        NOT NULL,
    auth       text        NOT NULL,
    vapid_key  text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT push_subscriptions_session FOREIGN KEY (session_id) REFERENCES user_sessions (session_id) ON DELETE CASCADE,
    CONSTRAINT push_subscriptions_user FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT push_subscriptions_one_endpoint UNIQUE (endpoint)
);

CREATE INDEX push_subscriptions_by_user ON push_subscriptions (user_id, created_at);
CREATE INDEX push_subscriptions_by_session ON push_subscriptions (session_id);

-- Letters on their way to browsers. While a try is under way due_at is when its lease ends. What is sent, or given up, goes.
CREATE TABLE pushes (
    mail_id         bigint      NOT NULL,
    subscription_id bigint      NOT NULL,
    attempts        integer     NOT NULL DEFAULT 0,
    due_at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (mail_id, subscription_id),
    CONSTRAINT pushes_mail FOREIGN KEY (mail_id) REFERENCES mails (id) ON DELETE CASCADE,
    CONSTRAINT pushes_subscription FOREIGN KEY (subscription_id) REFERENCES push_subscriptions (id) ON DELETE CASCADE
);

CREATE INDEX pushes_due ON pushes (due_at);
CREATE INDEX pushes_by_subscription ON pushes (subscription_id);

-- A turn neither waits for a subscription that is being deleted nor fails by it.
-- +goose StatementBegin
CREATE FUNCTION push_letter() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER mails_pushed AFTER INSERT ON mails
    FOR EACH ROW WHEN (NEW.kind IN ('turn', 'offer', 'reminder')) EXECUTE FUNCTION push_letter();

-- +goose Down
DROP TRIGGER mails_pushed ON mails;
DROP FUNCTION push_letter;
DROP TABLE pushes, push_subscriptions;
