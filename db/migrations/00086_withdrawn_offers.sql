-- Staff withdraw another time that they have offered to a guest.

-- +goose Up
ALTER TABLE guest_message_recipients
    ADD COLUMN withdrawn_at timestamptz; -- when staff took back what they offered

-- +goose Down
ALTER TABLE guest_message_recipients DROP COLUMN withdrawn_at;
