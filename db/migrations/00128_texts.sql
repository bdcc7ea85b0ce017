-- What cannot wait goes to phones too, where an installation sends texts.

-- +goose Up

-- Whoever has given a mobile number hears by text, unless they say otherwise.
ALTER TABLE users ADD COLUMN texts boolean NOT NULL DEFAULT true;

-- Letters on their way to phones. While a try is under way due_at is when its lease ends; it is null of what is sent, or given
-- up. They stay as long as their letters: how many of a day there are is counted.
CREATE TABLE texts (
    mail_id  bigint      PRIMARY KEY,
    attempts integer     NOT NULL DEFAULT 0,
    due_at   timestamptz DEFAULT clock_timestamp(),
    error    text        NOT NULL DEFAULT '',
    CONSTRAINT texts_mail FOREIGN KEY (mail_id) REFERENCES mails (id) ON DELETE CASCADE
);

CREATE INDEX texts_due ON texts (due_at) WHERE due_at IS NOT NULL;

-- +goose StatementBegin
CREATE FUNCTION wants_texts() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (SELECT FROM event_feeds WHERE name = 'texts' AND wanted_until > statement_timestamp());
END
$$;

-- phone_of_letter is the mobile number to which a letter goes, as it is dialled within Korea; null without any. Of what staff
-- wrote down it is the number that their guest said.
CREATE FUNCTION phone_of_letter(letter mails) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT digits
    FROM (SELECT phone_digits(COALESCE(
        (SELECT phone FROM door_parties WHERE id = letter.door_party_id),
        (SELECT NULLIF(guest_phone, '') FROM reservations WHERE id = letter.reservation_id),
        (SELECT phone FROM users WHERE id = letter.user_id AND texts))) AS digits) known
    WHERE digits ~ '^01\d{8,9}$'
$$;

-- text_letter notes a text, ten a day of an account. What waits until the account confirms its address is not sent: then
-- nobody has said whose number it is, but for the few turns that go out.
CREATE FUNCTION text_letter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF wants_texts() AND phone_of_letter(NEW) IS NOT NULL AND (
        SELECT count(*)
        FROM mails m
        JOIN texts t ON t.mail_id = m.id
        WHERE m.user_id = NEW.user_id AND m.created_at > statement_timestamp() - interval '1 day'
    ) < 10 THEN
        INSERT INTO texts (mail_id) VALUES (NEW.id);
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER mails_texted AFTER INSERT ON mails
    FOR EACH ROW WHEN (NEW.kind IN ('turn', 'offer', 'reminder', 'door', 'payment_link') AND NEW.due_at < 'infinity')
    EXECUTE FUNCTION text_letter();

-- +goose Down
DROP TRIGGER mails_texted ON mails;
DROP FUNCTION text_letter, phone_of_letter, wants_texts;
DROP TABLE texts;
ALTER TABLE users DROP COLUMN texts;
