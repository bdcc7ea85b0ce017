-- A dish can be kept for parties of some hours: the lunch course, late snacks.
-- reads all of menu_items: everybody waits who wants the table; there are some thousands of rows

-- +goose Up
ALTER TABLE menu_items
    ADD COLUMN served_from time, -- the first slot whose party can order it; null: any
    ADD COLUMN served_last time, -- and the last
    ADD CONSTRAINT menu_items_served CHECK ((served_from IS NULL) = (served_last IS NULL)
        AND (served_from IS NULL OR served_from <= served_last AND served_last < '24:00'));

-- +goose Down
ALTER TABLE menu_items DROP COLUMN served_from, DROP COLUMN served_last;
