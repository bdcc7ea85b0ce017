-- Parties that wait at the door for a table, with what they say of themselves for as long as their day lasts.

-- +goose Up
CREATE TABLE door_parties (
    id              text        PRIMARY KEY,
    restaurant_id   bigint      NOT NULL,
    service_date    date        NOT NULL,
    number          integer     NOT NULL,
    staff_id        text        NOT NULL,
    idempotency_key text        NOT NULL,
    name            text        NOT NULL DEFAULT '',
    phone           text        NOT NULL DEFAULT '',
    party_size      integer     NOT NULL,
    state           text        NOT NULL DEFAULT 'waiting',
    joined_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    called_at       timestamptz,
    ended_at        timestamptz,
    passed          integer     NOT NULL DEFAULT 0,
    claimed_by      text,
    claimed_at      timestamptz,
    attempt         integer     NOT NULL DEFAULT 0, -- to seat it: part of the key of its reservation
    reservation_id  text,
    CONSTRAINT door_parties_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id) ON DELETE CASCADE,
    CONSTRAINT door_parties_staff FOREIGN KEY (staff_id) REFERENCES users (id),
    CONSTRAINT door_parties_claimed_by FOREIGN KEY (claimed_by) REFERENCES users (id),
    CONSTRAINT door_parties_reservation FOREIGN KEY (reservation_id) REFERENCES reservations (id) ON DELETE CASCADE,
    CONSTRAINT door_parties_state CHECK (state IN ('waiting', 'called', 'seated', 'gone', 'left')),
    CONSTRAINT door_parties_size CHECK (party_size > 0),
    CONSTRAINT door_parties_number UNIQUE (restaurant_id, service_date, number),
    CONSTRAINT door_parties_key UNIQUE (staff_id, idempotency_key),
    CONSTRAINT door_parties_table CHECK (state <> 'seated' OR reservation_id IS NOT NULL)
);
CREATE INDEX door_parties_by_date ON door_parties (service_date);

-- +goose Down
DROP TABLE door_parties;
