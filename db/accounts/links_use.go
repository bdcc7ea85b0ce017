package accounts

import (
	"context"
	"database/sql"
	"errors"

	"github.com/lib/pq"

	"lunchgo/app/identity"
	"lunchgo/db/pg"
)

// FindLink implements identity.LinkStore.
func (s *Store) FindLink(ctx context.Context, id string) (identity.Link, error) {
	return pg.Find[identity.Link](ctx, s.db, identity.ErrLinkOver, `
		SELECT id, kind, user_id, email, other_email, next
		FROM email_links
		WHERE id = $1 AND used_at IS NULL AND expires_at > statement_timestamp() AND user_id IS NOT NULL`, id)
}

// takeLink marks a link as used. Of several who press it at once, one gets it.
func (s *Store) takeLink(ctx context.Context, t *pg.Tx, id string,
	kinds []identity.LinkKind) (identity.Link, error) {
	names := make(pq.StringArray, 0, len(kinds))
	for _, kind := range kinds {
		names = append(names, string(kind))
	}
	return pg.Find[identity.Link](ctx, t, identity.ErrLinkOver, s.db.Guarded(TakeLink, `
		UPDATE email_links
		SET used_at = clock_timestamp()
		WHERE id = $1 AND used_at IS NULL AND kind = ANY($2) AND expires_at > statement_timestamp() AND user_id IS NOT NULL
		RETURNING id, kind, user_id, email, other_email`), id, names)
}

// UseLink implements identity.LinkStore.
func (s *Store) UseLink(ctx context.Context, use identity.LinkUse) (used identity.UsedLink, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		used = identity.UsedLink{}
		if used.Link, err = s.takeLink(ctx, t, use.ID, use.Kinds); err != nil {
			return err
		}
		switch used.Kind {
		case identity.LinkConfirm:
			err = confirmAddress(ctx, t, used.Link)
		case identity.LinkSignIn:
			used.Reset, err = enterByLink(ctx, t, used.Link)
		case identity.LinkChange:
			err = moveAccount(ctx, t, used.Link)
		case identity.LinkObject:
			used.Reset, err = true, keepAddress(ctx, t, used.Link)
		}
		if err != nil || !used.Reset {
			return err
		}
		if err := forgetIdentities(ctx, t, used.UserID); err != nil {
			return err
		}
		used.Ended, err = endSessions(ctx, t,
			identity.EndedSessions{UserID: used.UserID, Until: use.At, Keep: use.Keep})
		return err
	})
	if errors.Is(err, identity.ErrEmailTaken) || errors.Is(err, sql.ErrNoRows) {
		err = identity.ErrLinkOver // who pressed it does not learn whether somebody else has the address
	}
	return used, err
}

// forgetIdentities ends the ways to sign in that somebody else may have added to an account.
func forgetIdentities(ctx context.Context, t *pg.Tx, userID string) error {
	if err := t.Run(ctx, `DELETE FROM passkeys WHERE user_id = $1`, userID); err != nil {
		return err
	}
	return t.Run(ctx, `DELETE FROM user_identities WHERE user_id = $1`, userID)
}

// confirmAddress notes that letters to a user's address arrive, which makes a provisional account a usual one unless
// the address has one. Returns sql.ErrNoRows if it is another one by now.
func confirmAddress(ctx context.Context, t *pg.Tx, l identity.Link) error {
	return t.Touch(ctx, sql.ErrNoRows, `
		UPDATE users
		SET email_confirmed_at = COALESCE(email_confirmed_at, statement_timestamp()),
			provisional = provisional AND EXISTS (SELECT FROM users WHERE email = $2 AND NOT provisional)
		WHERE id = $1 AND email = $2`, l.UserID, l.Email)
}

// enterByLink is confirmAddress for a sign-in. Where the address was not confirmed before, it forgets the password.
func enterByLink(ctx context.Context, t *pg.Tx, l identity.Link) (bool, error) {
	return pg.One[bool](ctx, t, `
		UPDATE users u
		SET email_confirmed_at = COALESCE(u.email_confirmed_at, statement_timestamp()),
			password_hash = CASE WHEN u.email_confirmed_at IS NULL THEN '' ELSE u.password_hash END
		FROM (SELECT id, email_confirmed_at IS NULL AS unconfirmed FROM users WHERE id = $1 FOR NO KEY UPDATE) before
		WHERE u.id = before.id AND u.email = $2
		RETURNING before.unconfirmed`, l.UserID, l.Email)
}

// moveAccount gives a user the address that the link was sent to, in place of the one that the user had then. What was
// sent to that one opens nothing any more, but for the objection. Returns identity.ErrEmailTaken, or sql.ErrNoRows.
func moveAccount(ctx context.Context, t *pg.Tx, l identity.Link) error {
	err := t.Touch(ctx, sql.ErrNoRows, `
		UPDATE users
		SET email = $2, email_confirmed_at = statement_timestamp(), provisional = false
		WHERE id = $1 AND email = $3`, l.UserID, l.Email, l.OtherEmail)
	if err != nil {
		return err
	}
	return t.Run(ctx, `
		UPDATE email_links
		SET used_at = statement_timestamp()
		WHERE user_id = $1 AND used_at IS NULL AND kind <> 'object'`, l.UserID)
}

// keepAddress leaves a user at, or brings them back to, the address that the objection was sent to, unless somebody
// else has it by now. The password is forgotten, as somebody else knows it, and no link that was sent before opens
// anything.
func keepAddress(ctx context.Context, t *pg.Tx, l identity.Link) error {
	err := t.Run(ctx, `
		UPDATE email_links
		SET used_at = statement_timestamp()
		WHERE user_id = $1 AND used_at IS NULL`, l.UserID)
	if err != nil {
		return err
	}
	return t.Touch(ctx, sql.ErrNoRows, `
		UPDATE users
		SET password_hash = '',
			email = CASE WHEN EXISTS (SELECT FROM users WHERE email = $2 AND NOT provisional) THEN email ELSE $2 END,
			email_confirmed_at = COALESCE(email_confirmed_at, statement_timestamp())
		WHERE id = $1 AND deleted_at IS NULL`, l.UserID, l.Email)
}
