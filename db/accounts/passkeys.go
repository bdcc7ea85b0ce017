package accounts

import (
	"context"

	"lunchgo/app/identity"
	"lunchgo/app/mail"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
)

var _ identity.PasskeyStore = (*Store)(nil)

// AddPasskey implements identity.PasskeyStore. Under the user's lock no two take the last free place.
func (s *Store) AddPasskey(ctx context.Context, p identity.Passkey) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		if err := rowlock.Users(ctx, t, p.UserID); err != nil {
			return err
		}
		n, err := pg.One[int](ctx, t, `SELECT count(*) FROM passkeys WHERE user_id = $1`, p.UserID)
		if err == nil && n >= identity.MaxPasskeys {
			err = identity.ErrTooManyPasskeys
		}
		if err != nil {
			return err
		}
		err = t.Touch(ctx, identity.ErrPasskeyTaken, s.db.Guarded(InsertPasskey, `
			INSERT INTO passkeys (id, user_id, name, public_key, sign_count, backup_eligible)
			VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (id) DO NOTHING`), p.ID, p.UserID, p.Name, p.PublicKey, p.SignCount, p.BackupEligible)
		if err != nil {
			return err
		}
		return s.writeToOwner(ctx, t, p.UserID, mail.PasskeyAdded)
	})
}

// writeToOwner notes a letter to a user's confirmed address about how to sign in, with a link to object.
func (s *Store) writeToOwner(ctx context.Context, t *pg.Tx, userID string, kind mail.Kind) error {
	owner, err := s.lockOwner(ctx, t, identity.Addressee{UserID: userID})
	if err != nil || !owner.Confirmed {
		return err
	}
	return s.insertLink(ctx, t, letter{kind: string(kind),
		Link: identity.Link{Kind: identity.LinkObject, UserID: userID, Email: owner.Email}})
}

const keyColumns = `id, user_id, name, public_key, sign_count, backup_eligible, created_at, used_at`

// ListPasskeys implements identity.PasskeyStore.
func (s *Store) ListPasskeys(ctx context.Context, userID string) ([]identity.Passkey, error) {
	return pg.List[identity.Passkey](ctx, s.db, `
		SELECT `+keyColumns+`
		FROM passkeys
		WHERE user_id = $1
		ORDER BY created_at, id`, userID)
}

// FindPasskey implements identity.PasskeyStore.
func (s *Store) FindPasskey(ctx context.Context, id string) (identity.Passkey, error) {
	return pg.Find[identity.Passkey](ctx, s.db, identity.ErrNotFound, `
		SELECT `+keyColumns+`
		FROM passkeys
		WHERE id = $1`, id)
}

// UsePasskey implements identity.PasskeyStore. Of two signatures with one count, the second finds it stored.
func (s *Store) UsePasskey(ctx context.Context, id string, signCount uint32) (rose bool, err error) {
	var used []string
	err = s.db.List(ctx, &used, s.db.Guarded(UsePasskey, `
		UPDATE passkeys
		SET sign_count = $2, used_at = clock_timestamp()
		WHERE id = $1 AND (sign_count < $2 OR sign_count = 0 AND $2 = 0)
		RETURNING id`), id, int64(signCount))
	return len(used) > 0, err
}

// RemovePasskey implements identity.PasskeyStore. Under the user's lock no two take each other for the way that stays.
func (s *Store) RemovePasskey(ctx context.Context, userID, id string) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		if err := rowlock.Users(ctx, t, userID); err != nil {
			return err
		}
		if err := checkWayIn(ctx, t, userID, withoutWay{passkey: id}); err != nil {
			return err
		}
		ended, err := t.Exec(ctx, s.db.Guarded(EndPasskey, `DELETE FROM passkeys WHERE user_id = $1 AND id = $2`),
			userID, id)
		if err != nil || ended == 0 {
			return err
		}
		return s.writeToOwner(ctx, t, userID, mail.PasskeyRemoved)
	})
}

// withoutWay names a way to sign in that is about to end: a provider or a passkey.
type withoutWay struct{ issuer, passkey string }

// checkWayIn returns identity.ErrLastWayIn unless something else would sign in a user, who is locked.
func checkWayIn(ctx context.Context, t *pg.Tx, userID string, without withoutWay) error {
	stays, err := pg.One[bool](ctx, t, `
		SELECT password_hash <> '' OR email_confirmed_at IS NOT NULL
			OR EXISTS (SELECT FROM user_identities WHERE user_id = $1 AND issuer <> $2)
			OR EXISTS (SELECT FROM passkeys WHERE user_id = $1 AND id <> $3)
		FROM users
		WHERE id = $1`, userID, without.issuer, without.passkey)
	if err == nil && !stays {
		err = identity.ErrLastWayIn
	}
	return err
}
