-- A day is compared with the provider's list when it is due: what could not be compared is due again soon.

-- +goose Up
ALTER TABLE payment_days ADD COLUMN due_at timestamptz NOT NULL DEFAULT now();

-- +goose Down
ALTER TABLE payment_days DROP COLUMN due_at;
