-- A change that costs more is paid by card. The payment has what is to be changed until the change is made, and what the
-- reservation was until the money is taken: a refused capture takes the change back.
-- wider: payments_kind, mails_kind
-- contracts 00047: the unique index is replaced by a wider one, which holds for all that earlier versions write
-- reads all of mails: everybody waits who wants the table, half a second for a million rows
-- reads all of payments: nobody writes to it meanwhile, a second for a million rows

-- +goose Up
ALTER TABLE payments
    ADD COLUMN change jsonb, -- what is to be changed once the payment is authorised
    ADD COLUMN before jsonb, -- the reservation before a change whose money is being captured
    DROP CONSTRAINT payments_kind,
    ADD CONSTRAINT payments_kind CHECK (kind IN ('deposit', 'prepay', 'change')) NOT VALID;

-- At most one payment that confirms a reservation takes money; of its changes each may have one.
DROP INDEX payments_one_of_a_reservation;
CREATE UNIQUE INDEX payments_one_of_a_reservation ON payments (reservation_id)
    WHERE kind <> 'change' AND state IN ('capturing', 'paid', 'refunding', 'refunded', 'partly_refunded');

-- One more letter: a diner whose change was taken back, because its payment was refused, hears of that.
-- +goose StatementBegin
DO $$
DECLARE
    kinds text := (SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint
        WHERE conname = 'mails_kind' AND conrelid = 'mails'::regclass);
BEGIN
    ALTER TABLE mails DROP CONSTRAINT mails_kind;
    EXECUTE format('ALTER TABLE mails ADD CONSTRAINT mails_kind CHECK ((%s) OR kind = ''change_refused'')', kinds);
END
$$;
-- +goose StatementEnd

-- +goose Down
-- Payments for changes stay, and so does what allows them.
DELETE FROM mails WHERE kind = 'change_refused';
ALTER TABLE payments DROP COLUMN change, DROP COLUMN before;
