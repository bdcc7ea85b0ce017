-- Restaurants that diners save for later.

-- +goose Up
CREATE TABLE favourites (
    id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id       text        NOT NULL,
    restaurant_id bigint      NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT favourites_once UNIQUE (user_id, restaurant_id),
    CONSTRAINT favourites_user FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT favourites_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id) ON DELETE CASCADE
);

CREATE INDEX favourites_by_user ON favourites (user_id, id);
CREATE INDEX favourites_by_restaurant ON favourites (restaurant_id);

-- +goose Down
DROP TABLE favourites;
