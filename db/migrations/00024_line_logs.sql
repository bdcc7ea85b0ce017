-- The logs of lines, as far as all who stand in them are answered: arrival numbers, fences and hashes of tickets, no names.

-- +goose Up

CREATE TABLE line_logs (
    line       text        NOT NULL, -- its public id
    log_id     text        NOT NULL, -- of its first entry; a line that begins anew has another log
    stored_at  timestamptz NOT NULL DEFAULT clock_timestamp(), -- last
    CONSTRAINT line_logs_pkey PRIMARY KEY (line, log_id)
);

CREATE INDEX line_logs_stored ON line_logs (stored_at);

CREATE TABLE line_log_entries (
    line   text    NOT NULL,
    log_id text    NOT NULL,
    number integer NOT NULL, -- from 0
    entry  text    NOT NULL,
    CONSTRAINT line_log_entries_pkey PRIMARY KEY (line, log_id, number),
    CONSTRAINT line_log_entries_log FOREIGN KEY (line, log_id) REFERENCES line_logs ON DELETE CASCADE
);

-- +goose Down
DROP TABLE line_log_entries;
DROP TABLE line_logs;
