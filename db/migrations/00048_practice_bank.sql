-- The bank of demos: what it knows of the payments that it plays.

-- +goose Up
CREATE TABLE practice_accounts (
    id         text        PRIMARY KEY, -- of the payment
    amount     bigint      NOT NULL,
    returned   bigint      NOT NULL DEFAULT 0,
    title      text        NOT NULL,
    return_url text        NOT NULL,
    leave_url  text        NOT NULL,
    stand      text        NOT NULL,
    overdrawn  boolean     NOT NULL DEFAULT false,
    known_at   timestamptz NOT NULL DEFAULT clock_timestamp(), -- from when on the bank says how it stands
    taken_at   timestamptz,
    CONSTRAINT practice_accounts_amounts CHECK (amount > 0 AND returned BETWEEN 0 AND amount)
);
CREATE TABLE practice_refunds (
    id         text        PRIMARY KEY,
    account_id text        NOT NULL,
    amount     bigint      NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT practice_refunds_account FOREIGN KEY (account_id) REFERENCES practice_accounts (id)
);

-- +goose Down
DROP TABLE practice_refunds, practice_accounts;
