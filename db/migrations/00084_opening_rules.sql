-- A restaurant's rule for when its days begin to take reservations, as booking.OpeningRule has it; without a kind there
-- is none.
-- reads all of restaurants: everybody waits who wants the table; there are some thousands of rows

-- +goose Up
ALTER TABLE restaurants ADD COLUMN opening_rule jsonb NOT NULL DEFAULT '{}',
    ADD CONSTRAINT restaurants_opening_rule CHECK (COALESCE(opening_rule ->> 'kind', '') IN ('', 'monthly', 'daily'));

-- +goose Down
ALTER TABLE restaurants DROP COLUMN opening_rule;
