-- Uploaded pictures as WebP as well, which most browsers take and which is smaller.

-- +goose Up

-- Null of a picture that was uploaded before, or is no smaller so.
ALTER TABLE pictures
    ADD COLUMN large_webp bytea,
    ADD COLUMN small_webp bytea,
    ALTER COLUMN large_webp SET STORAGE EXTERNAL,
    ALTER COLUMN small_webp SET STORAGE EXTERNAL;

-- +goose Down
ALTER TABLE pictures DROP COLUMN large_webp, DROP COLUMN small_webp;
