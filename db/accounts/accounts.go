// Package accounts stores accounts: who they are, how they sign in, what they agree to, who operates.
package accounts

import (
	"context"

	"github.com/lib/pq"

	"lunchgo/app/identity"
	"lunchgo/db/columns"
	"lunchgo/db/pg"
)

// Guards of the package.
const (
	LockUser          pg.Guard = "lock a user whose account is deleted"
	CheckUnused       pg.Guard = "look whether an account is unused"
	LockOwners        pg.Guard = "lock the owners of a restaurant"
	RemoveMemberships pg.Guard = "remove a person from the staff"
	LockOwner         pg.Guard = "lock the user whom a letter goes to"
	InsertLink        pg.Guard = "note a link and its letter"
	LockAddress       pg.Guard = "lock the address that a letter goes to"
	TakeLink          pg.Guard = "take a link that came by mail"
	TakeInvitation    pg.Guard = "take the invitation of the first operator"
	CheckOperators    pg.Guard = "look for an operator who was made meanwhile"
	EndIdentity       pg.Guard = "end a way in"
	InsertPasskey     pg.Guard = "add a passkey"
	UsePasskey        pg.Guard = "note the use of a passkey"
	EndPasskey        pg.Guard = "remove a passkey"
	LockOperators     pg.Guard = "let no two operators end each other"
	LockIdentity      pg.Guard = "lock who somebody is at a provider"
	InsertEntrant     pg.Guard = "make the account of whom a provider sends"
	InsertConsents    pg.Guard = "store what somebody agrees to"
)

var (
	_ identity.AccountStore = (*Store)(nil)
	_ identity.SessionStore = (*Store)(nil)
)

// UpdateProfile implements identity.AccountStore. A trigger deletes what restaurants keep when the consent is
// withdrawn.
func (s *Store) UpdateProfile(ctx context.Context, userID string, p identity.Profile) error {
	var found string
	err := s.db.Get(ctx, &found, `
		UPDATE users
		SET name = COALESCE($2, name), phone = COALESCE($3, phone), language = COALESCE($4, language),
			history_consent = COALESCE($5, history_consent),
			history_decided_at = CASE WHEN $5::boolean IS NULL THEN history_decided_at ELSE clock_timestamp() END,
			allergies = COALESCE($6, allergies), texts = COALESCE($7, texts)
		WHERE id = $1 AND deleted_at IS NULL
		RETURNING id`, userID, p.Name, p.Phone, p.Language, p.HistoryConsent, p.Allergies,
		p.Texts)
	return pg.OrNotFound(err, identity.ErrNotFound)
}

// SetPassword implements identity.AccountStore. Whoever else could sign in, by a session, a passkey or a provider, no
// longer can: a provider that proves the address finds the account again.
func (s *Store) SetPassword(ctx context.Context, hash string, ended identity.EndedSessions) (identity.EndedSessions,
	error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (identity.EndedSessions, error) {
		err := t.Touch(ctx, identity.ErrNotFound,
			`UPDATE users SET password_hash = $2 WHERE id = $1 AND deleted_at IS NULL`, ended.UserID, hash)
		if err != nil {
			return ended, err
		}
		if err := forgetIdentities(ctx, t, ended.UserID); err != nil {
			return ended, err
		}
		return endSessions(ctx, t, ended)
	})
}

// findObstacles reads what keeps a user's account from being deleted. A reservation that staff have never marked is
// over when its last slot is, and nothing is on its way at the payment provider.
const findObstacles = `
	WITH live AS (
		SELECT r.id, s.service_date, s.service_time
		FROM reservations r
		JOIN slots s ON s.id = r.slot_id
		JOIN restaurants p ON p.id = r.restaurant_id
		WHERE r.user_id = $1 AND (
			r.state IN ('temporary', 'refund_pending', 'arrived', 'seated')
			OR EXISTS (SELECT FROM payments WHERE reservation_id = r.id AND due_at IS NOT NULL)
			OR r.state IN ('confirmed', 'prepaid_confirmed') AND ` + columns.EndOfStay + ` > statement_timestamp())
	)
	SELECT
		(SELECT count(*) FROM live) AS reservations,
		ARRAY(SELECT id FROM live ORDER BY service_date, service_time, id LIMIT $2) AS reservation_ids,
		COALESCE((SELECT balance FROM accounts WHERE user_id = $1), 0) AS balance,
		ARRAY(
			SELECT restaurant_id
			FROM staff_members own
			WHERE user_id = $1 AND role = 'owner' AND NOT EXISTS (
				SELECT FROM staff_members WHERE restaurant_id = own.restaurant_id AND role = 'owner' AND user_id <> $1
			)
			ORDER BY restaurant_id
		) AS restaurant_ids`

// FindObstacles implements identity.AccountStore.
func (s *Store) FindObstacles(ctx context.Context, userID string) (identity.Obstacles, error) {
	return pg.One[identity.Obstacles](ctx, s.db, findObstacles, userID, identity.ObstaclesListed)
}

