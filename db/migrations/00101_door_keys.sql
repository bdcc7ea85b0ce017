-- Idempotency keys of a party at the door are those of a member of staff at one restaurant.
-- wider: door_parties_key
-- reads all of door_parties: the parties of today alone

-- +goose Up
ALTER TABLE door_parties
    DROP CONSTRAINT door_parties_key,
    ADD CONSTRAINT door_parties_key UNIQUE (restaurant_id, staff_id, idempotency_key);

-- +goose Down
ALTER TABLE door_parties
    DROP CONSTRAINT door_parties_key,
    ADD CONSTRAINT door_parties_key UNIQUE (staff_id, idempotency_key);
