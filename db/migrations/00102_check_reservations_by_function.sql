-- What a reservation may look like, as one check. PostgreSQL reads the text of each check anew for every statement that
-- writes a row, which cost more than to write the row; a function is read once a session. A row that breaks a rule is
-- refused by the name that its check had.
-- wider: reservations_sound

-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION check_reservation(state text, source text, party_size integer, idempotency_key text, user_id text,
    guest_name text, guest_phone text, booked_by text, arrived_at timestamptz, seated_at timestamptz, coupon_id bigint,
    discount_use text, discount_amount bigint, deposit_amount bigint, menu_amount bigint, paid_amount bigint,
    refund_amount bigint) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    broken text := CASE
        WHEN NOT state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'expired', 'cancelled', 'arrived', 'seated',
            'completed', 'no_show', 'refund_pending', 'refunded') THEN 'state'
        WHEN NOT party_size > 0 THEN 'party_size'
        WHEN NOT idempotency_key <> '' THEN 'key_given'
        WHEN NOT (deposit_amount >= 0 AND menu_amount >= 0 AND paid_amount >= 0) THEN 'amounts'
        WHEN NOT refund_amount BETWEEN 0 AND paid_amount THEN 'refund'
        WHEN NOT (state <> 'expired' OR refund_amount = paid_amount) THEN 'returned'
        WHEN NOT (state NOT IN ('temporary', 'cancelled') OR paid_amount = 0) THEN 'unpaid'
        WHEN NOT (state NOT IN ('arrived', 'seated') OR arrived_at IS NOT NULL OR seated_at IS NOT NULL) THEN 'present'
        WHEN NOT CASE discount_use
            WHEN '' THEN coupon_id IS NULL AND discount_amount = 0
            WHEN 'deposit' THEN coupon_id IS NOT NULL AND discount_amount BETWEEN 1 AND deposit_amount
            WHEN 'menu' THEN coupon_id IS NOT NULL AND discount_amount BETWEEN 1 AND menu_amount
            ELSE false
        END THEN 'discount'
        WHEN NOT CASE
            WHEN source = 'web' THEN user_id IS NOT NULL AND guest_name IS NULL AND guest_phone IS NULL AND booked_by IS NULL
            WHEN source IN ('phone', 'walk_in') THEN (user_id IS NULL OR source = 'phone') AND guest_name IS NOT NULL
                AND (guest_name <> '' OR user_id IS NOT NULL) AND guest_phone IS NOT NULL AND booked_by IS NOT NULL
            ELSE false
        END THEN 'whose'
        WHEN NOT (user_id IS NOT NULL OR deposit_amount = 0 AND paid_amount = 0 AND coupon_id IS NULL
            AND state IN ('confirmed', 'arrived', 'seated', 'completed', 'no_show', 'cancelled')) THEN 'without_account'
    END;
BEGIN
    IF broken IS NOT NULL THEN
        RAISE EXCEPTION 'a reservation breaks the rule "%"', broken
            USING ERRCODE = 'check_violation', TABLE = 'reservations', CONSTRAINT = 'reservations_' || broken;
    END IF;
    RETURN true;
END
$$;
-- +goose StatementEnd

ALTER TABLE reservations
    DROP CONSTRAINT reservations_state,
    DROP CONSTRAINT reservations_party_size,
    DROP CONSTRAINT reservations_key_given,
    DROP CONSTRAINT reservations_amounts,
    DROP CONSTRAINT reservations_refund,
    DROP CONSTRAINT reservations_returned,
    DROP CONSTRAINT reservations_unpaid,
    DROP CONSTRAINT reservations_present,
    DROP CONSTRAINT reservations_discount,
    DROP CONSTRAINT reservations_whose,
    DROP CONSTRAINT reservations_without_account,
    ADD CONSTRAINT reservations_sound CHECK (check_reservation(state, source, party_size, idempotency_key, user_id,
        guest_name, guest_phone, booked_by, arrived_at, seated_at, coupon_id, discount_use, discount_amount,
        deposit_amount, menu_amount, paid_amount, refund_amount)) NOT VALID;

-- +goose Down
ALTER TABLE reservations
    DROP CONSTRAINT reservations_sound,
    ADD CONSTRAINT reservations_state CHECK (state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'expired',
        'cancelled', 'arrived', 'seated', 'completed', 'no_show', 'refund_pending', 'refunded')),
    ADD CONSTRAINT reservations_party_size CHECK (party_size > 0),
    ADD CONSTRAINT reservations_key_given CHECK (idempotency_key <> ''),
    ADD CONSTRAINT reservations_amounts CHECK (deposit_amount >= 0 AND menu_amount >= 0 AND paid_amount >= 0),
    ADD CONSTRAINT reservations_refund CHECK (refund_amount BETWEEN 0 AND paid_amount),
    ADD CONSTRAINT reservations_returned CHECK (state <> 'expired' OR refund_amount = paid_amount),
    ADD CONSTRAINT reservations_unpaid CHECK (state NOT IN ('temporary', 'cancelled') OR paid_amount = 0),
    ADD CONSTRAINT reservations_present CHECK (state NOT IN ('arrived', 'seated') OR arrived_at IS NOT NULL
        OR seated_at IS NOT NULL),
    ADD CONSTRAINT reservations_discount CHECK (CASE discount_use
        WHEN '' THEN coupon_id IS NULL AND discount_amount = 0
        WHEN 'deposit' THEN coupon_id IS NOT NULL AND discount_amount BETWEEN 1 AND deposit_amount
        WHEN 'menu' THEN coupon_id IS NOT NULL AND discount_amount BETWEEN 1 AND menu_amount
        ELSE false
    END),
    ADD CONSTRAINT reservations_whose CHECK (CASE
        WHEN source = 'web' THEN user_id IS NOT NULL AND guest_name IS NULL AND guest_phone IS NULL AND booked_by IS NULL
        WHEN source IN ('phone', 'walk_in') THEN (user_id IS NULL OR source = 'phone') AND guest_name IS NOT NULL
            AND (guest_name <> '' OR user_id IS NOT NULL) AND guest_phone IS NOT NULL AND booked_by IS NOT NULL
        ELSE false
    END),
    ADD CONSTRAINT reservations_without_account CHECK (user_id IS NOT NULL OR deposit_amount = 0 AND paid_amount = 0
        AND coupon_id IS NULL AND state IN ('confirmed', 'arrived', 'seated', 'completed', 'no_show', 'cancelled'));
DROP FUNCTION check_reservation;
