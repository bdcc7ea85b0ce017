-- The log of a line is not stored when the line is one of a rehearsal's copy: which restaurants were copies stays known.

-- +goose Up

CREATE INDEX rehearsals_shadow ON rehearsals (shadow_id) WHERE shadow_id IS NOT NULL;

-- +goose Down
DROP INDEX rehearsals_shadow;
