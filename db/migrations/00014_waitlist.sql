-- +goose Up

-- Who waits for seats in a slot that has too few. The ordinal is the order of the list: it is drawn under the lock of the
-- slot's row. An entry that waits changes under the lock of one of its slots, and is offered seats under those of all. After its offer an entry follows the reservation that was offered.
CREATE TABLE waitlist_entries (
    id              text        PRIMARY KEY,
    ordinal         bigint      GENERATED ALWAYS AS IDENTITY,
    slot_id         bigint      NOT NULL,
    restaurant_id   bigint      NOT NULL,
    times           text[]      NOT NULL,
    user_id         text        NOT NULL,
    party_size      integer     NOT NULL,
    state           text        NOT NULL DEFAULT 'waiting',
    passes          integer     NOT NULL DEFAULT 0,
    reservation_id  text,
    idempotency_key text        NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    offered_at      timestamptz,
    ended_at        timestamptz,
    CONSTRAINT waitlist_user_key UNIQUE (user_id, idempotency_key),
    CONSTRAINT waitlist_slot FOREIGN KEY (slot_id, restaurant_id) REFERENCES slots (id, restaurant_id),
    CONSTRAINT waitlist_user FOREIGN KEY (user_id) REFERENCES users (id),
    -- The entry says what it was offered before the reservation is made: whoever gets one otherwise leaves the list.
    CONSTRAINT waitlist_reservation FOREIGN KEY (reservation_id) REFERENCES reservations (id) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT waitlist_party_size CHECK (party_size > 0),
    CONSTRAINT waitlist_times CHECK (cardinality(times) > 0),
    CONSTRAINT waitlist_passes CHECK (passes BETWEEN 0 AND 3),
    CONSTRAINT waitlist_key_given CHECK (idempotency_key <> ''),
    CONSTRAINT waitlist_state CHECK (state IN ('waiting', 'offered', 'accepted', 'declined', 'lapsed', 'left', 'over')),
    CONSTRAINT waitlist_offer CHECK ((state IN ('offered', 'accepted', 'declined', 'lapsed')) = (reservation_id IS NOT NULL)
        AND (reservation_id IS NULL) = (offered_at IS NULL))
);

CREATE UNIQUE INDEX waitlist_one_live ON waitlist_entries (slot_id, user_id) WHERE state IN ('waiting', 'offered');
CREATE UNIQUE INDEX waitlist_one_offer ON waitlist_entries (reservation_id) WHERE reservation_id IS NOT NULL;
CREATE INDEX waitlist_waiting ON waitlist_entries (slot_id, ordinal) WHERE state = 'waiting';
CREATE INDEX waitlist_by_user ON waitlist_entries (user_id);

-- The slots in which a party needs seats after its first, as in reservation_stays.
CREATE TABLE waitlist_stays (
    entry_id text   NOT NULL,
    slot_id  bigint NOT NULL,
    CONSTRAINT waitlist_stays_pk PRIMARY KEY (entry_id, slot_id),
    CONSTRAINT waitlist_stays_entry FOREIGN KEY (entry_id) REFERENCES waitlist_entries (id),
    CONSTRAINT waitlist_stays_slot FOREIGN KEY (slot_id) REFERENCES slots (id)
);

CREATE INDEX waitlist_stays_by_slot ON waitlist_stays (slot_id);

-- Who waits for a slot, whether they come then or stay.
CREATE VIEW waiting_parties AS
SELECT slot_id, id AS entry_id, ordinal, times, user_id, party_size, passes
FROM waitlist_entries
WHERE state = 'waiting'
UNION ALL
SELECT stay.slot_id, w.id, w.ordinal, w.times, w.user_id, w.party_size, w.passes
FROM waitlist_stays stay
CROSS JOIN LATERAL (
    SELECT id, ordinal, times, user_id, party_size, passes
    FROM waitlist_entries
    WHERE id = stay.entry_id AND state = 'waiting'
    LIMIT 1
) w;

-- Whether an entry waits for seats in a slot in which a reservation has some.
CREATE FUNCTION needs_seats_of(w waitlist_entries, reservation text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM (
            SELECT slot_id FROM reservations WHERE id = reservation
            UNION ALL
            SELECT slot_id FROM reservation_stays WHERE reservation_id = reservation
        ) has
        WHERE has.slot_id = w.slot_id
            OR EXISTS (SELECT FROM waitlist_stays WHERE entry_id = w.id AND slot_id = has.slot_id)
    )
$$;

-- Whatever becomes of a reservation, the waitlist knows: of one that was offered, and of one by which a diner who waits sits
-- in the slot otherwise.
-- +goose StatementBegin
CREATE FUNCTION waitlist_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        UPDATE waitlist_entries w
        SET state = 'left', ended_at = clock_timestamp()
        FROM made
        WHERE w.user_id = made.user_id AND w.state = 'waiting' AND needs_seats_of(w, made.id)
            AND made.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending');
    ELSE
        UPDATE waitlist_entries w
        SET state = CASE after.state WHEN 'expired' THEN 'lapsed' WHEN 'cancelled' THEN 'declined' ELSE 'accepted' END,
            ended_at = CASE WHEN after.state IN ('expired', 'cancelled') THEN clock_timestamp() END
        FROM after
        JOIN before ON before.id = after.id
        WHERE w.reservation_id = after.id AND before.state IN ('temporary', 'expired') AND after.state <> before.state;

        UPDATE waitlist_entries w
        SET state = 'left', ended_at = clock_timestamp()
        FROM after
        JOIN before ON before.id = after.id
        WHERE w.user_id = after.user_id AND w.state = 'waiting' AND needs_seats_of(w, after.id)
            AND after.state IN ('temporary', 'confirmed', 'prepaid_confirmed')
            AND (after.slot_id <> before.slot_id OR before.state = 'expired');
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER waitlist_made AFTER INSERT ON reservations
    REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION waitlist_follows();

CREATE TRIGGER waitlist_changed AFTER UPDATE ON reservations
    REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION waitlist_follows();

-- An offer is written to its diner.
ALTER TABLE mails DROP CONSTRAINT mails_kind,
    ADD CONSTRAINT mails_kind CHECK (kind IN ('turn', 'confirmed', 'changed', 'cancelled', 'refunded', 'reminder', 'offer'));

-- +goose Down
DELETE FROM mails WHERE kind = 'offer';
ALTER TABLE mails DROP CONSTRAINT mails_kind,
    ADD CONSTRAINT mails_kind CHECK (kind IN ('turn', 'confirmed', 'changed', 'cancelled', 'refunded', 'reminder'));
DROP TRIGGER waitlist_changed ON reservations;
DROP TRIGGER waitlist_made ON reservations;
DROP FUNCTION waitlist_follows;
DROP FUNCTION needs_seats_of;
DROP VIEW waiting_parties;
DROP TABLE waitlist_stays, waitlist_entries;
