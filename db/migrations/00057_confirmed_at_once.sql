-- A new reservation of an account may be confirmed from the first: its diner gets the letter that says so.

-- +goose Up
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION follow_new_reservations() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    of_deleted  boolean;
    late        boolean;
    confirmed   boolean;
    of_waiting  boolean;
    wanted      boolean;
    restaurant  bigint;
    ids         text[];
    types       text[];
BEGIN
    SELECT bool_or(u.deleted_at IS NOT NULL),
        bool_or(made.state = 'temporary' AND made.arrival > 0
            AND made.created_at - to_timestamp(made.arrival / 1e6) > interval '10 seconds'),
        bool_or(made.state = 'confirmed' AND made.user_id IS NOT NULL),
        bool_or(EXISTS (SELECT FROM waitlist_entries WHERE user_id = made.user_id AND state = 'waiting')),
        EXISTS (SELECT FROM event_feeds WHERE name = 'kafka' AND wanted_until > statement_timestamp())
            OR bool_or(EXISTS (SELECT FROM webhook_endpoints WHERE restaurant_id = made.restaurant_id AND state IN ('active', 'paused')))
    INTO of_deleted, late, confirmed, of_waiting, wanted
    FROM made
    LEFT JOIN LATERAL (SELECT deleted_at FROM users WHERE id = made.user_id LIMIT 1) u ON true;

    IF of_deleted THEN
        RAISE EXCEPTION 'the account is deleted' USING ERRCODE = 'check_violation', CONSTRAINT = 'users_deleted_do_nothing';
    END IF;

    -- Whoever has stood in line for a while may be looking elsewhere. Arrival numbers are microseconds.
    IF late THEN
        INSERT INTO mails (kind, user_id, reservation_id)
        SELECT 'turn', made.user_id, made.id
        FROM made
        JOIN restaurants p ON p.id = made.restaurant_id AND NOT p.shadow
        WHERE made.state = 'temporary' AND made.arrival > 0
            AND made.created_at - to_timestamp(made.arrival / 1e6) > interval '10 seconds';
    END IF;

    IF confirmed THEN
        INSERT INTO mails (kind, user_id, reservation_id)
        SELECT 'confirmed', made.user_id, made.id
        FROM made
        JOIN restaurants p ON p.id = made.restaurant_id AND NOT p.shadow
        WHERE made.state = 'confirmed' AND made.user_id IS NOT NULL;
    END IF;

    -- Whoever sits in a slot does not wait for it any more.
    IF of_waiting THEN
        UPDATE waitlist_entries w
        SET state = 'left', ended_at = clock_timestamp()
        FROM made
        WHERE w.user_id = made.user_id AND w.state = 'waiting' AND needs_seats_of(w, made.id)
            AND made.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending');
    END IF;

    IF wanted THEN
        FOR restaurant IN SELECT DISTINCT restaurant_id FROM made LOOP
            CONTINUE WHEN NOT wants_events(restaurant);
            SELECT array_agg(id ORDER BY ordinal), array_agg(reservation_event(NULL, state) ORDER BY ordinal) INTO ids, types
            FROM made
            WHERE restaurant_id = restaurant;
            PERFORM write_reservation_events(restaurant, ids, types);
        END LOOP;
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION follow_new_reservations() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    of_deleted  boolean;
    late        boolean;
    of_waiting  boolean;
    wanted      boolean;
    restaurant  bigint;
    ids         text[];
    types       text[];
BEGIN
    SELECT bool_or(u.deleted_at IS NOT NULL),
        bool_or(made.state = 'temporary' AND made.arrival > 0
            AND made.created_at - to_timestamp(made.arrival / 1e6) > interval '10 seconds'),
        bool_or(EXISTS (SELECT FROM waitlist_entries WHERE user_id = made.user_id AND state = 'waiting')),
        EXISTS (SELECT FROM event_feeds WHERE name = 'kafka' AND wanted_until > statement_timestamp())
            OR bool_or(EXISTS (SELECT FROM webhook_endpoints WHERE restaurant_id = made.restaurant_id AND state IN ('active', 'paused')))
    INTO of_deleted, late, of_waiting, wanted
    FROM made
    LEFT JOIN LATERAL (SELECT deleted_at FROM users WHERE id = made.user_id LIMIT 1) u ON true;

    IF of_deleted THEN
        RAISE EXCEPTION 'the account is deleted' USING ERRCODE = 'check_violation', CONSTRAINT = 'users_deleted_do_nothing';
    END IF;

    -- Whoever has stood in line for a while may be looking elsewhere. Arrival numbers are microseconds.
    IF late THEN
        INSERT INTO mails (kind, user_id, reservation_id)
        SELECT 'turn', made.user_id, made.id
        FROM made
        JOIN restaurants p ON p.id = made.restaurant_id AND NOT p.shadow
        WHERE made.state = 'temporary' AND made.arrival > 0
            AND made.created_at - to_timestamp(made.arrival / 1e6) > interval '10 seconds';
    END IF;

    -- Whoever sits in a slot does not wait for it any more.
    IF of_waiting THEN
        UPDATE waitlist_entries w
        SET state = 'left', ended_at = clock_timestamp()
        FROM made
        WHERE w.user_id = made.user_id AND w.state = 'waiting' AND needs_seats_of(w, made.id)
            AND made.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending');
    END IF;

    IF wanted THEN
        FOR restaurant IN SELECT DISTINCT restaurant_id FROM made LOOP
            CONTINUE WHEN NOT wants_events(restaurant);
            SELECT array_agg(id ORDER BY ordinal), array_agg(reservation_event(NULL, state) ORDER BY ordinal) INTO ids, types
            FROM made
            WHERE restaurant_id = restaurant;
            PERFORM write_reservation_events(restaurant, ids, types);
        END LOOP;
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