// DeleteAccount implements identity.AccountStore. The lock of the user's row keeps everything out that refers to it,
// and that a foreign key checks; what has waited for it is refused by a trigger afterwards.
func (s *Store) DeleteAccount(ctx context.Context, ended identity.EndedSessions) (identity.EndedSessions, error) {
	return s.deleteAccount(ctx, ended, func(context.Context, *pg.Tx) error { return nil })
}

// deleteAccount deletes an account once it is locked, unless a check under its lock returns an error.
func (s *Store) deleteAccount(ctx context.Context, ended identity.EndedSessions,
	check func(context.Context, *pg.Tx) error) (identity.EndedSessions, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (identity.EndedSessions, error) {
		err := lockForDeletion(ctx, t, ended.UserID)
		if err == nil {
			err = check(ctx, t)
		}
		if err != nil {
			return ended, err
		}
		found, err := pg.One[identity.Obstacles](ctx, t, findObstacles, ended.UserID, identity.ObstaclesListed)
		if err == nil {
			err = found.Err()
		}
		if err != nil {
			return ended, err
		}
		now, err := endSessions(ctx, t, ended)
		if err != nil {
			return ended, err
		}
		return now, DeletePeople(ctx, t, ended.UserID)
	})
}

// DeletePeople deletes accounts that are locked and that nothing keeps.
func DeletePeople(ctx context.Context, t *pg.Tx, ids ...string) error {
	for _, statement := range append([]string{
		t.Pool.Guarded(RemoveMemberships, `DELETE FROM staff_members WHERE user_id = ANY ($1)`)}, deleteOf...) {
		if _, err := t.Exec(ctx, statement, pq.StringArray(ids)); err != nil {
			return err
		}
	}
	return nil
}

// lockForDeletion locks the user, the owners of their restaurants, their reservations with words of theirs, whose words
// it takes away, and the wallet: whatever is read afterwards stays so.
func lockForDeletion(ctx context.Context, t *pg.Tx, userID string) error {
	err := t.Touch(ctx, identity.ErrNotFound,
		t.Pool.Guarded(LockUser, `SELECT id FROM users WHERE id = $1 AND deleted_at IS NULL FOR UPDATE`), userID)
	if err != nil {
		return err
	}
	for _, statement := range []string{
		t.Pool.Guarded(LockOwners, `
			SELECT user_id
			FROM staff_members
			WHERE role = 'owner' AND restaurant_id IN (SELECT restaurant_id FROM staff_members WHERE user_id = $1)
			ORDER BY restaurant_id, user_id
			FOR UPDATE`),
		`UPDATE reservations
		SET note = '', allergies = '', companions = '[]', guest_name = CASE WHEN guest_name IS NOT NULL THEN '' END,
			guest_phone = CASE WHEN guest_phone IS NOT NULL THEN '' END
		WHERE user_id = $1
			AND (note <> '' OR allergies <> '' OR companions <> '[]' OR guest_name <> '' OR guest_phone <> '')`,
		`SELECT user_id FROM accounts WHERE user_id = $1 FOR UPDATE`,
	} {
		if _, err := t.Exec(ctx, statement, userID); err != nil {
			return err
		}
	}
	return nil
}

// deleteOf takes people out of what stays: reservations, ledger, coupons and acts as staff belong to an id that says
// nothing.
var deleteOf = []string{
	`UPDATE waitlist_entries SET state = 'left', ended_at = statement_timestamp()
		WHERE user_id = ANY ($1) AND state = 'waiting'`,
	`DELETE FROM mails WHERE user_id = ANY ($1)`,
	`DELETE FROM reviews WHERE user_id = ANY ($1)`,
	`DELETE FROM review_reports WHERE user_id = ANY ($1)`,
	`DELETE FROM push_subscriptions WHERE user_id = ANY ($1)`,
	`UPDATE door_parties SET user_id = NULL WHERE user_id = ANY ($1)`,
	`DELETE FROM favourites WHERE user_id = ANY ($1)`,
	`DELETE FROM user_identities WHERE user_id = ANY ($1)`,
	`DELETE FROM consents WHERE user_id = ANY ($1)`,
	`DELETE FROM passkeys WHERE user_id = ANY ($1)`,
	`DELETE FROM staff_invitations
	WHERE email = ANY (ARRAY(SELECT email FROM users WHERE id = ANY ($1) AND NOT provisional))`,
	`UPDATE staff_invitations SET ended_at = clock_timestamp() WHERE invited_by = ANY ($1) AND ended_at IS NULL`,
	`WITH theirs AS (
		SELECT array_agg(email) AS emails
		FROM users
		WHERE id = ANY ($1) AND NOT provisional
	)
	DELETE FROM email_links
	WHERE user_id = ANY ($1) OR email = ANY ((SELECT emails FROM theirs)::text[])
		OR other_email = ANY ((SELECT emails FROM theirs)::text[])`,
	`UPDATE users
	SET email = 'deleted-' || md5(id) || '@deleted.invalid', name = '', phone = '', allergies = '',
		password_hash = '', language = 'ko',
		email_confirmed_at = NULL, operator = false, history_consent = false, history_decided_at = NULL,
		deleted_at = clock_timestamp()
	WHERE id = ANY ($1)`,
}
