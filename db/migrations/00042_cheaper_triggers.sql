-- What the triggers of reservations ask costs little where the answer is no: nobody wants events, no account is deleted.

-- +goose Up

-- +goose StatementBegin
-- Functions in PL/pgSQL keep the plans of their queries in a session; those in SQL are planned at each call, which took longer than
-- to insert a reservation.
CREATE OR REPLACE FUNCTION wants_kafka() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (SELECT FROM event_feeds WHERE name = 'kafka' AND wanted_until > statement_timestamp());
END
$$;

CREATE OR REPLACE FUNCTION wants_webhooks(restaurant bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (SELECT FROM webhook_endpoints WHERE restaurant_id = restaurant AND state IN ('active', 'paused'));
END
$$;

CREATE OR REPLACE FUNCTION wants_events(restaurant bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (wants_kafka() OR wants_webhooks(restaurant)) AND NOT EXISTS (SELECT FROM restaurants WHERE id = restaurant AND shadow);
END
$$;

-- Each account is looked up by its key: a join reads all users where the planner thinks that they are few.
CREATE OR REPLACE FUNCTION refuse_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT
        FROM made
        CROSS JOIN LATERAL (SELECT deleted_at FROM users WHERE id = made.user_id LIMIT 1) u
        WHERE u.deleted_at IS NOT NULL
    ) THEN
        RAISE EXCEPTION 'the account is deleted' USING ERRCODE = 'check_violation', CONSTRAINT = 'users_deleted_do_nothing';
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION refuse_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM made JOIN users u ON u.id = made.user_id WHERE u.deleted_at IS NOT NULL) THEN
        RAISE EXCEPTION 'the account is deleted' USING ERRCODE = 'check_violation', CONSTRAINT = 'users_deleted_do_nothing';
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION wants_events(restaurant bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT (wants_kafka() OR wants_webhooks(restaurant)) AND NOT EXISTS (SELECT FROM restaurants WHERE id = restaurant AND shadow)
$$;

CREATE OR REPLACE FUNCTION wants_webhooks(restaurant bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM webhook_endpoints WHERE restaurant_id = restaurant AND state IN ('active', 'paused'))
$$;

CREATE OR REPLACE FUNCTION wants_kafka() RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM event_feeds WHERE name = 'kafka' AND wanted_until > statement_timestamp())
$$;
-- +goose StatementEnd
