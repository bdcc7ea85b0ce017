-- A reminder goes out the evening before and asks whether the party comes.

-- +goose Up

-- When the diner said so; null if it was not said of the time that the reservation has.
ALTER TABLE reservations ADD COLUMN coming_at timestamptz;

-- +goose Down
ALTER TABLE reservations DROP COLUMN coming_at;
