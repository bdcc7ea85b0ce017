-- A provider that tells the time in seconds may list two equal refunds of a payment at the same one.
-- reads all of payment_movements: everybody waits who wants the table, one and a half seconds for a million rows

-- +goose Up
ALTER TABLE payment_movements
    ADD COLUMN nth integer NOT NULL DEFAULT 1, -- among equal ones
    DROP CONSTRAINT payment_movements_pk,
    ADD CONSTRAINT payment_movements_pk PRIMARY KEY (provider, payment_id, happened_at, amount, nth);

-- +goose Down
DELETE FROM payment_movements WHERE nth > 1;
ALTER TABLE payment_movements
    DROP CONSTRAINT payment_movements_pk,
    ADD CONSTRAINT payment_movements_pk PRIMARY KEY (provider, payment_id, happened_at, amount),
    DROP COLUMN nth;
