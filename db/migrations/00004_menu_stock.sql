-- +goose Up

-- How many portions of a dish a day has; NULL is any number.
ALTER TABLE menu_items ADD COLUMN daily_quantity integer,
    ADD CONSTRAINT menu_items_daily_quantity CHECK (daily_quantity > 0);

-- What is left of a dish on a day. An item and date without a row has the item's daily quantity; the row is made when the
-- first portion is asked for. What is gone (offered - remaining) is always the sum of the portions that reservations have
-- taken from it and not given back.
CREATE TABLE menu_stock (
    menu_item_id bigint  NOT NULL,
    service_date date    NOT NULL,
    offered      integer NOT NULL,
    remaining    integer NOT NULL,
    CONSTRAINT menu_stock_pk PRIMARY KEY (menu_item_id, service_date),
    CONSTRAINT menu_stock_menu_item FOREIGN KEY (menu_item_id) REFERENCES menu_items (id),
    CONSTRAINT menu_stock_remaining CHECK (remaining >= 0),
    CONSTRAINT menu_stock_offered CHECK (offered >= remaining)
) WITH (fillfactor = 50);

-- Whether the line's portions were taken from a stock. They were not when the dish had no limit at that time, and then
-- they do not go back into one that was put up since.
ALTER TABLE reservation_items ADD COLUMN from_stock boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE reservation_items DROP COLUMN from_stock;
DROP TABLE menu_stock;
ALTER TABLE menu_items DROP COLUMN daily_quantity;
