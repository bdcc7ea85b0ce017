-- Events: what happens to reservations, slots and wallets, for whoever wants to know it outside the database.
-- What writes which event is said in three places: reservation_event below, the triggers after it, and db/outbox/slots.go
-- for slots that sell out or come free.

-- +goose Up

-- Events in the transaction that changes the truth. An id is drawn while the row is locked that the event is about, so the ids of
-- one key rise in the order of the commits; those of different keys need not: a consumer takes the rows that wait for it.
CREATE TABLE outbox (
    id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    type          text        NOT NULL,
    key           text        NOT NULL, -- of a reservation, a slot or an account: its order is kept
    restaurant_id bigint,               -- null for wallets
    at            timestamptz NOT NULL DEFAULT clock_timestamp(),
    data          jsonb       NOT NULL,
    kafka         boolean     NOT NULL, -- waits to be sent to Kafka
    webhooks      boolean     NOT NULL  -- waits to be handed to the endpoints of its restaurant
);

CREATE INDEX outbox_kafka ON outbox (id) WHERE kafka;
CREATE INDEX outbox_webhooks ON outbox (id) WHERE webhooks;

-- What wants events of all restaurants, and until when unless it says so again. One process at a time serves a feed: the holder.
CREATE TABLE event_feeds (
    name         text        PRIMARY KEY,
    wanted_until timestamptz NOT NULL,
    holder       text        NOT NULL,
    held_until   timestamptz NOT NULL
);

-- Days of restaurants on which seats were taken or came free: they are looked at for slots that sell out or have seats again.
CREATE TABLE touched_days (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    restaurant_id bigint NOT NULL,
    service_date  date   NOT NULL
);

-- The slots whose last event of that kind said that they are sold out.
CREATE TABLE sold_out_slots (
    slot_id bigint PRIMARY KEY
);

-- +goose StatementBegin
CREATE FUNCTION wants_kafka() RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM event_feeds WHERE name = 'kafka' AND wanted_until > statement_timestamp())
$$;

