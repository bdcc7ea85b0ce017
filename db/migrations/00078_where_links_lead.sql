-- A link that signs in leads back to the page from which it was asked for.

-- +goose Up
ALTER TABLE email_links ADD COLUMN next text NOT NULL DEFAULT ''; -- a path; empty: where its person begins

-- +goose Down
ALTER TABLE email_links DROP COLUMN next;
