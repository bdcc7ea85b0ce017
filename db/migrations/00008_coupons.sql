-- +goose Up

-- A campaign gives out so many coupons to whoever comes first. Room in the page keeps the update of fence and issued, one
-- a turn, within it.
CREATE TABLE coupons (
    id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug           text        NOT NULL,
    restaurant_id  bigint,
    name_ko        text        NOT NULL,
    name_en        text        NOT NULL DEFAULT '',
    description_ko text        NOT NULL DEFAULT '',
    description_en text        NOT NULL DEFAULT '',
    use            text        NOT NULL,
    amount         bigint      NOT NULL,
    total          integer     NOT NULL,
    issued         integer     NOT NULL DEFAULT 0,
    opens_at       timestamptz NOT NULL,
    closes_at      timestamptz NOT NULL,
    valid_until    timestamptz NOT NULL,
    fence          bigint      NOT NULL DEFAULT 0,
    CONSTRAINT coupons_slug_unique UNIQUE (slug),
    CONSTRAINT coupons_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id),
    CONSTRAINT coupons_use CHECK (use IN ('deposit', 'menu')),
    CONSTRAINT coupons_amount CHECK (amount > 0),
    CONSTRAINT coupons_issued CHECK (issued BETWEEN 0 AND total),
    CONSTRAINT coupons_times CHECK (opens_at < closes_at AND closes_at <= valid_until)
) WITH (fillfactor = 50);

-- A person's coupon; free while it has no reservation.
CREATE TABLE coupon_claims (
    id              text        PRIMARY KEY,
    ordinal         bigint      GENERATED ALWAYS AS IDENTITY,
    coupon_id       bigint      NOT NULL,
    user_id         text        NOT NULL,
    reservation_id  text,
    idempotency_key text        NOT NULL,
    ticket          text        NOT NULL DEFAULT '',
    arrival         bigint      NOT NULL DEFAULT 0,
    fence           bigint      NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT coupon_claims_one_a_person UNIQUE (coupon_id, user_id),
    CONSTRAINT coupon_claims_coupon FOREIGN KEY (coupon_id) REFERENCES coupons (id),
    CONSTRAINT coupon_claims_user FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT coupon_claims_reservation FOREIGN KEY (reservation_id) REFERENCES reservations (id)
) WITH (fillfactor = 80);

CREATE INDEX coupon_claims_by_user ON coupon_claims (user_id);
CREATE UNIQUE INDEX coupon_claims_ticket ON coupon_claims (ticket) WHERE ticket <> '';
CREATE UNIQUE INDEX coupon_claims_one_a_reservation ON coupon_claims (reservation_id) WHERE reservation_id IS NOT NULL;

-- +goose Down
DROP TABLE coupon_claims, coupons;
