package accounts

import (
	"context"
	"database/sql"
	"errors"

	"lunchgo/app/identity"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
)

var _ identity.IdentityStore = (*Store)(nil)

// EnterByIdentity implements identity.IdentityStore. Sign-ins of one identity come one after another.
func (s *Store) EnterByIdentity(ctx context.Context, of identity.Identity, u identity.User) (string, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (string, error) {
		if _, err := t.Exec(ctx, s.db.Guarded(LockIdentity, `
			SELECT pg_advisory_xact_lock(hashtextextended('identity ' || $2 || ' ' || $1, 0))`),
			of.Issuer, of.Subject); err != nil {
			return "", err
		}
		id, err := pg.One[string](ctx, t, `SELECT user_id FROM user_identities WHERE issuer = $1 AND subject = $2`,
			of.Issuer, of.Subject)
		if !errors.Is(err, sql.ErrNoRows) {
			return id, err
		}
		switch {
		case u.Email == "":
			return "", identity.ErrNoAddress
		case u.Provisional:
			id, err = u.ID, s.introduce(ctx, t, u)
		default:
			id, err = s.ownerOf(ctx, t, u)
		}
		if err != nil {
			return "", err
		}
		return id, t.Run(ctx, `
			INSERT INTO user_identities (issuer, subject, user_id)
			VALUES ($1, $2, $3)`, of.Issuer, of.Subject, id)
	})
}

// ListIdentities implements identity.IdentityStore.
func (s *Store) ListIdentities(ctx context.Context, userID string) ([]identity.Linked, error) {
	return pg.List[identity.Linked](ctx, s.db, `
		SELECT issuer, min(created_at) AS since
		FROM user_identities
		WHERE user_id = $1
		GROUP BY issuer
		ORDER BY since`, userID)
}

// EndIdentity implements identity.IdentityStore. Under the user's lock no two take each other for the way that is left.
func (s *Store) EndIdentity(ctx context.Context, userID, issuer string) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		if err := rowlock.Users(ctx, t, userID); err != nil {
			return err
		}
		if err := checkWayIn(ctx, t, userID, withoutWay{issuer: issuer}); err != nil {
			return err
		}
		return t.Run(ctx, s.db.Guarded(EndIdentity, `DELETE FROM user_identities WHERE user_id = $1 AND issuer = $2`),
			userID, issuer)
	})
}

// ownerOf returns whose account a confirmed address is, or makes the user's, and locks it.
func (s *Store) ownerOf(ctx context.Context, t *pg.Tx, u identity.User) (id string, err error) {
	err = t.Run(ctx, s.db.Guarded(InsertEntrant, `
		INSERT INTO users (id, email, name, phone, password_hash, language, email_confirmed_at)
		VALUES ($1, $2, $3, $4, '', COALESCE(NULLIF($5, ''), 'ko'), statement_timestamp())
		ON CONFLICT (email) WHERE NOT provisional DO NOTHING`), u.ID, u.Email, u.Name, u.Phone, u.Language)
	if err == nil {
		err = agree(ctx, t, u)
	}
	if err != nil {
		return "", err
	}
	owner, err := s.lockOwner(ctx, t, identity.Addressee{Email: u.Email})
	switch {
	case err != nil:
		return "", err
	case owner.ID == "" || !owner.Confirmed || owner.Demo:
		return "", identity.ErrAddressUnproved
	}
	return owner.ID, nil
}
