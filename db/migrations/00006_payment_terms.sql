-- +goose Up

-- What parties from a size on pay instead of the deposit per person, and by how long a hold can be prolonged, once.
ALTER TABLE restaurants
    ADD COLUMN deposit_tiers jsonb NOT NULL DEFAULT '[]',
    ADD COLUMN extension_minutes integer NOT NULL DEFAULT 0,
    ADD CONSTRAINT restaurants_extension CHECK (extension_minutes >= 0);

-- A payment that came after the hold had expired, and found the seats gone, has come back in full: both amounts are kept.
ALTER TABLE reservations
    ADD COLUMN extended_at timestamptz,
    ADD CONSTRAINT reservations_unpaid CHECK (state NOT IN ('temporary', 'cancelled') OR paid_amount = 0),
    ADD CONSTRAINT reservations_returned CHECK (state <> 'expired' OR refund_amount = paid_amount);

-- +goose Down
ALTER TABLE reservations
    DROP CONSTRAINT reservations_returned,
    DROP CONSTRAINT reservations_unpaid,
    DROP COLUMN extended_at;
ALTER TABLE restaurants
    DROP CONSTRAINT restaurants_extension,
    DROP COLUMN extension_minutes,
    DROP COLUMN deposit_tiers;
