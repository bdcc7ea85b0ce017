-- When somebody last proved, by a link sent there, that letters to their address reach them; null before.

-- +goose Up
ALTER TABLE users ADD COLUMN email_confirmed_at timestamptz;

-- +goose Down
ALTER TABLE users DROP COLUMN email_confirmed_at;
