-- Staff may ask a guest who calls for the deposit: the reservation is the hold of a provisional account, and a letter brings
-- the link by which it is paid.
-- wider: reservations_whose, mails_kind
-- reads all of mails: everybody waits who wants the table, half a second for a million rows

-- +goose Up
ALTER TABLE reservations DROP CONSTRAINT reservations_whose,
    ADD CONSTRAINT reservations_whose CHECK (CASE
        WHEN source = 'web' THEN user_id IS NOT NULL AND guest_name IS NULL AND guest_phone IS NULL AND booked_by IS NULL
        WHEN source IN ('phone', 'walk_in') THEN (user_id IS NULL OR source = 'phone') AND guest_name IS NOT NULL
            AND (guest_name <> '' OR user_id IS NOT NULL) -- deleted with the account
            AND guest_phone IS NOT NULL AND booked_by IS NOT NULL
        ELSE false END) NOT VALID;

-- +goose StatementBegin
DO $$
DECLARE
    kinds text := (SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint
        WHERE conname = 'mails_kind' AND conrelid = 'mails'::regclass);
BEGIN
    ALTER TABLE mails DROP CONSTRAINT mails_kind;
    EXECUTE format('ALTER TABLE mails ADD CONSTRAINT mails_kind CHECK ((%s) OR kind IN (''payment_link'', ''unpaid''))', kinds);
END
$$;
-- +goose StatementEnd

-- Staff know the address of whom they book for: their letters wait for nobody to confirm it.
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

-- +goose Down
-- Servers of before know no hold of somebody for whom staff booked: while there is one, this does nothing but fail.
ALTER TABLE reservations DROP CONSTRAINT reservations_whose,
    ADD CONSTRAINT reservations_whose CHECK (CASE
        WHEN source = 'web' THEN user_id IS NOT NULL AND guest_name IS NULL AND guest_phone IS NULL AND booked_by IS NULL
        WHEN source IN ('phone', 'walk_in') THEN user_id IS NULL AND guest_name IS NOT NULL AND guest_name <> ''
            AND guest_phone IS NOT NULL AND booked_by IS NOT NULL
        ELSE false END);
DELETE FROM mails WHERE kind IN ('payment_link', 'unpaid');
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
