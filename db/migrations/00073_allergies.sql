-- Allergies that a diner writes once; they fill in the booking form, and no restaurant sees them but with a booking.

-- +goose Up
ALTER TABLE users ADD COLUMN allergies text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE users DROP COLUMN allergies;
