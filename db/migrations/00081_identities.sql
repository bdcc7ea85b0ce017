-- Who people are at providers by which they sign in.

-- +goose Up
CREATE TABLE user_identities (
    issuer     text        NOT NULL,
    subject    text        NOT NULL,
    user_id    text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (issuer, subject),
    CONSTRAINT user_identities_user FOREIGN KEY (user_id) REFERENCES users (id)
);

CREATE INDEX user_identities_by_user ON user_identities (user_id, created_at);

-- +goose Down
DROP TABLE user_identities;
