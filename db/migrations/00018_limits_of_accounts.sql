-- The booking transaction asks what an account has: its reservations that hold seats, and the holds that have just expired.

-- +goose Up

-- The states that hold seats, said the other way round: a query that says it so is not answered from reservations_one_live,
-- which is by slot and as good in the eyes of a planner that has seen small tables only.
CREATE INDEX reservations_live_by_user ON reservations (user_id)
    WHERE state NOT IN ('expired', 'cancelled', 'completed', 'no_show', 'refunded');
CREATE INDEX reservations_expired_by_user ON reservations (user_id, hold_expires_at) WHERE state = 'expired';

-- +goose Down
DROP INDEX reservations_expired_by_user, reservations_live_by_user;
