-- +goose Up

-- What a coupon takes off a reservation, frozen when that is made. The coupon is the diner's own; the reservation remembers it
-- also when it has given it back.
ALTER TABLE reservations
    ADD COLUMN coupon_id bigint,
    ADD COLUMN discount_use text NOT NULL DEFAULT '',
    ADD COLUMN discount_amount bigint NOT NULL DEFAULT 0,
    ADD CONSTRAINT reservations_own_coupon FOREIGN KEY (coupon_id, user_id) REFERENCES coupon_claims (coupon_id, user_id),
    ADD CONSTRAINT reservations_discount CHECK (CASE discount_use
        WHEN '' THEN coupon_id IS NULL AND discount_amount = 0
        WHEN 'deposit' THEN coupon_id IS NOT NULL AND discount_amount BETWEEN 1 AND deposit_amount
        WHEN 'menu' THEN coupon_id IS NOT NULL AND discount_amount BETWEEN 1 AND menu_amount
        ELSE false
    END);

-- A coupon serves one reservation: one that lives, or one in which it was used up.
CREATE UNIQUE INDEX reservations_one_a_coupon ON reservations (user_id, coupon_id)
    WHERE coupon_id IS NOT NULL AND state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'completed', 'no_show');

-- +goose Down
DROP INDEX reservations_one_a_coupon;
ALTER TABLE reservations
    DROP CONSTRAINT reservations_discount,
    DROP CONSTRAINT reservations_own_coupon,
    DROP COLUMN discount_amount,
    DROP COLUMN discount_use,
    DROP COLUMN coupon_id;
