-- An operator sends a draft back to its owner, with a reason and a letter.

-- +goose Up

ALTER TABLE restaurants
    ADD COLUMN refusal    text NOT NULL DEFAULT '', -- why the draft is not published; empty once the owner asks again
    ADD COLUMN refused_at timestamptz;

-- A letter about a restaurant, to who opened it.
ALTER TABLE mails
    ADD COLUMN restaurant_id bigint,
    ADD CONSTRAINT mails_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id) ON DELETE CASCADE,
    ADD CONSTRAINT mails_refuses CHECK ((kind = 'refused') = (restaurant_id IS NOT NULL)),
    DROP CONSTRAINT mails_about,
    ADD CONSTRAINT mails_about CHECK (num_nonnulls(reservation_id, link_id, invitation_id, restaurant_id) = 1);

CREATE INDEX mails_refusals_due ON mails (due_at) WHERE sent_at IS NULL AND restaurant_id IS NOT NULL;
CREATE INDEX mails_by_restaurant ON mails (restaurant_id) WHERE restaurant_id IS NOT NULL;

-- One more kind besides those that there are.
-- +goose StatementBegin
DO $$
DECLARE
    kinds text := (SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint
        WHERE conname = 'mails_kind' AND conrelid = 'mails'::regclass);
BEGIN
    ALTER TABLE mails DROP CONSTRAINT mails_kind;
    EXECUTE format('ALTER TABLE mails ADD CONSTRAINT mails_kind CHECK ((%s) OR kind = ''refused'')', kinds);
END
$$;
-- +goose StatementEnd

-- +goose Down
DELETE FROM mails WHERE restaurant_id IS NOT NULL;
ALTER TABLE mails
    DROP COLUMN restaurant_id,
    ADD CONSTRAINT mails_about CHECK (num_nonnulls(reservation_id, link_id, invitation_id) = 1);
ALTER TABLE restaurants DROP COLUMN refused_at, DROP COLUMN refusal;