-- wants_webhooks says whether an endpoint of a restaurant wants events.
CREATE FUNCTION wants_webhooks(restaurant bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT false
$$;

-- wants_events says whether anything wants the events of a restaurant. Nothing is said of load tests and rehearsals.
CREATE FUNCTION wants_events(restaurant bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT (wants_kafka() OR wants_webhooks(restaurant)) AND NOT EXISTS (SELECT FROM restaurants WHERE id = restaurant AND shadow)
$$;

CREATE FUNCTION event_time(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

-- reservation_event is the type of event when a reservation goes from a state to another; was is null for a new one. A mark that is
-- undone, and whatever leaves the state as it is, is a change.
CREATE FUNCTION reservation_event(was text, state text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT 'lunchgo.reservation.' || CASE
        WHEN was = state
            OR state IN ('confirmed', 'prepaid_confirmed') AND was NOT IN ('temporary', 'expired')
            OR state = 'arrived' AND was NOT IN ('confirmed', 'prepaid_confirmed')
            OR state = 'seated' AND was NOT IN ('confirmed', 'prepaid_confirmed', 'arrived')
        THEN 'changed'
        ELSE CASE state
            WHEN 'temporary' THEN 'held'
            WHEN 'prepaid_confirmed' THEN 'confirmed'
            WHEN 'refund_pending' THEN 'cancelled'
            ELSE state -- confirmed, expired, cancelled, arrived, seated, completed, no_show, refunded
        END
    END
$$;

-- write_reservation_events writes events of reservations of a restaurant that wants_events, with their whole state, which is read
-- as the transaction has made it by now. Whoever writes what belongs to a reservation later has to call it after that.
CREATE FUNCTION write_reservation_events(restaurant bigint, ids text[], types text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    to_kafka    boolean := wants_kafka();
    to_webhooks boolean := wants_webhooks(restaurant);
BEGIN
    INSERT INTO outbox (type, key, restaurant_id, data, kafka, webhooks)
    SELECT event.type, r.id, restaurant, jsonb_build_object(
            'id', r.id,
            'state', r.state,
            'source', r.source,
            'restaurantId', restaurant,
            'userId', r.user_id,
            'date', to_char(s.service_date, 'YYYY-MM-DD'),
            'time', to_char(s.service_time, 'HH24:MI'),
            'startsAt', event_time((s.service_date + s.service_time) AT TIME ZONE p.time_zone),
            'slotMinutes', COALESCE((r.policy ->> 'slotMinutes')::integer, p.slot_minutes),
            'stay', ARRAY(
                SELECT to_char(further.service_time, 'HH24:MI')
                FROM reservation_stays stay
                JOIN slots further ON further.id = stay.slot_id
                WHERE stay.reservation_id = r.id
                ORDER BY further.service_time
            ),
            'partySize', r.party_size,
            'seatIds', ARRAY(
                SELECT seat_id
                FROM reservation_seats
                WHERE reservation_id = r.id AND slot_id = r.slot_id
                ORDER BY seat_id
            ),
            'items', COALESCE((
                SELECT jsonb_agg(jsonb_build_object('menuItemId', menu_item_id, 'quantity', quantity, 'unitPrice', unit_price)
                    ORDER BY menu_item_id)
                FROM reservation_items
                WHERE reservation_id = r.id
            ), '[]'),
            'depositAmount', r.deposit_amount,
            'menuAmount', r.menu_amount,
            'couponId', r.coupon_id,
            'discountAmount', r.discount_amount,
            'paymentKind', NULLIF(r.payment_kind, ''),
            'paidAmount', r.paid_amount,
            'refundAmount', r.refund_amount,
            'holdExpiresAt', CASE WHEN r.state = 'temporary' THEN event_time(r.hold_expires_at) END,
            'arrivedAt', event_time(r.arrived_at),
            'seatedAt', event_time(r.seated_at),
            'endedAt', event_time(r.ended_at),
            'changes', r.changes,
            'createdAt', event_time(r.created_at)
        ), to_kafka, to_webhooks
    FROM unnest(ids, types) WITH ORDINALITY AS event (id, type, number)
    CROSS JOIN LATERAL (
        SELECT id, state, source, user_id, slot_id, policy, party_size, deposit_amount, menu_amount, coupon_id, discount_amount,
            payment_kind, paid_amount, refund_amount, hold_expires_at, arrived_at, seated_at, ended_at, changes, created_at
        FROM reservations
        WHERE id = event.id
        LIMIT 1
    ) r
    CROSS JOIN LATERAL (SELECT service_date, service_time FROM slots WHERE id = r.slot_id LIMIT 1) s
    CROSS JOIN LATERAL (SELECT time_zone, slot_minutes FROM restaurants WHERE id = restaurant LIMIT 1) p
    ORDER BY event.number;

    INSERT INTO touched_days (restaurant_id, service_date)
    SELECT DISTINCT restaurant, s.service_date
    FROM unnest(ids) AS event (id)
    CROSS JOIN LATERAL (SELECT slot_id FROM reservations WHERE id = event.id LIMIT 1) r
    CROSS JOIN LATERAL (SELECT service_date FROM slots WHERE id = r.slot_id LIMIT 1) s;
END
$$;

-- Reservations that are made, and those that go on to another state or get another deadline, payment or mark. A change of what is
-- reserved raises their number of changes: it is not complete yet, and its event follows with its row of reservation_changes.
CREATE FUNCTION reservations_to_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    restaurant bigint;
    ids        text[];
    types      text[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        FOR restaurant IN SELECT DISTINCT restaurant_id FROM made LOOP
            CONTINUE WHEN NOT wants_events(restaurant);
            SELECT array_agg(id ORDER BY ordinal), array_agg(reservation_event(NULL, state) ORDER BY ordinal) INTO ids, types
            FROM made
            WHERE restaurant_id = restaurant;
            PERFORM write_reservation_events(restaurant, ids, types);
        END LOOP;
    ELSE
        FOR restaurant IN SELECT DISTINCT restaurant_id FROM after LOOP
            CONTINUE WHEN NOT wants_events(restaurant);
            SELECT array_agg(after.id ORDER BY after.ordinal),
                array_agg(reservation_event(before.state, after.state) ORDER BY after.ordinal) INTO ids, types
            FROM after
            JOIN before ON before.id = after.id
            WHERE after.restaurant_id = restaurant AND (after.state <> before.state OR after.changes = before.changes
                AND (before.slot_id, before.party_size, before.deposit_amount, before.menu_amount, before.discount_amount,
                        before.paid_amount, before.refund_amount, before.arrived_at, before.seated_at, before.ended_at,
                        CASE before.state WHEN 'temporary' THEN before.hold_expires_at END)
                    IS DISTINCT FROM (after.slot_id, after.party_size, after.deposit_amount, after.menu_amount, after.discount_amount,
                        after.paid_amount, after.refund_amount, after.arrived_at, after.seated_at, after.ended_at,
                        CASE after.state WHEN 'temporary' THEN after.hold_expires_at END));
            CONTINUE WHEN ids IS NULL;
            PERFORM write_reservation_events(restaurant, ids, types);
        END LOOP;
    END IF;
    RETURN NULL;
END
$$;

-- What diners and staff change of what is reserved: another slot, party, menu or table. The day that it leaves has seats again.
CREATE FUNCTION changes_to_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    restaurant bigint;
    ids        text[];
BEGIN
    FOR restaurant IN SELECT DISTINCT s.restaurant_id FROM made JOIN slots s ON s.id = made.to_slot_id LOOP
        CONTINUE WHEN NOT wants_events(restaurant);
        SELECT array_agg(DISTINCT made.reservation_id) INTO ids
        FROM made
        JOIN slots s ON s.id = made.to_slot_id
        WHERE s.restaurant_id = restaurant;
        PERFORM write_reservation_events(restaurant, ids, array_fill('lunchgo.reservation.changed'::text, ARRAY[cardinality(ids)]));
        INSERT INTO touched_days (restaurant_id, service_date)
        SELECT DISTINCT restaurant, s.service_date
        FROM made
        JOIN slots s ON s.id = made.from_slot_id
        WHERE s.restaurant_id = restaurant AND made.from_slot_id <> made.to_slot_id;
    END LOOP;
    RETURN NULL;
END
$$;

-- write_slot_event writes an event of a slot with its whole state. The caller has locked the slot's row.
CREATE FUNCTION write_slot_event(slot bigint, kind text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO outbox (type, key, restaurant_id, data, kafka, webhooks)
    SELECT 'lunchgo.slot.' || kind,
        s.restaurant_id || '/' || to_char(s.service_date, 'YYYY-MM-DD') || '/' || to_char(s.service_time, 'HH24:MI'),
        s.restaurant_id, jsonb_build_object(
            'restaurantId', s.restaurant_id,
            'date', to_char(s.service_date, 'YYYY-MM-DD'),
            'time', to_char(s.service_time, 'HH24:MI'),
            'startsAt', event_time((s.service_date + s.service_time) AT TIME ZONE p.time_zone),
            'capacity', s.capacity,
            'closed', s.closed OR p.stopped_at IS NOT NULL,
            'paused', s.paused,
            'soldOut', EXISTS (SELECT FROM sold_out_slots WHERE slot_id = s.id)
        ), wants_kafka(), wants_webhooks(s.restaurant_id)
    FROM slots s
    JOIN restaurants p ON p.id = s.restaurant_id
    WHERE s.id = slot
$$;

-- Slots that staff close, pause, open again or give another capacity. While their restaurant is stopped they are closed anyway.
CREATE FUNCTION slots_to_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    stopped boolean;
BEGIN
    IF NOT wants_events(NEW.restaurant_id) THEN
        RETURN NULL;
    END IF;
    stopped := EXISTS (SELECT FROM restaurants WHERE id = NEW.restaurant_id AND stopped_at IS NOT NULL);
    IF NEW.capacity <> OLD.capacity THEN
        PERFORM write_slot_event(NEW.id, 'capacity_changed');
        INSERT INTO touched_days (restaurant_id, service_date) VALUES (NEW.restaurant_id, NEW.service_date);
    END IF;
    IF NEW.closed AND NOT OLD.closed AND NOT stopped THEN
        PERFORM write_slot_event(NEW.id, 'closed');
    END IF;
    IF NEW.paused AND NOT OLD.paused THEN
        PERFORM write_slot_event(NEW.id, 'paused');
    END IF;
    IF OLD.closed AND NOT NEW.closed AND NOT stopped OR OLD.paused AND NOT NEW.paused THEN
        PERFORM write_slot_event(NEW.id, 'reopened');
    END IF;
    RETURN NULL;
END
$$;

-- A restaurant that stops closes all its slots to come, whose rows its transaction has locked.
CREATE FUNCTION stops_to_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF wants_events(NEW.id) THEN
        PERFORM write_slot_event(id, CASE WHEN NEW.stopped_at IS NULL THEN 'reopened' ELSE 'closed' END)
        FROM slots
        WHERE restaurant_id = NEW.id AND NOT closed AND service_date >= (statement_timestamp() AT TIME ZONE NEW.time_zone)::date
        ORDER BY service_date, service_time;
    END IF;
    RETURN NULL;
END
$$;

-- Money that enters or leaves a wallet, of load tests and rehearsals excepted. Restaurants are not concerned.
CREATE FUNCTION ledger_to_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT wants_kafka() THEN
        RETURN NULL;
    END IF;
    INSERT INTO outbox (type, key, data, kafka, webhooks)
    SELECT 'lunchgo.wallet.' || CASE
            WHEN added.kind = 'charge' THEN 'charged'
            WHEN added.kind = 'withdrawal' THEN 'withdrawn'
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

CREATE TRIGGER reservations_outbox_made AFTER INSERT ON reservations
    REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION reservations_to_outbox();
CREATE TRIGGER reservations_outbox_changed AFTER UPDATE ON reservations
    REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION reservations_to_outbox();
CREATE TRIGGER reservation_changes_outbox AFTER INSERT ON reservation_changes
    REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION changes_to_outbox();
CREATE TRIGGER ledger_entries_outbox AFTER INSERT ON ledger_entries
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_to_outbox();

-- Each turn writes the row of its slot: for each row, with conditions, costs it nothing.
CREATE TRIGGER slots_outbox AFTER UPDATE OF capacity, closed, paused ON slots
    FOR EACH ROW WHEN ((OLD.capacity, OLD.closed, OLD.paused) IS DISTINCT FROM (NEW.capacity, NEW.closed, NEW.paused))
    EXECUTE FUNCTION slots_to_outbox();
CREATE TRIGGER restaurants_outbox AFTER UPDATE OF stopped_at ON restaurants
    FOR EACH ROW WHEN ((OLD.stopped_at IS NULL) <> (NEW.stopped_at IS NULL))
    EXECUTE FUNCTION stops_to_outbox();

-- +goose Down
DROP TRIGGER restaurants_outbox ON restaurants;
DROP TRIGGER slots_outbox ON slots;
DROP TRIGGER ledger_entries_outbox ON ledger_entries;
DROP TRIGGER reservation_changes_outbox ON reservation_changes;
DROP TRIGGER reservations_outbox_changed ON reservations;
DROP TRIGGER reservations_outbox_made ON reservations;
DROP FUNCTION ledger_to_outbox, stops_to_outbox, slots_to_outbox, write_slot_event, changes_to_outbox, reservations_to_outbox,
    write_reservation_events, reservation_event, event_time, wants_events, wants_webhooks, wants_kafka;
DROP TABLE sold_out_slots, touched_days, event_feeds, outbox;
