-- Services such as lunch and dinner: a list of booking.Service. Openings, also those of special days, name them by their
-- keys.

-- +goose Up
ALTER TABLE restaurants ADD COLUMN services jsonb NOT NULL DEFAULT '[]';
ALTER TABLE opening_hours ADD COLUMN service text NOT NULL DEFAULT ''; -- a key; empty: none

-- +goose Down
ALTER TABLE opening_hours DROP COLUMN service;
ALTER TABLE restaurants DROP COLUMN services;
