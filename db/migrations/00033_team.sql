-- Since when somebody works at a restaurant, and invitations to work there, which go out by mail.

-- +goose Up

-- Of members of before, it is when this was added.
ALTER TABLE staff_members ADD COLUMN since timestamptz NOT NULL DEFAULT clock_timestamp();

-- An invitation is good once, until it expires, for whoever has the address that it was sent to. What is sent is its id, signed,
-- so whoever reads this table can open nothing. It has ended when it was accepted, withdrawn, or replaced by a later one.
CREATE TABLE staff_invitations (
    id            text        PRIMARY KEY,
    restaurant_id bigint      NOT NULL,
    email         text        NOT NULL,
    role          text        NOT NULL,
    invited_by    text        NOT NULL,
    language      text        NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at    timestamptz NOT NULL,
    ended_at      timestamptz,
    CONSTRAINT staff_invitations_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id),
    CONSTRAINT staff_invitations_inviter FOREIGN KEY (invited_by) REFERENCES users (id),
    CONSTRAINT staff_invitations_role CHECK (role IN ('owner', 'manager', 'host')),
    CONSTRAINT staff_invitations_language CHECK (language IN ('ko', 'en'))
);

CREATE UNIQUE INDEX staff_invitations_one_open ON staff_invitations (restaurant_id, email) WHERE ended_at IS NULL;
CREATE INDEX staff_invitations_by_email ON staff_invitations (email, created_at);
CREATE INDEX staff_invitations_by_inviter ON staff_invitations (invited_by);
CREATE INDEX staff_invitations_by_restaurant ON staff_invitations (restaurant_id, created_at);

-- A letter with an invitation goes to an address of which nobody says whether it has an account.
ALTER TABLE mails
    ALTER COLUMN user_id DROP NOT NULL,
    ADD COLUMN invitation_id text,
    ADD CONSTRAINT mails_invitation FOREIGN KEY (invitation_id) REFERENCES staff_invitations (id) ON DELETE CASCADE,
    ADD CONSTRAINT mails_invites CHECK ((kind = 'invitation') = (invitation_id IS NOT NULL)),
    DROP CONSTRAINT mails_about,
    ADD CONSTRAINT mails_about CHECK (num_nonnulls(reservation_id, link_id, invitation_id) = 1);

CREATE INDEX mails_by_invitation ON mails (invitation_id) WHERE invitation_id IS NOT NULL;
CREATE INDEX mails_invitations_due ON mails (due_at) WHERE sent_at IS NULL AND invitation_id IS NOT NULL;

-- One more kind besides those that there are.
-- +goose StatementBegin
DO $$
DECLARE
    kinds text := (SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint
        WHERE conname = 'mails_kind' AND conrelid = 'mails'::regclass);
BEGIN
    ALTER TABLE mails DROP CONSTRAINT mails_kind;
    EXECUTE format('ALTER TABLE mails ADD CONSTRAINT mails_kind CHECK ((%s) OR kind = ''invitation'')', kinds);
END
$$;
-- +goose StatementEnd

-- A letter with an invitation does not wait until its reader has confirmed the address: it proves the address.
DROP TRIGGER mails_to_confirmed ON mails;
CREATE TRIGGER mails_to_confirmed BEFORE INSERT ON mails
    FOR EACH ROW WHEN (NEW.reservation_id IS NOT NULL) EXECUTE FUNCTION hold_back_letter();

-- The log of a restaurant is read by who acted, and by reservation.
CREATE INDEX audit_log_by_reservation ON audit_log (reservation_id) WHERE reservation_id IS NOT NULL;

-- +goose Down
DROP INDEX audit_log_by_reservation;
DELETE FROM mails WHERE invitation_id IS NOT NULL;
DROP TRIGGER mails_to_confirmed ON mails;
ALTER TABLE mails
    DROP COLUMN invitation_id,
    ALTER COLUMN user_id SET NOT NULL,
    ADD CONSTRAINT mails_about CHECK ((reservation_id IS NULL) <> (link_id IS NULL));
CREATE TRIGGER mails_to_confirmed BEFORE INSERT ON mails
    FOR EACH ROW WHEN (NEW.link_id IS NULL) EXECUTE FUNCTION hold_back_letter();
DROP TABLE staff_invitations;
ALTER TABLE staff_members DROP COLUMN since;
