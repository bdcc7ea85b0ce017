-- Whoever has shown an address to be theirs owns what belongs to provisional accounts of that address, and may pay for
-- it out of their own wallet.

-- +goose Up
CREATE INDEX users_provisional_email ON users (email) WHERE provisional;

-- Whoever pays by the link of a letter has shown no more than that they have this letter: it may have been passed on. Such
-- an account owns no other until it is signed in to by its address, or confirmed by a letter of its own.
ALTER TABLE users ADD COLUMN guest boolean NOT NULL DEFAULT false;
UPDATE users u
SET guest = true
WHERE NOT provisional AND password_hash = '' AND email_confirmed_at IS NOT NULL
    AND EXISTS (SELECT FROM reservations WHERE user_id = u.id AND booked_by IS NOT NULL);

-- The accounts whose things a person may read and act on: their own, and the provisional ones of their confirmed address.
-- +goose StatementBegin
CREATE FUNCTION accounts_of(person text) RETURNS SETOF text LANGUAGE sql STABLE AS $$
    SELECT person
    UNION ALL
    SELECT a.id
    FROM users p
    JOIN users a ON a.email = p.email AND a.provisional AND a.deleted_at IS NULL
    WHERE p.id = person AND NOT p.provisional AND NOT p.guest AND p.email_confirmed_at IS NOT NULL
        AND p.deleted_at IS NULL
$$;
-- +goose StatementEnd

-- In whose wallet the money of a reservation moves, where that is not its diner's: of the owner who was the first to pay.
ALTER TABLE reservations
    ADD COLUMN payer_id text,
    ADD CONSTRAINT reservations_payer FOREIGN KEY (payer_id) REFERENCES users (id) NOT VALID;
CREATE INDEX reservations_payer ON reservations (payer_id) WHERE payer_id IS NOT NULL;

-- +goose Down
-- Servers of before would refund to the diner's wallet what another one paid: while there is such a reservation, this does
-- nothing but fail.
-- +goose StatementBegin
DO $$
BEGIN
    IF EXISTS (SELECT FROM reservations WHERE payer_id IS NOT NULL) THEN
        RAISE EXCEPTION 'reservations were paid by the owner of their account';
    END IF;
END
$$;
-- +goose StatementEnd
DROP INDEX reservations_payer;
ALTER TABLE reservations
    DROP CONSTRAINT reservations_payer,
    DROP COLUMN payer_id;
DROP FUNCTION accounts_of(text);
ALTER TABLE users DROP COLUMN guest;
DROP INDEX users_provisional_email;
