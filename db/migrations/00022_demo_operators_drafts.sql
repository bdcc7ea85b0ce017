-- Accounts that exist only while an installation is a demo, the operators who publish restaurants, and restaurants that are
-- not published yet.

-- +goose Up

ALTER TABLE users
    ADD COLUMN demo     boolean NOT NULL DEFAULT false,
    ADD COLUMN operator boolean NOT NULL DEFAULT false;

-- Nobody else has these addresses: the domain belongs to no one.
UPDATE users
SET demo = true, email_confirmed_at = COALESCE(email_confirmed_at, created_at)
WHERE email ~ '^(diner|friend|staff|guest[0-9]{2})@lunchgo[.]example$';

CREATE INDEX users_demo ON users (id) WHERE demo;
CREATE INDEX users_operators ON users (id) WHERE operator;

-- The link that makes the first operator. There is one at most over all instances; its token is known to its reader only.
CREATE TABLE operator_invitations (
    single     boolean     PRIMARY KEY DEFAULT true,
    token_hash bytea       NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT operator_invitations_one CHECK (single)
);

ALTER TABLE restaurants
    ADD COLUMN state     text        NOT NULL DEFAULT 'published',
    ADD COLUMN opened_by text,
    ADD COLUMN opened_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ADD CONSTRAINT restaurants_state CHECK (state IN ('draft', 'published')),
    ADD CONSTRAINT restaurants_opened_by FOREIGN KEY (opened_by) REFERENCES users (id);

CREATE INDEX restaurants_drafts ON restaurants (id) WHERE state = 'draft';
CREATE INDEX restaurants_drafts_of ON restaurants (opened_by) WHERE state = 'draft';

-- +goose Down
DELETE FROM opening_hours WHERE restaurant_id IN (SELECT id FROM restaurants WHERE state = 'draft');
DELETE FROM staff_members WHERE restaurant_id IN (SELECT id FROM restaurants WHERE state = 'draft');
DELETE FROM restaurants WHERE state = 'draft';
ALTER TABLE restaurants DROP COLUMN opened_by, DROP COLUMN opened_at, DROP COLUMN state;
DROP TABLE operator_invitations;
ALTER TABLE users DROP COLUMN operator, DROP COLUMN demo;
