-- Addresses that restaurants had before: they lead to their restaurant, and no other takes them.

-- +goose Up
CREATE TABLE earlier_slugs (
    slug          text   PRIMARY KEY,
    restaurant_id bigint NOT NULL,
    CONSTRAINT earlier_slugs_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id) ON DELETE CASCADE
);

CREATE INDEX earlier_slugs_by_restaurant ON earlier_slugs (restaurant_id);

-- +goose Down
DROP TABLE earlier_slugs;
