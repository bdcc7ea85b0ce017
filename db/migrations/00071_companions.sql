-- What those who come along say to the restaurant by the link of a reservation: a list of names and allergies.

-- +goose Up
ALTER TABLE reservations ADD COLUMN companions jsonb NOT NULL DEFAULT '[]';

-- +goose Down
ALTER TABLE reservations DROP COLUMN companions;
