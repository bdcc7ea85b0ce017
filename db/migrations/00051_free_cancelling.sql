-- Shortly after its confirmation a reservation can be cancelled for free, if its terms say so.

-- +goose Up
ALTER TABLE reservations
    ADD COLUMN confirmed_at timestamptz, -- null before that, and of those that were confirmed before this column was there
    ADD COLUMN diner_cancelled_at timestamptz; -- null of what nobody has cancelled, or somebody else

-- +goose Down
ALTER TABLE reservations
    DROP COLUMN diner_cancelled_at,
    DROP COLUMN confirmed_at;
