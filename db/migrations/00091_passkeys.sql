-- Passkeys by which people sign in.

-- +goose Up
CREATE TABLE passkeys (
    id              text        PRIMARY KEY,
    user_id         text        NOT NULL,
    name            text        NOT NULL,
    public_key      bytea       NOT NULL,
    sign_count      bigint      NOT NULL,
    backup_eligible boolean     NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    used_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT passkeys_user FOREIGN KEY (user_id) REFERENCES users (id)
);

CREATE INDEX passkeys_by_user ON passkeys (user_id, created_at);

CREATE TRIGGER passkeys_not_of_deleted AFTER INSERT ON passkeys
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION refuse_deleted();

-- +goose Down
DROP TABLE passkeys;
