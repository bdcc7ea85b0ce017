-- Reservations that are to be cancelled because their slot is closed, although their day is open.

-- +goose Up
ALTER TABLE day_cancellations
    ADD COLUMN slot_alone boolean NOT NULL DEFAULT false; -- only while the slot of the reservation is closed

-- +goose Down
ALTER TABLE day_cancellations DROP COLUMN slot_alone;
