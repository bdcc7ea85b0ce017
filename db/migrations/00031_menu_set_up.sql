-- The menu as its restaurant sets it up. A dish is never deleted: reservations refer to it, and so may requests that wait in a
-- line. A retired one is on no menu of diners; a removed one, which nobody has ordered, is in no document of staff either.

-- +goose Up

ALTER TABLE menu_items
    ADD COLUMN retired boolean NOT NULL DEFAULT false,
    ADD COLUMN removed boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT menu_items_removed CHECK (retired OR NOT removed);

-- Uploaded pictures, scaled down and encoded again by the server. The hash is of the restaurant and what it uploaded, and the end
-- of the address.
CREATE TABLE pictures (
    hash          text        PRIMARY KEY,
    restaurant_id bigint      NOT NULL,
    large         bytea       NOT NULL,
    small         bytea       NOT NULL,
    width         integer     NOT NULL,
    height        integer     NOT NULL,
    created_by    text        NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT pictures_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id),
    CONSTRAINT pictures_created_by FOREIGN KEY (created_by) REFERENCES users (id),
    CONSTRAINT pictures_hash CHECK (hash ~ '^[0-9a-f]{64}$'),
    CONSTRAINT pictures_sizes CHECK (width > 0 AND height > 0)
);

-- JPEG does not get smaller by another compression.
ALTER TABLE pictures ALTER COLUMN large SET STORAGE EXTERNAL, ALTER COLUMN small SET STORAGE EXTERNAL;

CREATE INDEX pictures_of_restaurant ON pictures (restaurant_id);
CREATE INDEX coupons_of_restaurant ON coupons (restaurant_id) WHERE restaurant_id IS NOT NULL;

-- +goose Down
DROP INDEX coupons_of_restaurant;
DROP TABLE pictures;
ALTER TABLE menu_items DROP CONSTRAINT menu_items_removed, DROP COLUMN removed, DROP COLUMN retired;
