-- A letter that a draft is sent back keeps its reason, also once the owner has asked again.

-- +goose Up
ALTER TABLE mails ADD COLUMN reason text NOT NULL DEFAULT ''; -- of a refusal; empty in letters from before

-- +goose Down
ALTER TABLE mails DROP COLUMN reason;
