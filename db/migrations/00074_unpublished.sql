-- Restaurants that an operator takes off the public pages.

-- +goose Up
ALTER TABLE restaurants
    ADD COLUMN unpublished_at   timestamptz, -- it is stopped from then on
    ADD COLUMN unpublish_reason text NOT NULL DEFAULT '';

-- Operators read when a restaurant was published, and by whom.
-- reads all of audit_log: nobody writes to it meanwhile, for as long as it takes to read it once
CREATE INDEX audit_log_published ON audit_log (restaurant_id, id) WHERE action = 'restaurant.published';

-- +goose Down
DROP INDEX audit_log_published;
ALTER TABLE restaurants DROP COLUMN unpublish_reason, DROP COLUMN unpublished_at;
