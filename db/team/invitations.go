package team

import (
	"context"
	"crypto/rand"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/team"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
)

// invitationsKept is how long an invitation stays after it ended or expired: its letter is counted for a day, and the
// audit log shows its address that long.
const invitationsKept = 30 * 24 * time.Hour

const invitationColumns = `i.id, i.restaurant_id, p.name_ko AS "restaurant.ko", p.name_en AS "restaurant.en", i.email,
	i.role, u.name AS invited_by, i.created_at, i.expires_at`

const selectInvitations = `
	SELECT ` + invitationColumns + `
	FROM staff_invitations i
	JOIN restaurants p ON p.id = i.restaurant_id
	JOIN users u ON u.id = i.invited_by
	WHERE i.ended_at IS NULL AND i.expires_at > statement_timestamp() `

// ListInvitations implements team.Store.
func (s *Store) ListInvitations(ctx context.Context, restaurantID int64) ([]team.Invitation, error) {
	return pg.List[team.Invitation](ctx, s.db,
		selectInvitations+`AND i.restaurant_id = $1 ORDER BY i.created_at DESC, i.id`, restaurantID)
}

// FindInvitation implements team.Store.
func (s *Store) FindInvitation(ctx context.Context, id string) (team.Invitation, error) {
	return pg.Find[team.Invitation](ctx, s.db, identity.ErrLinkOver, selectInvitations+`AND i.id = $1`, id)
}

// Invite implements team.Store. The lock of the staff makes the limits of the restaurant exact, that of the
// address the limit of its letters, which several restaurants share.
func (s *Store) Invite(ctx context.Context, n team.NewInvitation) (team.Invitation, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (made team.Invitation, err error) {
		c, err := lockCrew(ctx, t, n.RestaurantID)
		if err == nil {
			err = c.checkOwner(n.By)
		}
		if err == nil {
			err = t.Run(ctx, s.db.Guarded(LockInvited, `
				SELECT pg_advisory_xact_lock(hashtextextended('invitations to ' || $1, 0))`), n.Email)
		}
		if err == nil {
			err = checkInvites(ctx, t, n)
		}
		if err == nil {
			made, err = insertInvitation(ctx, t, n)
		}
		if err != nil {
			return made, err
		}
		return made, auditlog.Write(ctx, t, auditlog.Entry{StaffID: n.By, RestaurantID: n.RestaurantID,
			Action: "team.invite", Detail: map[string]any{"invitation": made.ID, "is": n.Role}})
	})
}

type invitesRow struct {
	Member bool
	Open   int    // to other addresses
	Wait   *int64 // microseconds until one more letter may be sent; nil for now
}

// checkInvites returns why an address is not invited.
func checkInvites(ctx context.Context, t *pg.Tx, n team.NewInvitation) error {
	var row invitesRow
	err := t.Get(ctx, &row, `
		WITH sent AS (
			SELECT restaurant_id, email, created_at, ended_at, expires_at
			FROM staff_invitations
			WHERE restaurant_id = $1 OR email = $2
		), late AS (
			(SELECT created_at FROM sent WHERE restaurant_id = $1 ORDER BY created_at DESC OFFSET $3 - 1 LIMIT 1)
			UNION ALL
			(SELECT created_at FROM sent WHERE email = $2 ORDER BY created_at DESC OFFSET $4 - 1 LIMIT 1)
		)
		SELECT
			EXISTS (
				SELECT FROM staff_members m JOIN users u ON u.id = m.user_id WHERE m.restaurant_id = $1 AND u.email = $2
			) AS member,
			(
				SELECT count(*)
				FROM sent
				WHERE restaurant_id = $1 AND email <> $2 AND ended_at IS NULL AND expires_at > statement_timestamp()
			) AS open,
			(
				SELECT (extract(epoch FROM max(created_at) + interval '1 day' - statement_timestamp()) * 1e6)::bigint
				FROM late
				WHERE created_at BETWEEN statement_timestamp() - interval '1 day' AND statement_timestamp()
			) AS wait`, n.RestaurantID, n.Email, team.LettersADay, team.LettersTo)
	switch {
	case err != nil:
		return err
	case row.Member:
		return team.ErrAlreadyMember
	case row.Open >= team.MaxInvitations:
		return team.ErrTooManyInvitations
	case row.Wait != nil:
		return &identity.LetterLimitError{Wait: time.Duration(*row.Wait) * time.Microsecond}
	}
	return nil
}

