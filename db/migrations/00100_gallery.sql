-- What a restaurant's page tells besides: its story, how to get there, and more pictures.

-- +goose Up
ALTER TABLE restaurants
    ADD COLUMN story_ko      text  NOT NULL DEFAULT '',
    ADD COLUMN story_en      text  NOT NULL DEFAULT '',
    ADD COLUMN directions_ko text  NOT NULL DEFAULT '',
    ADD COLUMN directions_en text  NOT NULL DEFAULT '',
    ADD COLUMN photos        jsonb NOT NULL DEFAULT '[]'; -- hashes of pictures, or names of drawn ones, in order

-- +goose Down
ALTER TABLE restaurants
    DROP COLUMN story_ko, DROP COLUMN story_en, DROP COLUMN directions_ko, DROP COLUMN directions_en, DROP COLUMN photos;
