-- reads all of users: nobody writes to it meanwhile, one and a half seconds for a million rows

-- +goose Up
-- Somebody who books at once has an account by name and address alone. The address may be another account's, or that of
-- several: nobody has shown yet whose it is, and nobody signs in by it.
ALTER TABLE users ADD COLUMN provisional boolean NOT NULL DEFAULT false;
ALTER TABLE users DROP CONSTRAINT users_email_unique;
CREATE UNIQUE INDEX users_email_unique ON users (email) WHERE NOT provisional;

-- +goose Down
UPDATE users SET email = lower(id COLLATE "C") || '@provisional.invalid' WHERE provisional;
DROP INDEX users_email_unique;
ALTER TABLE users ADD CONSTRAINT users_email_unique UNIQUE (email);
ALTER TABLE users DROP COLUMN provisional;