// insertInvitation ends an earlier one to the address, forgets those of long ago, whose letters go with them, and has
// the letter written.
func insertInvitation(ctx context.Context, t *pg.Tx, n team.NewInvitation) (team.Invitation, error) {
	err := t.Run(ctx, `
		UPDATE staff_invitations
		SET ended_at = clock_timestamp()
		WHERE restaurant_id = $1 AND email = $2 AND ended_at IS NULL`, n.RestaurantID, n.Email)
	if err == nil {
		err = t.Run(ctx, `
			DELETE FROM staff_invitations
			WHERE restaurant_id = $1
				AND LEAST(ended_at, expires_at) < statement_timestamp() - $2 * interval '1 microsecond'`,
			n.RestaurantID, invitationsKept.Microseconds())
	}
	if err != nil {
		return team.Invitation{}, err
	}
	return pg.One[team.Invitation](ctx, t, `
		WITH made AS (
			INSERT INTO staff_invitations (id, restaurant_id, email, role, invited_by, language, expires_at)
			VALUES ($1, $2, $3, $4, $5, COALESCE(NULLIF($6, ''), 'ko'), clock_timestamp() + $7 * interval '1 microsecond')
			RETURNING *
		), letter AS (
			INSERT INTO mails (kind, invitation_id)
			SELECT 'invitation', id
			FROM made
		)
		SELECT `+invitationColumns+`
		FROM made i
		JOIN restaurants p ON p.id = i.restaurant_id
		JOIN users u ON u.id = i.invited_by`,
		rand.Text(), n.RestaurantID, n.Email, string(n.Role), n.By, n.Language, team.InvitationLife.Microseconds())
}

// WithdrawInvitation implements team.Store.
func (s *Store) WithdrawInvitation(ctx context.Context, by string, restaurantID int64, id string) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		c, err := lockCrew(ctx, t, restaurantID)
		if err == nil {
			err = c.checkOwner(by)
		}
		if err != nil {
			return err
		}
		role, err := pg.Find[string](ctx, t, booking.ErrNotFound, `
			UPDATE staff_invitations
			SET ended_at = clock_timestamp()
			WHERE id = $1 AND restaurant_id = $2 AND ended_at IS NULL
			RETURNING role`, id, restaurantID)
		if err != nil {
			return err
		}
		return auditlog.Write(ctx, t, auditlog.Entry{StaffID: by, RestaurantID: restaurantID, Action: "team.withdraw",
			Detail: map[string]any{"invitation": id, "was": role}})
	})
}

// AcceptInvitation implements team.Store. The lock of the user keeps the address theirs until the end; of
// several who press at once, one takes the invitation.
func (s *Store) AcceptInvitation(ctx context.Context, id, userID string) (team.Invitation, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (accepted team.Invitation, err error) {
		email, err := pg.Find[string](ctx, t, identity.ErrInvalidSession, `
			SELECT email FROM users WHERE id = $1 AND NOT provisional AND deleted_at IS NULL FOR NO KEY UPDATE`, userID)
		if err != nil {
			return accepted, err
		}
		accepted, err = pg.Find[team.Invitation](ctx, t, identity.ErrLinkOver, selectInvitations+`AND i.id = $1`, id)
		switch {
		case err != nil:
			return accepted, err
		case accepted.Email != email:
			return accepted, team.ErrOtherAddress
		}
		return accepted, takeInvitationOf(ctx, t, accepted, userID)
	})
}

// takeInvitationOf ends an invitation, and makes the user a member. Returns identity.ErrLinkOver when somebody was
// quicker.
func takeInvitationOf(ctx context.Context, t *pg.Tx, i team.Invitation, userID string) error {
	err := t.Touch(ctx, identity.ErrLinkOver, t.Pool.Guarded(TakeInvitationByMail, `
		UPDATE staff_invitations
		SET ended_at = clock_timestamp()
		WHERE id = $1 AND ended_at IS NULL AND expires_at > statement_timestamp()`), i.ID)
	if err == nil {
		err = t.Run(ctx, `
			UPDATE users
			SET email_confirmed_at = clock_timestamp()
			WHERE id = $1 AND email_confirmed_at IS NULL`, userID)
	}
	if err != nil {
		return err
	}
	joined, err := t.Exec(ctx, `
		INSERT INTO staff_members (restaurant_id, user_id, role)
		VALUES ($1, $2, $3)
		ON CONFLICT ON CONSTRAINT staff_members_pk DO NOTHING`, i.RestaurantID, userID, string(i.Role))
	if err != nil || joined == 0 {
		return err
	}
	return auditlog.Write(ctx, t, auditlog.Entry{StaffID: userID, RestaurantID: i.RestaurantID, Action: "team.join",
		Detail: map[string]any{"is": i.Role, "invitation": i.ID}})
}
