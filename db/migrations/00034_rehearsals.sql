-- Rehearsals: simulated guests press at the same moment at a copy of a restaurant.

-- +goose Up

-- shadow_id is the copy, which is deleted when the rehearsal has ended; ends_by bounds one whose process died. report is what the
-- guests lived through, while it runs what is known so far.
CREATE TABLE rehearsals (
    id            text        PRIMARY KEY,
    restaurant_id bigint      NOT NULL,
    started_by    text        NOT NULL,
    shadow_id     bigint,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    ends_by       timestamptz NOT NULL,
    ended_at      timestamptz,
    report        jsonb       NOT NULL DEFAULT '{}',
    CONSTRAINT rehearsals_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id),
    CONSTRAINT rehearsals_started_by FOREIGN KEY (started_by) REFERENCES users (id)
);

CREATE INDEX rehearsals_newest ON rehearsals (restaurant_id, created_at);
CREATE INDEX rehearsals_running ON rehearsals (ends_by) WHERE ended_at IS NULL;

-- +goose Down
DROP TABLE rehearsals;
