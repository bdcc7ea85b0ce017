-- Payments through a provider: what was asked of it, what it answered, and what goes back. The money enters the diner's
-- wallet when the provider has authorised it, and pays the reservation from there, in the same transaction.
-- wider: ledger_entries_kind, mails_kind
-- reads all of mails: everybody waits who wants the table, half a second for a million rows

-- +goose Up
CREATE TABLE payments (
    id              text        PRIMARY KEY,   -- the provider's order id too
    reservation_id  text        NOT NULL,
    user_id         text        NOT NULL,
    provider        text        NOT NULL,
    kind            text        NOT NULL,
    amount          bigint      NOT NULL,      -- won that the provider takes
    total           bigint      NOT NULL,      -- won that it and the wallet pay together
    state           text        NOT NULL DEFAULT 'started',
    reference       text        NOT NULL DEFAULT '', -- the provider's own id
    checkout_url    text        NOT NULL DEFAULT '',
    method          text        NOT NULL DEFAULT '',
    code            text        NOT NULL DEFAULT '', -- why it was refused or cancelled
    returned        bigint      NOT NULL DEFAULT 0,  -- won that went back or are on the way back
    idempotency_key text        NOT NULL,
    expires_at      timestamptz NOT NULL,      -- the end of the hold
    due_at          timestamptz,               -- when the next step is taken; null: there is none
    attempts           integer     NOT NULL DEFAULT 0, -- of that step
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    paid_at         timestamptz,               -- when the provider had taken the money
    CONSTRAINT payments_reservation FOREIGN KEY (reservation_id) REFERENCES reservations (id),
    CONSTRAINT payments_user FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT payments_user_key UNIQUE (user_id, idempotency_key),
    CONSTRAINT payments_kind CHECK (kind IN ('deposit', 'prepay')),
    CONSTRAINT payments_state CHECK (state IN ('started', 'authorised', 'capturing', 'paid', 'refused', 'cancelled', 'refunding',
        'refunded', 'partly_refunded')),
    CONSTRAINT payments_amounts CHECK (amount > 0 AND total >= amount AND returned BETWEEN 0 AND amount)
);

-- At most one payment of a reservation takes money.
CREATE UNIQUE INDEX payments_one_of_a_reservation ON payments (reservation_id)
    WHERE state IN ('capturing', 'paid', 'refunding', 'refunded', 'partly_refunded');
CREATE INDEX payments_of_a_reservation ON payments (reservation_id);
CREATE INDEX payments_due ON payments (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payments_paid ON payments (paid_at) WHERE paid_at IS NOT NULL;

-- Money that goes back the way it came.
CREATE TABLE payment_refunds (
    id          text        PRIMARY KEY, -- its idempotency key at the provider too
    payment_id  text        NOT NULL,
    amount      bigint      NOT NULL,
    state       text        NOT NULL DEFAULT 'asked',
    code        text        NOT NULL DEFAULT '', -- why the provider refused it
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    answered_at timestamptz,
    CONSTRAINT payment_refunds_payment FOREIGN KEY (payment_id) REFERENCES payments (id),
    CONSTRAINT payment_refunds_state CHECK (state IN ('asked', 'made', 'refused', 'dropped')), -- dropped: nothing had been taken
    CONSTRAINT payment_refunds_amount CHECK (amount > 0)
);
CREATE INDEX payment_refunds_of_a_payment ON payment_refunds (payment_id);

-- Every answer of a provider, without anything of a card. Nobody changes a row.
CREATE TABLE payment_answers (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    payment_id text        NOT NULL,
    call       text        NOT NULL,
    stand      text        NOT NULL,
    amount     bigint      NOT NULL,
    returned   bigint      NOT NULL,
    currency   text        NOT NULL,
    method     text        NOT NULL,
    reference  text        NOT NULL,
    code       text        NOT NULL,
    detail     text        NOT NULL,
    error      text        NOT NULL, -- of an answer that decided nothing
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT payment_answers_payment FOREIGN KEY (payment_id) REFERENCES payments (id)
);
CREATE INDEX payment_answers_of_a_payment ON payment_answers (payment_id, id);
CREATE TRIGGER payment_answers_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_answers
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Money that a provider brings into a wallet, and that goes back there. What it refuses to take back stays in the wallet: an
-- entry above zero.
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_kind,
    ADD CONSTRAINT ledger_entries_kind CHECK (
        (kind = 'charge' AND amount > 0 AND reservation_id IS NULL)
        OR (kind = 'withdrawal' AND amount < 0 AND reservation_id IS NULL)
        OR (kind IN ('deposit', 'prepay') AND amount < 0 AND reservation_id IS NOT NULL)
        OR (kind = 'change' AND amount <> 0 AND reservation_id IS NOT NULL)
        OR (kind = 'refund' AND amount > 0 AND reservation_id IS NOT NULL)
        OR (kind = 'card' AND amount > 0 AND reservation_id IS NOT NULL)
        OR (kind = 'card_refund' AND amount <> 0 AND reservation_id IS NOT NULL)) NOT VALID;

-- One more letter: a diner whose payment was refused after all hears of that, instead of a refund.
-- +goose StatementBegin
DO $$
DECLARE
    kinds text := (SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint
        WHERE conname = 'mails_kind' AND conrelid = 'mails'::regclass);
BEGIN
    ALTER TABLE mails DROP CONSTRAINT mails_kind;
    EXECUTE format('ALTER TABLE mails ADD CONSTRAINT mails_kind CHECK ((%s) OR kind = ''payment_refused'')', kinds);
END
$$;
-- +goose StatementEnd

-- Money that a provider brings is charged, and what goes back to it is withdrawn.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION ledger_to_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT wants_kafka() THEN
        RETURN NULL;
    END IF;
    INSERT INTO outbox (type, key, data, kafka, webhooks)
    SELECT 'lunchgo.wallet.' || CASE
            WHEN added.kind IN ('charge', 'card') THEN 'charged'
            WHEN added.kind IN ('withdrawal', 'card_refund') AND added.amount < 0 THEN 'withdrawn'
            WHEN added.amount < 0 THEN 'paid'
            ELSE 'refunded'
        END,
        added.user_id, jsonb_build_object(
            'userId', added.user_id,
            'version', added.version,
            'kind', added.kind,
            'amount', added.amount,
            'balance', added.balance_after,
            'reservationId', added.reservation_id
        ), true, false
    FROM added
    WHERE NOT EXISTS (
        SELECT
        FROM reservations r
        JOIN restaurants p ON p.id = r.restaurant_id AND p.shadow
        WHERE r.id = added.reservation_id
    )
    ORDER BY added.id;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- +goose Down
-- Entries of cards stay, and so does what allows them: the ledger keeps what happened.
DELETE FROM mails WHERE kind = 'payment_refused';
DROP TABLE payment_answers, payment_refunds, payments;
