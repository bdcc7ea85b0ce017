-- Whoever has booked hears of it, also before they have confirmed their address: three letters of a kind an account, so that
-- nobody floods the address of somebody else.

-- +goose Up
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION hold_back_letter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- A guest of staff who has waited in the line hears of that in the letter that asks for the deposit.
    IF NEW.kind = 'turn' THEN
        PERFORM FROM reservations WHERE id = NEW.reservation_id AND booked_by IS NOT NULL;
        IF FOUND THEN
            RETURN NULL;
        END IF;
    END IF;
    PERFORM FROM users WHERE id = NEW.user_id AND email_confirmed_at IS NOT NULL;
    IF NOT FOUND THEN
        PERFORM FROM users WHERE id = NEW.user_id FOR SHARE;
        PERFORM FROM users WHERE id = NEW.user_id AND email_confirmed_at IS NOT NULL;
        IF NOT FOUND AND (SELECT count(*) FROM mails WHERE user_id = NEW.user_id AND kind = NEW.kind) >= 3 THEN
            PERFORM FROM reservations WHERE id = NEW.reservation_id AND booked_by IS NOT NULL;
            IF NOT FOUND THEN
                NEW.due_at := 'infinity';
            END IF;
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
    IF NEW.kind = 'turn' THEN
        PERFORM FROM reservations WHERE id = NEW.reservation_id AND booked_by IS NOT NULL;
        IF FOUND THEN
            RETURN NULL;
        END IF;
    END IF;
    PERFORM FROM users WHERE id = NEW.user_id AND email_confirmed_at IS NOT NULL;
    IF NOT FOUND THEN
        PERFORM FROM users WHERE id = NEW.user_id FOR SHARE;
        PERFORM FROM users WHERE id = NEW.user_id AND email_confirmed_at IS NOT NULL;
        IF NOT FOUND AND (NEW.kind <> 'turn'
            OR (SELECT count(*) FROM mails WHERE user_id = NEW.user_id AND kind = 'turn') >= 3) THEN
            PERFORM FROM reservations WHERE id = NEW.reservation_id AND booked_by IS NOT NULL;
            IF NOT FOUND THEN
                NEW.due_at := 'infinity';
            END IF;
        END IF;
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
