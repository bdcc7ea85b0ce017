-- +goose Up

CREATE TABLE users (
    id            text        PRIMARY KEY,
    email         text        NOT NULL,
    name          text        NOT NULL,
    phone         text        NOT NULL DEFAULT '',
    password_hash text        NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT users_email_unique UNIQUE (email),
    CONSTRAINT users_email_lower_case CHECK (email = lower(email COLLATE "C"))
);

CREATE TABLE revoked_sessions (
    session_id text        PRIMARY KEY,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX revoked_sessions_by_time ON revoked_sessions (revoked_at);

CREATE TABLE restaurants (
    id                 bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug               text    NOT NULL,
    name_ko            text    NOT NULL,
    name_en            text    NOT NULL,
    description_ko     text    NOT NULL,
    description_en     text    NOT NULL,
    address_ko         text    NOT NULL,
    address_en         text    NOT NULL,
    district           text    NOT NULL,
    cuisine            text    NOT NULL,
    picture            text    NOT NULL,
    time_zone          text    NOT NULL,
    capacity           integer NOT NULL,
    slot_minutes       integer NOT NULL,
    deposit_per_person bigint  NOT NULL,
    hold_minutes       integer NOT NULL,
    party_min          integer NOT NULL,
    party_max          integer NOT NULL,
    lead_minutes       integer NOT NULL,
    horizon_days       integer NOT NULL,
    policy             jsonb   NOT NULL,
    shadow             boolean NOT NULL DEFAULT false,
    CONSTRAINT restaurants_slug_unique UNIQUE (slug),
    CONSTRAINT restaurants_sizes CHECK (capacity > 0 AND party_min > 0 AND party_max >= party_min),
    CONSTRAINT restaurants_times CHECK (slot_minutes > 0 AND hold_minutes > 0 AND lead_minutes >= 0 AND horizon_days >= 0),
    CONSTRAINT restaurants_deposit CHECK (deposit_per_person >= 0)
);

CREATE TABLE opening_hours (
    restaurant_id bigint   NOT NULL,
    weekday       smallint NOT NULL,
    first_time    time     NOT NULL,
    last_time     time     NOT NULL,
    CONSTRAINT opening_hours_pk PRIMARY KEY (restaurant_id, weekday, first_time),
    CONSTRAINT opening_hours_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id),
    CONSTRAINT opening_hours_weekday CHECK (weekday BETWEEN 0 AND 6),
    CONSTRAINT opening_hours_order CHECK (last_time >= first_time)
);

CREATE TABLE closures (
    restaurant_id bigint NOT NULL,
    closed_on     date   NOT NULL,
    CONSTRAINT closures_pk PRIMARY KEY (restaurant_id, closed_on),
    CONSTRAINT closures_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id)
);

CREATE TABLE menu_items (
    id             bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    restaurant_id  bigint  NOT NULL,
    position       integer NOT NULL,
    category       text    NOT NULL,
    name_ko        text    NOT NULL,
    name_en        text    NOT NULL,
    description_ko text    NOT NULL,
    description_en text    NOT NULL,
    price          bigint  NOT NULL,
    picture        text    NOT NULL DEFAULT '',
    CONSTRAINT menu_items_position UNIQUE (restaurant_id, position),
    CONSTRAINT menu_items_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id),
    CONSTRAINT menu_items_price CHECK (price >= 0)
);

CREATE TABLE staff_members (
    restaurant_id bigint NOT NULL,
    user_id       text   NOT NULL,
    role          text   NOT NULL,
    CONSTRAINT staff_members_pk PRIMARY KEY (restaurant_id, user_id),
    CONSTRAINT staff_members_restaurant FOREIGN KEY (restaurant_id) REFERENCES restaurants (id),
    CONSTRAINT staff_members_user FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT staff_members_role CHECK (role IN ('owner', 'manager', 'host'))
);

CREATE INDEX staff_members_by_user ON staff_members (user_id);

-- +goose Down
DROP TABLE staff_members, menu_items, closures, opening_hours, restaurants, revoked_sessions, users;
