-- Seats that come free are kept for an entry that was passed three times: for half an hour at most, after which the slot rests,
-- and twice at most.

-- +goose Up
ALTER TABLE waitlist_entries
    ADD COLUMN keeps       integer NOT NULL DEFAULT 0, -- how often seats were kept for it; passes count from the last time
    ADD COLUMN kept_since  timestamptz,                -- the last time
    ADD COLUMN kept_until  timestamptz,
    ADD COLUMN keep_before timestamptz NOT NULL DEFAULT clock_timestamp(); -- from then on nothing is kept for it

UPDATE waitlist_entries w
SET keep_before = (s.service_date + s.service_time) AT TIME ZONE p.time_zone
    - greatest(p.lead_minutes, 2) * interval '1 minute' - interval '1 hour'
FROM slots s
JOIN restaurants p ON p.id = s.restaurant_id
WHERE s.id = w.slot_id;

ALTER TABLE waitlist_entries
    ALTER COLUMN keep_before DROP DEFAULT,
    ADD CONSTRAINT waitlist_keeps CHECK (keeps BETWEEN 0 AND 2 AND (keeps = 0) = (kept_since IS NULL)
        AND (kept_since IS NULL) = (kept_until IS NULL));

ALTER TABLE slots ADD COLUMN kept_until timestamptz; -- the last time that seats were kept for an entry

-- Who waits for a slot, whether they come then or stay; and when seats of one of their slots were last kept, for whomever.
DROP VIEW waiting_parties;
CREATE VIEW waiting_parties AS
SELECT slot_id, id AS entry_id, ordinal, times, user_id, party_size, passes, keeps, kept_until, keep_before,
    GREATEST((SELECT s.kept_until FROM slots s WHERE s.id = w.slot_id),
        (SELECT max(s.kept_until) FROM waitlist_stays stay JOIN slots s ON s.id = stay.slot_id WHERE stay.entry_id = w.id)
    ) AS slots_kept_until
FROM waitlist_entries w
WHERE state = 'waiting'
UNION ALL
SELECT stay.slot_id, w.id, w.ordinal, w.times, w.user_id, w.party_size, w.passes, w.keeps, w.kept_until, w.keep_before,
    GREATEST((SELECT s.kept_until FROM slots s WHERE s.id = w.slot_id),
        (SELECT max(s.kept_until) FROM waitlist_stays all_of JOIN slots s ON s.id = all_of.slot_id WHERE all_of.entry_id = w.id)
    ) AS slots_kept_until
FROM waitlist_stays stay
CROSS JOIN LATERAL (
    SELECT id, slot_id, ordinal, times, user_id, party_size, passes, keeps, kept_until, keep_before
    FROM waitlist_entries
    WHERE id = stay.entry_id AND state = 'waiting'
    LIMIT 1
) w;

-- Lists are read from their newest row on, a page at a time; open entries of an account are counted when it joins a list.
DROP INDEX mails_by_user;
CREATE INDEX mails_newest ON mails (user_id, id);
CREATE INDEX waitlist_open ON waitlist_entries (user_id) WHERE state IN ('waiting', 'offered');

-- +goose Down
DROP INDEX waitlist_open;
DROP INDEX mails_newest;
CREATE INDEX mails_by_user ON mails (user_id);
DROP VIEW waiting_parties;
CREATE VIEW waiting_parties AS
SELECT slot_id, id AS entry_id, ordinal, times, user_id, party_size, passes
FROM waitlist_entries
WHERE state = 'waiting'
UNION ALL
SELECT stay.slot_id, w.id, w.ordinal, w.times, w.user_id, w.party_size, w.passes
FROM waitlist_stays stay
CROSS JOIN LATERAL (
    SELECT id, ordinal, times, user_id, party_size, passes
    FROM waitlist_entries
    WHERE id = stay.entry_id AND state = 'waiting'
    LIMIT 1
) w;
ALTER TABLE slots DROP COLUMN kept_until;
ALTER TABLE waitlist_entries
    DROP COLUMN keeps, DROP COLUMN kept_since, DROP COLUMN kept_until, DROP COLUMN keep_before;
