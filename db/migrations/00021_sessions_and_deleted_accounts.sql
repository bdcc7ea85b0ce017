-- Which devices a person is signed in on, which sessions ended before their time, and accounts that are deleted.

-- +goose Up

-- The sessions that a person sees and can end. They are verified by their signature, not here. The device is what the browser
-- says of itself, in words of ours; no address is kept.
CREATE TABLE user_sessions (
    session_id text        PRIMARY KEY,
    user_id    text        NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    device     text        NOT NULL,
    CONSTRAINT user_sessions_user FOREIGN KEY (user_id) REFERENCES users (id)
);

CREATE INDEX user_sessions_by_user ON user_sessions (user_id, created_at);
CREATE INDEX user_sessions_expired ON user_sessions (expires_at);

-- All sessions of a person that were issued until a moment have ended, but for the one that is kept. It is one row a person,
-- whatever they end, and it also ends sessions that nobody has recorded.
CREATE TABLE ended_sessions (
    user_id      text        PRIMARY KEY,
    issued_until timestamptz NOT NULL,
    kept_id      text        NOT NULL DEFAULT '',
    expires_at   timestamptz NOT NULL,
    revoked_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT ended_sessions_user FOREIGN KEY (user_id) REFERENCES users (id)
);

CREATE INDEX ended_sessions_by_time ON ended_sessions (revoked_at);

-- Whose session it was bounds how many of them are remembered; servers of before do not say.
ALTER TABLE revoked_sessions ADD COLUMN user_id text NOT NULL DEFAULT '';
CREATE INDEX revoked_sessions_by_user ON revoked_sessions (user_id, expires_at);
CREATE INDEX revoked_sessions_expired ON revoked_sessions (expires_at);

-- What somebody did as staff is part of what they get as a copy.
CREATE INDEX audit_log_by_staff ON audit_log (staff_id, id);

-- A deleted account is a row without a person: reservations and ledger, which have to be kept, belong to it still. The address
-- is free again.
ALTER TABLE users
    ADD COLUMN deleted_at timestamptz,
    ADD CONSTRAINT users_deleted CHECK (deleted_at IS NULL
        OR name = '' AND phone = '' AND password_hash = '' AND email_confirmed_at IS NULL AND email LIKE 'deleted-%.invalid');

-- Whatever was under way for somebody when they deleted their account comes to nothing: it waits for the row of the person by
-- its foreign key, and looks here afterwards. Refunds reach the ledger all the same.
-- +goose StatementBegin
CREATE FUNCTION refuse_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM made JOIN users u ON u.id = made.user_id WHERE u.deleted_at IS NOT NULL) THEN
        RAISE EXCEPTION 'the account is deleted' USING ERRCODE = 'check_violation', CONSTRAINT = 'users_deleted_do_nothing';
    END IF;
    RETURN NULL;
END
$$;

-- Nobody is written to at an address that is gone.
CREATE FUNCTION drop_letter_to_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM users WHERE id = NEW.user_id AND deleted_at IS NOT NULL) THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION refuse_change_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the account is deleted' USING ERRCODE = 'check_violation', CONSTRAINT = 'users_deleted_do_nothing';
END
$$;
-- +goose StatementEnd

CREATE TRIGGER users_deleted_stay_so BEFORE UPDATE ON users
    FOR EACH ROW WHEN (OLD.deleted_at IS NOT NULL) EXECUTE FUNCTION refuse_change_of_deleted();
CREATE TRIGGER mails_not_to_deleted BEFORE INSERT ON mails
    FOR EACH ROW EXECUTE FUNCTION drop_letter_to_deleted();
CREATE TRIGGER user_sessions_not_of_deleted AFTER INSERT ON user_sessions
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION refuse_deleted();
CREATE TRIGGER staff_members_not_of_deleted AFTER INSERT ON staff_members
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION refuse_deleted();
CREATE TRIGGER reservations_not_of_deleted AFTER INSERT ON reservations
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION refuse_deleted();
CREATE TRIGGER waitlist_not_of_deleted AFTER INSERT ON waitlist_entries
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION refuse_deleted();
CREATE TRIGGER coupon_claims_not_of_deleted AFTER INSERT ON coupon_claims
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION refuse_deleted();

-- +goose Down
DROP TRIGGER coupon_claims_not_of_deleted ON coupon_claims;
DROP TRIGGER waitlist_not_of_deleted ON waitlist_entries;
DROP TRIGGER reservations_not_of_deleted ON reservations;
DROP TRIGGER staff_members_not_of_deleted ON staff_members;
DROP TRIGGER user_sessions_not_of_deleted ON user_sessions;
DROP TRIGGER mails_not_to_deleted ON mails;
DROP TRIGGER users_deleted_stay_so ON users;
DROP FUNCTION refuse_change_of_deleted;
DROP FUNCTION drop_letter_to_deleted;
DROP FUNCTION refuse_deleted;
ALTER TABLE users DROP COLUMN deleted_at;
DROP INDEX revoked_sessions_expired, revoked_sessions_by_user;
ALTER TABLE revoked_sessions DROP COLUMN user_id;
DROP INDEX audit_log_by_staff;
DROP TABLE ended_sessions, user_sessions;
