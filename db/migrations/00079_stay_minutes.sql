-- +goose Up
-- reads all of menu_items: everybody waits who wants the table; there are some thousands of rows
-- reads all of restaurants: nobody changes one meanwhile; there are some thousands of rows

-- For how many minutes a party that orders a dish stays at least; 0: as long as any party. It is the truth: stay_slots,
-- 3 at most, is for the binary before.
ALTER TABLE menu_items ADD COLUMN stay_minutes integer NOT NULL DEFAULT 0,
    ADD CONSTRAINT menu_items_stay_minutes CHECK (stay_minutes BETWEEN 0 AND 2880);

UPDATE menu_items i
SET stay_minutes = i.stay_slots * p.slot_minutes
FROM restaurants p
WHERE p.id = i.restaurant_id AND i.stay_slots > 1;

-- Tiers of stays have minutes, beside the slots that these touch.
UPDATE restaurants p
SET stay_tiers = (
    SELECT jsonb_agg(tier || jsonb_build_object('minutes', (tier ->> 'slots')::integer * p.slot_minutes) ORDER BY place)
    FROM jsonb_array_elements(p.stay_tiers) WITH ORDINALITY AS tiers (tier, place)
)
WHERE p.stay_tiers <> '[]';

-- +goose Down
UPDATE restaurants p
SET stay_tiers = (
    SELECT jsonb_agg(tier - 'minutes' || jsonb_build_object('slots', least((tier ->> 'slots')::integer, 3))
        ORDER BY place)
    FROM jsonb_array_elements(p.stay_tiers) WITH ORDINALITY AS tiers (tier, place)
)
WHERE p.stay_tiers <> '[]';
ALTER TABLE menu_items DROP COLUMN stay_minutes;
