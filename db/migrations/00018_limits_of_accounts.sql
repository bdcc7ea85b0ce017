-- The booking transaction asks what an account has: its reservations that hold seats, and the holds that have just expired.

-- +goose Up
CREATE INDEX reservations_live_by_user ON reservations (user_id)
    WHERE state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'refund_pending');
CREATE INDEX reservations_expired_by_user ON reservations (user_id, hold_expires_at) WHERE state = 'expired';

-- +goose Down
DROP INDEX reservations_expired_by_user, reservations_live_by_user;
