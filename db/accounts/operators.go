package accounts

import (
	"bytes"
	"context"
	"strings"
	"time"

	"lunchgo/app/identity"
	"lunchgo/db/pg"
)

// OperatorStore implements identity.OperatorStore.
type OperatorStore struct {
	db *pg.Pool
}

// NewOperatorStore returns the operators stored in db.
func NewOperatorStore(db *pg.Pool) *OperatorStore { return &OperatorStore{db: db} }

// thereIsAnOperator leaves those of the demo out: they are nobody once the installation is none.
const thereIsAnOperator = `EXISTS (SELECT FROM users WHERE operator AND NOT demo)`

// invitedTogether is how long after an invitation was stored another instance that starts has the same.
const invitedTogether = 10 * time.Minute

const lockInvitations = `LOCK TABLE operator_invitations IN EXCLUSIVE MODE`

// InviteOperator implements identity.OperatorStore.
func (s *OperatorStore) InviteOperator(ctx context.Context, byOperator bool, hash func(expires time.Time) []byte,
	life time.Duration) (expires time.Time, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		expires = time.Time{}
		if _, err := t.Exec(ctx, lockInvitations); err != nil {
			return err
		}
		var is struct {
			Operator     bool
			Now, Expires time.Time
			Hash         []byte
		}
		err := t.Get(ctx, &is, `
			SELECT `+thereIsAnOperator+` AS operator, clock_timestamp() AS now, i.token_hash AS hash,
				i.expires_at AS expires
			FROM (SELECT) one
			LEFT JOIN operator_invitations i ON true`)
		if err != nil || is.Operator && !byOperator {
			return err
		}
		if is.Expires.After(is.Now.Add(life-invitedTogether)) && bytes.Equal(is.Hash, hash(is.Expires)) {
			expires = is.Expires
			return nil
		}
		expires = is.Now.Add(life)
		return t.Run(ctx, `
			INSERT INTO operator_invitations (token_hash, expires_at, by_operator)
			VALUES ($1, $2, $3)
			ON CONFLICT (single)
			DO UPDATE SET token_hash = excluded.token_hash, expires_at = excluded.expires_at,
				by_operator = excluded.by_operator`, hash(expires), expires, byOperator)
	})
	return expires, err
}

// FindInvitation implements identity.OperatorStore.
func (s *OperatorStore) FindInvitation(ctx context.Context, hash []byte) error {
	found, err := pg.One[bool](ctx, s.db, `
		SELECT EXISTS (
			SELECT
			FROM operator_invitations
			WHERE token_hash = $1 AND expires_at > clock_timestamp()
		)`, hash)
	if err == nil && !found {
		err = identity.ErrNoInvitation
	}
	return err
}

// CreateOperator implements identity.OperatorStore. Whoever deletes the invitation has it. The second look at the
// operators is for an invitation that an instance stored at the moment at which the first operator was made.
func (s *OperatorStore) CreateOperator(ctx context.Context, hash []byte, u identity.User) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		byOperator, err := pg.One[bool](ctx, t, t.Pool.Guarded(TakeInvitation, `
			DELETE FROM operator_invitations
			WHERE token_hash = $1 AND expires_at > clock_timestamp()
			RETURNING by_operator`), hash)
		if err != nil {
			return pg.OrNotFound(err, identity.ErrNoInvitation)
		}
		late, err := pg.One[bool](ctx, t, t.Pool.Guarded(CheckOperators, `SELECT `+thereIsAnOperator))
		if err == nil && late && !byOperator {
			err = identity.ErrNoInvitation
		}
		if err != nil {
			return err
		}
		return t.Run(ctx, `
			INSERT INTO users (id, email, name, phone, password_hash, language, operator, email_confirmed_at)
			VALUES ($1, $2, $3, $4, $5, COALESCE(NULLIF($6, ''), 'ko'), true, clock_timestamp())`,
			u.ID, strings.ToLower(u.Email), u.Name, u.Phone, u.PasswordHash, u.Language)
	})
}

// ListOperators implements identity.OperatorStore.
func (s *OperatorStore) ListOperators(ctx context.Context) ([]identity.User, error) {
	return pg.List[identity.User](ctx, s.db, `SELECT id, email, name FROM users WHERE operator ORDER BY name, id`)
}

// EndOperator implements identity.OperatorStore. Of two who do that to each other, the second waits for the first, and
// is none any more.
func (s *OperatorStore) EndOperator(ctx context.Context, userID, by string) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		if _, err := t.Exec(ctx, t.Pool.Guarded(LockOperators, lockInvitations)); err != nil {
			return err
		}
		return t.Touch(ctx, identity.ErrNoOperator, `
			UPDATE users
			SET operator = false
			WHERE id = $1 AND operator AND id <> $2 AND EXISTS (SELECT FROM users WHERE id = $2 AND operator)`,
			userID, by)
	})
}

// IsOperator returns whether a user publishes restaurants.
func (s *OperatorStore) IsOperator(ctx context.Context, userID string) (bool, error) {
	return pg.One[bool](ctx, s.db, `SELECT EXISTS (SELECT FROM users WHERE id = $1 AND operator)`, userID)
}
