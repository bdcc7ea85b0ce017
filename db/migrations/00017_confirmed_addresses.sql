-- When somebody last proved, by a link sent there, that letters to their address reach them; null before. Accounts of before
-- this migration have got letters all the time: they count as confirmed, so that none of theirs waits.

-- +goose Up
ALTER TABLE users ADD COLUMN email_confirmed_at timestamptz;
UPDATE users SET email_confirmed_at = statement_timestamp();

-- +goose Down
ALTER TABLE users DROP COLUMN email_confirmed_at;
