-- When a party left is known where staff said so, and not where its stay was over by the clock.

-- +goose Up
ALTER TABLE reservations ADD COLUMN swept boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE reservations DROP COLUMN swept;
