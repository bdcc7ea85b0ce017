-- +goose Up

-- The balance is always the sum of the ledger's entries, the version their number.
CREATE TABLE accounts (
    user_id text   PRIMARY KEY,
    balance bigint NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT accounts_user FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT accounts_balance_not_negative CHECK (balance >= 0)
) WITH (fillfactor = 50);

CREATE TABLE ledger_entries (
    id              bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id         text        NOT NULL,
    amount          bigint      NOT NULL,
    kind            text        NOT NULL,
    reservation_id  text,
    idempotency_key text        NOT NULL,
    balance_after   bigint      NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT ledger_entries_account FOREIGN KEY (user_id) REFERENCES accounts (user_id),
    CONSTRAINT ledger_entries_reservation FOREIGN KEY (reservation_id) REFERENCES reservations (id),
    CONSTRAINT ledger_entries_user_key UNIQUE (user_id, idempotency_key),
    CONSTRAINT ledger_entries_balance_not_negative CHECK (balance_after >= 0),
    CONSTRAINT ledger_entries_kind CHECK (
        (kind = 'charge' AND amount > 0 AND reservation_id IS NULL)
        OR (kind IN ('deposit', 'prepay') AND amount < 0 AND reservation_id IS NOT NULL)
        OR (kind = 'refund' AND amount > 0 AND reservation_id IS NOT NULL))
);

CREATE INDEX ledger_entries_newest ON ledger_entries (user_id, id);

-- A reservation is paid once and refunded once, whatever the keys say.
CREATE UNIQUE INDEX ledger_entries_one_payment ON ledger_entries (reservation_id) WHERE kind IN ('deposit', 'prepay');
CREATE UNIQUE INDEX ledger_entries_one_refund ON ledger_entries (reservation_id) WHERE kind = 'refund';

-- What members of staff did, one row an act.
CREATE TABLE audit_log (
    id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    staff_id       text        NOT NULL,
    restaurant_id  bigint      NOT NULL,
    slot_id        bigint,
    reservation_id text,
    action         text        NOT NULL,
    detail         jsonb       NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT audit_log_staff FOREIGN KEY (staff_id) REFERENCES users (id),
    CONSTRAINT audit_log_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id),
    CONSTRAINT audit_log_slot FOREIGN KEY (slot_id) REFERENCES slots (id),
    CONSTRAINT audit_log_reservation FOREIGN KEY (reservation_id) REFERENCES reservations (id)
);

CREATE INDEX audit_log_newest ON audit_log (restaurant_id, id);

-- +goose StatementBegin
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_TABLE_NAME || '_append_only';
END
$$;
-- +goose StatementEnd

CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- +goose Down
DROP TABLE audit_log, ledger_entries, accounts;
DROP FUNCTION refuse_change;
