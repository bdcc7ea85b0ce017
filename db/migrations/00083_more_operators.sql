-- An operator invites another one: such an invitation stays good although there is an operator.

-- +goose Up
ALTER TABLE operator_invitations ADD COLUMN by_operator boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE operator_invitations DROP COLUMN by_operator;
