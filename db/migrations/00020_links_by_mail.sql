-- Links that are sent by mail: to confirm an address, to sign in, to change the address, and to object to that.

-- +goose Up

-- A link is good once, until it expires. What is sent is its id, signed, so whoever reads this table can open nothing. email is
-- the address that it was sent to, which it proves. other_email is, of a change, the address that is given up and, of an
-- objection, the one that was to come. A link without a user was asked for by somebody who has no account: it is never sent,
-- but costs as much to write.
CREATE TABLE email_links (
    id          text        PRIMARY KEY,
    kind        text        NOT NULL,
    user_id     text,
    email       text        NOT NULL,
    other_email text        NOT NULL DEFAULT '',
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at  timestamptz NOT NULL,
    used_at     timestamptz,
    CONSTRAINT email_links_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT email_links_kind CHECK (kind IN ('confirm', 'signin', 'change', 'object'))
);

CREATE INDEX email_links_by_user ON email_links (user_id, kind, created_at);
CREATE INDEX email_links_by_email ON email_links (email, kind, created_at);
CREATE INDEX email_links_by_time ON email_links (created_at);

-- A letter is about a reservation or brings a link, to the link's address.
ALTER TABLE mails
    ALTER COLUMN reservation_id DROP NOT NULL,
    ADD COLUMN link_id text,
    ADD CONSTRAINT mails_link FOREIGN KEY (link_id) REFERENCES email_links (id) ON DELETE CASCADE,
    ADD CONSTRAINT mails_about CHECK ((reservation_id IS NULL) <> (link_id IS NULL)),
    DROP CONSTRAINT mails_kind,
    ADD CONSTRAINT mails_kind CHECK (kind IN ('turn', 'confirmed', 'changed', 'cancelled', 'refunded', 'reminder', 'offer')
        AND link_id IS NULL OR kind IN ('confirm', 'known', 'signin', 'change', 'object') AND link_id IS NOT NULL);

CREATE INDEX mails_by_link ON mails (link_id) WHERE link_id IS NOT NULL;
CREATE INDEX mails_links_due ON mails (due_at) WHERE sent_at IS NULL AND link_id IS NOT NULL;

-- Letters about reservations wait until their reader has confirmed the address: who typed somebody else's must not write to
-- them. The lock lets a confirmation that is under way come first or find the letter.
-- +goose StatementBegin
CREATE FUNCTION hold_back_letter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM users WHERE id = NEW.user_id AND email_confirmed_at IS NOT NULL;
    IF NOT FOUND THEN
        PERFORM FROM users WHERE id = NEW.user_id FOR SHARE;
        PERFORM FROM users WHERE id = NEW.user_id AND email_confirmed_at IS NOT NULL;
        IF NOT FOUND THEN
            NEW.due_at := 'infinity';
        END IF;
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION release_letters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE mails SET due_at = clock_timestamp() WHERE user_id = NEW.id AND due_at = 'infinity' AND sent_at IS NULL;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER mails_to_confirmed BEFORE INSERT ON mails
    FOR EACH ROW WHEN (NEW.link_id IS NULL) EXECUTE FUNCTION hold_back_letter();

CREATE TRIGGER users_confirmed AFTER UPDATE OF email_confirmed_at ON users
    FOR EACH ROW WHEN (OLD.email_confirmed_at IS NULL AND NEW.email_confirmed_at IS NOT NULL) EXECUTE FUNCTION release_letters();

-- +goose Down
DROP TRIGGER users_confirmed ON users;
DROP TRIGGER mails_to_confirmed ON mails;
DROP FUNCTION release_letters;
DROP FUNCTION hold_back_letter;
DELETE FROM mails WHERE link_id IS NOT NULL;
DROP INDEX mails_links_due, mails_by_link;
ALTER TABLE mails
    DROP CONSTRAINT mails_kind,
    ADD CONSTRAINT mails_kind CHECK (kind IN ('turn', 'confirmed', 'changed', 'cancelled', 'refunded', 'reminder', 'offer')),
    DROP CONSTRAINT mails_about,
    DROP COLUMN link_id,
    ALTER COLUMN reservation_id SET NOT NULL;
DROP TABLE email_links;
