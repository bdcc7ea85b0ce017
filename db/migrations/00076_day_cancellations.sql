-- Reservations that are to be cancelled because their day is closed, and what came of it.

-- +goose Up
CREATE TABLE day_cancellations (
    reservation_id text        PRIMARY KEY,
    closed_on      date        NOT NULL, -- only while the reservation is for that day
    staff_id       text        NOT NULL, -- who ordered it
    reason         text        NOT NULL, -- for the guest
    progress       text        NOT NULL DEFAULT 'pending',
    failure        text        NOT NULL DEFAULT '', -- code of the refusal
    attempts       integer     NOT NULL DEFAULT 0,
    due_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT day_cancellations_reservation FOREIGN KEY (reservation_id) REFERENCES reservations (id),
    CONSTRAINT day_cancellations_staff FOREIGN KEY (staff_id) REFERENCES users (id),
    CONSTRAINT day_cancellations_progress CHECK (progress IN ('pending', 'done', 'failed'))
);
CREATE INDEX day_cancellations_due ON day_cancellations (due_at) WHERE progress = 'pending';

-- +goose Down
DROP TABLE day_cancellations;
