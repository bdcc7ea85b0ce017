// Package team stores who works at a restaurant, who is invited, and reads the log of what they did.
package team

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/team"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
)

// Guards of the package.
const (
	LockMembers          pg.Guard = "lock the staff of a restaurant"
	UpdateMember         pg.Guard = "give a member another role"
	DeleteMember         pg.Guard = "remove a member"
	LockInvited          pg.Guard = "lock the address that is invited"
	TakeInvitationByMail pg.Guard = "take an invitation to a team"
)

// Store implements the stores of package team.
type Store struct {
	db *pg.Pool
}

// NewStore returns the staff, invitations and audit logs stored in db.
func NewStore(db *pg.Pool) *Store { return &Store{db: db} }

// ListMembers implements team.Store.
func (s *Store) ListMembers(ctx context.Context, restaurantID int64) ([]team.Member, error) {
	return pg.List[team.Member](ctx, s.db, `
		SELECT m.user_id, u.name, u.email, m.role, m.since
		FROM staff_members m
		JOIN users u ON u.id = m.user_id
		WHERE m.restaurant_id = $1
		ORDER BY array_position(ARRAY['owner', 'manager', 'host'], m.role), m.since, m.user_id`, restaurantID)
}

// crew is the staff of a restaurant under a lock: the roles by user.
type crew map[string]identity.Role

// lockCrew locks the staff of a restaurant, in one order for all who do. Changes of a team happen one after another.
func lockCrew(ctx context.Context, t *pg.Tx, restaurantID int64) (crew, error) {
	roleOf := func(m team.Member) (string, identity.Role) { return m.UserID, m.Role }
	return pg.Mapped(ctx, t, roleOf, t.Pool.Guarded(LockMembers, `
		SELECT user_id, role
		FROM staff_members
		WHERE restaurant_id = $1
		ORDER BY user_id
		FOR UPDATE`), restaurantID)
}

// checkOwner returns booking.ErrNotFound for who does not work there any more, and booking.ErrForbidden for who may not
// manage the team any more.
func (c crew) checkOwner(userID string) error {
	role, works := c[userID]
	switch {
	case !works:
		return booking.ErrNotFound
	case !team.May(role, team.ManageTeam):
		return booking.ErrForbidden
	}
	return nil
}

// checkLeaves returns booking.ErrNotFound for no member, and team.ErrLastOwner when nobody would own the restaurant
// without this one.
func (c crew) checkLeaves(userID string) error {
	role, works := c[userID]
	if !works {
		return booking.ErrNotFound
	}
	if role != identity.RoleOwner {
		return nil
	}
	for other, role := range c {
		if other != userID && role == identity.RoleOwner {
			return nil
		}
	}
	return team.ErrLastOwner
}

// checkReal returns identity.ErrDemoAccount for an account that is for everybody to try.
func checkReal(ctx context.Context, t *pg.Tx, userID string) error {
	demo, err := pg.Find[bool](ctx, t, booking.ErrNotFound, `SELECT demo FROM users WHERE id = $1`, userID)
	if err == nil && demo {
		err = identity.ErrDemoAccount
	}
	return err
}

// ChangeRole implements team.Store.
func (s *Store) ChangeRole(ctx context.Context, change team.RoleChange) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		c, err := lockCrew(ctx, t, change.RestaurantID)
		if err == nil {
			err = c.checkOwner(change.By)
		}
		if err == nil && change.Role != identity.RoleOwner {
			err = c.checkLeaves(change.UserID)
		}
		if err != nil {
			return err
		}
		was, works := c[change.UserID]
		if !works {
			return booking.ErrNotFound
		}
		if was == change.Role {
			return nil
		}
		if err = checkReal(ctx, t, change.UserID); err == nil {
			err = t.Run(ctx, t.Pool.Guarded(UpdateMember, `
				UPDATE staff_members
				SET role = $3
				WHERE restaurant_id = $1 AND user_id = $2`), change.RestaurantID, change.UserID, string(change.Role))
		}
		if err == nil {
			err = endInvitationsBy(ctx, t, change.RestaurantID, change.UserID)
		}
		if err != nil {
			return err
		}
		return auditlog.Write(ctx, t, auditlog.Entry{StaffID: change.By, RestaurantID: change.RestaurantID,
			Action: "team.role", Detail: map[string]any{"member": change.UserID, "was": was, "is": change.Role}})
	})
}

// RemoveMember implements team.Store.
func (s *Store) RemoveMember(ctx context.Context, removal team.Removal) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		c, err := lockCrew(ctx, t, removal.RestaurantID)
		if err == nil && removal.By != removal.UserID {
			err = c.checkOwner(removal.By)
		}
		if err == nil {
			err = c.checkLeaves(removal.UserID)
		}
		if err == nil {
			err = checkReal(ctx, t, removal.UserID)
		}
		if err == nil {
			err = t.Run(ctx, t.Pool.Guarded(DeleteMember, `
				DELETE FROM staff_members
				WHERE restaurant_id = $1 AND user_id = $2`), removal.RestaurantID, removal.UserID)
		}
		if err == nil {
			err = endInvitationsBy(ctx, t, removal.RestaurantID, removal.UserID)
		}
		if err != nil {
			return err
		}
		entry := auditlog.Entry{StaffID: removal.By, RestaurantID: removal.RestaurantID, Action: "team.remove",
			Detail: map[string]any{"member": removal.UserID, "was": c[removal.UserID]}}
		if removal.By == removal.UserID {
			entry.Action = "team.leave"
		}
		return auditlog.Write(ctx, t, entry)
	})
}

// endInvitationsBy ends what somebody has invited to who may not invite any more.
func endInvitationsBy(ctx context.Context, t *pg.Tx, restaurantID int64, userID string) error {
	return t.Run(ctx, `
		UPDATE staff_invitations
		SET ended_at = clock_timestamp()
		WHERE restaurant_id = $1 AND invited_by = $2 AND ended_at IS NULL`, restaurantID, userID)
}

// AddMember makes a user staff of a restaurant.
func AddMember(ctx context.Context, t *pg.Tx, userID string, m identity.Membership) error {
	return t.Run(ctx, `
		INSERT INTO staff_members (restaurant_id, user_id, role)
		VALUES ($1, $2, $3)`, m.RestaurantID, userID, string(m.Role))
}
