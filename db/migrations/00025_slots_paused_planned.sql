-- What staff do with a slot besides closing it: its line waits while it is paused, and before the moment at which it opens.

-- +goose Up

ALTER TABLE slots
    ADD COLUMN paused        boolean NOT NULL DEFAULT false,
    ADD COLUMN reason        text    NOT NULL DEFAULT '', -- why it is closed or paused, for those who wait
    ADD COLUMN notice        text    NOT NULL DEFAULT '', -- what staff say to all who wait
    ADD COLUMN opens_at      timestamptz,                 -- when it begins to take reservations; null: it does already
    ADD COLUMN opening_order text    NOT NULL DEFAULT 'arrival',
    ADD CONSTRAINT slots_opening_order CHECK (opening_order IN ('arrival', 'draw'));

-- +goose Down
ALTER TABLE slots
    DROP COLUMN opening_order,
    DROP COLUMN opens_at,
    DROP COLUMN notice,
    DROP COLUMN reason,
    DROP COLUMN paused;
