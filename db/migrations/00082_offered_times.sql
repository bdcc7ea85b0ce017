-- Staff offer other times to guests whom they write to.

-- +goose Up
ALTER TABLE guest_messages
    ADD COLUMN offered_date date, -- NULL: no other time is offered
    ADD COLUMN offered_time time, -- NULL: each party is proposed the time that it has
    ADD COLUMN offered_refund boolean NOT NULL DEFAULT false; -- or to cancel with a full refund
ALTER TABLE guest_message_recipients
    ADD COLUMN slot_id bigint,          -- of the reservation at that moment; of earlier messages NULL
    ADD COLUMN declined_at timestamptz; -- when the diner said that no other time will do

-- +goose Down
ALTER TABLE guest_message_recipients DROP COLUMN slot_id, DROP COLUMN declined_at;
ALTER TABLE guest_messages DROP COLUMN offered_date, DROP COLUMN offered_time, DROP COLUMN offered_refund;
