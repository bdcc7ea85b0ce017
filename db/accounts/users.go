package accounts

import (
	"context"
	"strings"

	"lunchgo/app/group"
	"lunchgo/app/identity"
	"lunchgo/db/pg"
)

// Store implements identity.Store.
type Store struct {
	db          *pg.Pool
	byID        pg.ByKey[identity.User]
	memberships pg.ByKey[membershipRow] // by user
	agreed      pg.ByKey[agreedRow]     // by user
	consents    *group.Batch[consent, struct{}]
}

// NewStore returns the users, staff and revoked sessions stored in db.
func NewStore(db *pg.Pool) *Store {
	return &Store{db: db, consents: newConsents(db),
		byID: pg.NewByKey(db, selectUser+`WHERE id = ANY ($1) AND deleted_at IS NULL`,
			func(u identity.User) string { return u.ID }),
		memberships: pg.NewByKey(db, `
			SELECT user_id, restaurant_id, role
			FROM staff_members
			WHERE user_id = ANY ($1)
			ORDER BY restaurant_id`, func(r membershipRow) string { return r.UserID }),
		agreed: pg.NewByKey(db, selectAgreed, func(r agreedRow) string { return r.UserID })}
}

const selectUser = `
	SELECT id, email, name, phone, password_hash, language, created_at, email_confirmed_at IS NOT NULL AS email_confirmed,
		provisional, demo, operator, history_consent, allergies, texts
	FROM users `

// CreateUser returns identity.ErrEmailTaken if the address is in use. The time of creation is the database's.
func (s *Store) CreateUser(ctx context.Context, u identity.User) error {
	return s.db.Exec(ctx, `
		INSERT INTO users (id, email, name, phone, password_hash, language)
		VALUES ($1, $2, $3, $4, $5, COALESCE(NULLIF($6, ''), 'ko'))`,
		u.ID, strings.ToLower(u.Email), u.Name, u.Phone, u.PasswordHash, u.Language)
}

// SetLanguage stores in which language a user gets letters.
func (s *Store) SetLanguage(ctx context.Context, userID, language string) error {
	return s.db.Exec(ctx, `UPDATE users SET language = $2 WHERE id = $1`, userID, language)
}

// FindUser returns identity.ErrNotFound if there is none with that id.
func (s *Store) FindUser(ctx context.Context, id string) (identity.User, error) {
	user, err := s.byID.Get(ctx, id)
	return user, pg.OrNotFound(err, identity.ErrNotFound)
}

// FindUserByEmail returns identity.ErrNotFound if there is none; the address is compared in lower case.
func (s *Store) FindUserByEmail(ctx context.Context, email string) (identity.User, error) {
	return pg.Find[identity.User](ctx, s.db, identity.ErrNotFound,
		selectUser+`WHERE email = $1 AND NOT provisional AND deleted_at IS NULL`,
		strings.ToLower(email))
}

type membershipRow struct {
	UserID string
	identity.Membership
}

// ListMemberships returns the restaurants a user is staff of, by id.
func (s *Store) ListMemberships(ctx context.Context, userID string) ([]identity.Membership, error) {
	rows, err := s.memberships.List(ctx, userID)
	memberships := make([]identity.Membership, 0, len(rows))
	for _, row := range rows {
		memberships = append(memberships, row.Membership)
	}
	return memberships, err
}

// ListDemoUsers returns the ids of the demo's users.
func (s *Store) ListDemoUsers(ctx context.Context) ([]string, error) {
	return pg.List[string](ctx, s.db, `SELECT id FROM users WHERE demo`)
}
