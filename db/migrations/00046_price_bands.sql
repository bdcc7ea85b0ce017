-- What a meal costs at a restaurant, roughly: 1 is inexpensive, 4 the dearest.
-- reads all of restaurants: everybody waits who wants the table; there are some thousands of rows

-- +goose Up
ALTER TABLE restaurants
    ADD COLUMN price_band smallint NOT NULL DEFAULT 0, -- 0: the owner says none
    ADD CONSTRAINT restaurants_price_band_known CHECK (price_band BETWEEN 0 AND 4);

-- +goose Down
ALTER TABLE restaurants DROP COLUMN price_band;
