-- Webhooks: addresses to which events of a restaurant are sent, and the log of what was sent.

-- +goose Up

-- An endpoint is sent to while it is active. While it is paused its deliveries wait. One that is gone or failing was disabled by
-- the program and gets none. Its secrets are sealed under the installation's SECRET.
CREATE TABLE webhook_endpoints (
    id               text        PRIMARY KEY,
    restaurant_id    bigint      NOT NULL,
    url              text        NOT NULL,
    description      text        NOT NULL,
    types            text[]      NOT NULL,
    state            text        NOT NULL DEFAULT 'active',
    secret           bytea       NOT NULL,
    old_secret       bytea,
    old_secret_until timestamptz,
    rotations        integer     NOT NULL DEFAULT 0,
    failing_since    timestamptz, -- the first try that failed since the last delivery
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT webhook_endpoints_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id) ON DELETE CASCADE,
    CONSTRAINT webhook_endpoints_one_url UNIQUE (restaurant_id, url),
    CONSTRAINT webhook_endpoints_state CHECK (state IN ('active', 'paused', 'gone', 'failing')),
    CONSTRAINT webhook_endpoints_old CHECK ((old_secret IS NULL) = (old_secret_until IS NULL))
);

-- Events on their way to endpoints, and what became of them; kept for a while after that. While a try is under way due_at is when
-- its lease ends.
CREATE TABLE webhook_deliveries (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    endpoint_id text        NOT NULL,
    message_id  text        NOT NULL,
    type        text        NOT NULL,
    at          timestamptz NOT NULL,
    data        jsonb       NOT NULL,
    state       text        NOT NULL DEFAULT 'waiting',
    tries       integer     NOT NULL DEFAULT 0,
    due_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    tried_at    timestamptz, -- of the last try, with how it ended
    status      integer     NOT NULL DEFAULT 0,
    failure     text        NOT NULL DEFAULT '',
    excerpt     text        NOT NULL DEFAULT '',
    took_ms     integer     NOT NULL DEFAULT 0,
    CONSTRAINT webhook_deliveries_endpoint FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    CONSTRAINT webhook_deliveries_one_message UNIQUE (endpoint_id, message_id),
    CONSTRAINT webhook_deliveries_state CHECK (state IN ('waiting', 'delivered', 'failed'))
);

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_log ON webhook_deliveries (endpoint_id, id);
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (endpoint_id, at) WHERE state = 'failed';
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION wants_webhooks(restaurant bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM webhook_endpoints WHERE restaurant_id = restaurant AND state IN ('active', 'paused'))
$$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION wants_webhooks(restaurant bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT false
$$;
-- +goose StatementEnd
DROP TABLE webhook_deliveries, webhook_endpoints;
