-- Letters with the link of a payment count by the address that they go to, as those with other links.
-- wider: email_links_kind

-- +goose Up
ALTER TABLE email_links DROP CONSTRAINT email_links_kind,
    ADD CONSTRAINT email_links_kind CHECK (kind IN ('confirm', 'signin', 'change', 'object', 'payment')) NOT VALID;

-- +goose Down
DELETE FROM email_links WHERE kind = 'payment';
ALTER TABLE email_links DROP CONSTRAINT email_links_kind,
    ADD CONSTRAINT email_links_kind CHECK (kind IN ('confirm', 'signin', 'change', 'object'));
