-- +goose Up

-- Room in the page keeps the update of the fence, one a turn, within it.
CREATE TABLE slots (
    id            bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    restaurant_id bigint  NOT NULL,
    service_date  date    NOT NULL,
    service_time  time    NOT NULL,
    capacity      integer NOT NULL,
    closed        boolean NOT NULL DEFAULT false,
    fence         bigint  NOT NULL DEFAULT 0,
    CONSTRAINT slots_one_per_time UNIQUE (restaurant_id, service_date, service_time),
    CONSTRAINT slots_of_restaurant UNIQUE (id, restaurant_id),
    CONSTRAINT slots_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id),
    CONSTRAINT slots_capacity CHECK (capacity >= 0)
) WITH (fillfactor = 50);

-- The ordinal is the order in which reservations were decided; the arrival is the order in which they stood in line.
CREATE TABLE reservations (
    id              text        PRIMARY KEY,
    ordinal         bigint      GENERATED ALWAYS AS IDENTITY,
    slot_id         bigint      NOT NULL,
    restaurant_id   bigint      NOT NULL,
    user_id         text        NOT NULL,
    party_size      integer     NOT NULL,
    state           text        NOT NULL,
    hold_expires_at timestamptz NOT NULL,
    deposit_amount  bigint      NOT NULL,
    menu_amount     bigint      NOT NULL,
    paid_amount     bigint      NOT NULL DEFAULT 0,
    refund_amount   bigint      NOT NULL DEFAULT 0,
    policy          jsonb       NOT NULL,
    note            text        NOT NULL DEFAULT '',
    allergies       text        NOT NULL DEFAULT '',
    idempotency_key text        NOT NULL,
    payment_key     text        NOT NULL DEFAULT '',
    payment_kind    text        NOT NULL DEFAULT '',
    ticket          text        NOT NULL DEFAULT '',
    arrival         bigint      NOT NULL DEFAULT 0,
    fence           bigint      NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT reservations_user_key UNIQUE (user_id, idempotency_key),
    CONSTRAINT reservations_slot FOREIGN KEY (slot_id, restaurant_id) REFERENCES slots (id, restaurant_id),
    CONSTRAINT reservations_user FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT reservations_party_size CHECK (party_size > 0),
    CONSTRAINT reservations_amounts CHECK (deposit_amount >= 0 AND menu_amount >= 0 AND paid_amount >= 0),
    CONSTRAINT reservations_refund CHECK (refund_amount BETWEEN 0 AND paid_amount),
    CONSTRAINT reservations_key_given CHECK (idempotency_key <> ''),
    CONSTRAINT reservations_state CHECK (state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'expired', 'cancelled',
        'completed', 'no_show', 'refund_pending', 'refunded'))
) WITH (fillfactor = 80);

-- Only the states that hold seats count: after an expiry or a refund the diner may come again. The index also answers
-- how many seats of a slot are taken.
CREATE UNIQUE INDEX reservations_one_live ON reservations (slot_id, user_id)
    WHERE state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending');

CREATE UNIQUE INDEX reservations_ticket ON reservations (ticket) WHERE ticket <> '';
CREATE INDEX reservations_by_slot ON reservations (slot_id);
CREATE INDEX reservations_hold_ends ON reservations (hold_expires_at) WHERE state = 'temporary';
CREATE INDEX reservations_refund_due ON reservations (ordinal) WHERE state = 'refund_pending';

-- Name and price are the menu's at the time of the reservation.
CREATE TABLE reservation_items (
    reservation_id text    NOT NULL,
    menu_item_id   bigint  NOT NULL,
    name_ko        text    NOT NULL,
    name_en        text    NOT NULL,
    quantity       integer NOT NULL,
    unit_price     bigint  NOT NULL,
    CONSTRAINT reservation_items_pk PRIMARY KEY (reservation_id, menu_item_id),
    CONSTRAINT reservation_items_reservation FOREIGN KEY (reservation_id) REFERENCES reservations (id),
    CONSTRAINT reservation_items_menu_item FOREIGN KEY (menu_item_id) REFERENCES menu_items (id),
    CONSTRAINT reservation_items_quantity CHECK (quantity > 0),
    CONSTRAINT reservation_items_price CHECK (unit_price >= 0)
);

-- +goose Down
DROP TABLE reservation_items, reservations, slots;
