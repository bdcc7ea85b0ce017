-- Whoever waits for a table must hear at once that it is held, also before they have confirmed their address: a hold is over
-- before most confirm it. Three such letters an account, so that nobody floods the address of somebody else.

-- +goose Up
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION hold_back_letter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM users WHERE id = NEW.user_id AND email_confirmed_at IS NOT NULL;
    IF NOT FOUND THEN
        PERFORM FROM users WHERE id = NEW.user_id FOR SHARE;
        PERFORM FROM users WHERE id = NEW.user_id AND email_confirmed_at IS NOT NULL;
        IF NOT FOUND AND (NEW.kind <> 'turn'
            OR (SELECT count(*) FROM mails WHERE user_id = NEW.user_id AND kind = 'turn') >= 3) THEN
            NEW.due_at := 'infinity';
        END IF;
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION hold_back_letter() RETURNS trigger LANGUAGE plpgsql AS $$
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
-- +goose StatementEnd
