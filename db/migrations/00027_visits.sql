-- An evening's list says whose first visit it is: whether a guest has been at the restaurant before.

-- +goose Up

CREATE INDEX reservations_visits ON reservations (user_id, restaurant_id) WHERE state IN ('arrived', 'seated', 'completed');

-- +goose Down
DROP INDEX reservations_visits;
