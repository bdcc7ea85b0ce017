-- What the payment provider says that it took and gave back, day by day, set against the payments; and since when a payment
-- has been where it is.

-- +goose Up
ALTER TABLE payments ADD COLUMN moved_at timestamptz NOT NULL DEFAULT now();

CREATE TABLE payment_movements (
    provider    text        NOT NULL,
    payment_id  text        NOT NULL, -- as the provider has it: it may be none of ours
    amount      bigint      NOT NULL, -- won; negative when it went back
    happened_at timestamptz NOT NULL,
    fee         bigint      NOT NULL, -- won that the provider keeps of it
    paid_out_on date,                 -- null while that is not known
    CONSTRAINT payment_movements_pk PRIMARY KEY (provider, payment_id, happened_at, amount)
);
CREATE INDEX payment_movements_by_time ON payment_movements (happened_at);
CREATE INDEX payment_movements_of_a_payment ON payment_movements (payment_id);

CREATE TABLE payment_days (
    provider    text        NOT NULL,
    day         date        NOT NULL,
    begun_at    timestamptz NOT NULL, -- when an instance last began to compare it
    differences jsonb       NOT NULL DEFAULT '[]',
    CONSTRAINT payment_days_pk PRIMARY KEY (provider, day)
);

-- +goose Down
DROP TABLE payment_days, payment_movements;
ALTER TABLE payments DROP COLUMN moved_at;
