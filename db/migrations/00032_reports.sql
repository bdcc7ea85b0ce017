-- What a look back at a period reads besides reservations.

-- +goose Up

-- The waitlists of past slots are counted slot by slot.
CREATE INDEX waitlist_by_slot ON waitlist_entries (slot_id);

-- What became of those who asked for a table in line, a row a slot. Processes add up what they answered every few seconds.
CREATE TABLE line_outcomes (
    restaurant_id bigint  NOT NULL,
    service_date  date    NOT NULL,
    service_time  time    NOT NULL,
    served        integer NOT NULL DEFAULT 0,
    sold_out      integer NOT NULL DEFAULT 0,
    left_line     integer NOT NULL DEFAULT 0,
    timed_out     integer NOT NULL DEFAULT 0,
    refused       integer NOT NULL DEFAULT 0,
    CONSTRAINT line_outcomes_pk PRIMARY KEY (restaurant_id, service_date, service_time),
    CONSTRAINT line_outcomes_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id),
    CONSTRAINT line_outcomes_counts CHECK (served >= 0 AND sold_out >= 0 AND left_line >= 0 AND timed_out >= 0 AND refused >= 0)
);

-- +goose Down
DROP TABLE line_outcomes;
DROP INDEX waitlist_by_slot;
