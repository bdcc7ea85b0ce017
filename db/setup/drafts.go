package setup

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/reserve"
	"lunchgo/db/catalog"
	"lunchgo/db/pg"
	"lunchgo/db/team"
)

// DraftStore implements reserve.DraftStore.
type DraftStore struct {
	db *pg.Pool
}

// NewDraftStore returns the restaurants in a database that are not published yet.
func NewDraftStore(db *pg.Pool) *DraftStore { return &DraftStore{db} }

// slugLength is that of a draft's random slug, in characters of base32.
const slugLength = 10

// OpenDraft implements reserve.DraftStore. The lock on the user lets one request of a person count at a time.
func (s *DraftStore) OpenDraft(ctx context.Context, userID string, r booking.Restaurant, limit int) (reserve.Workplace,
	error) {
	r.Slug = strings.ToLower(rand.Text()[:slugLength])
	query, args, err := catalog.BindRestaurant(s.db, catalog.InsertRestaurant+` RETURNING id`, r)
	if err != nil {
		return reserve.Workplace{}, err
	}
	opened := reserve.Workplace{Slug: r.Slug, Name: r.Name, Picture: r.Picture, TimeZone: r.Location.String(),
		Capacity: r.Capacity, Role: identity.RoleOwner, State: booking.RestaurantDraft}
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (reserve.Workplace, error) {
		err := mayOpen(ctx, t, userID, limit)
		if err == nil {
			err = t.Get(ctx, &opened.ID, t.Pool.Guarded(InsertDraft, query), args...)
		}
		if err == nil {
			err = t.Run(ctx, `
				UPDATE restaurants
				SET state = 'draft', opened_by = $2
				WHERE id = $1`, opened.ID, userID)
		}
		if err != nil {
			return opened, err
		}
		owner := identity.Membership{RestaurantID: opened.ID, Role: identity.RoleOwner}
		return opened, team.AddMember(ctx, t, userID, owner)
	})
}

// mayOpen returns why a user may not open a draft, or locks the user.
func mayOpen(ctx context.Context, t *pg.Tx, userID string, limit int) error {
	var confirmed bool
	err := t.Get(ctx, &confirmed, t.Pool.Guarded(LockOpener, `
		SELECT email_confirmed_at IS NOT NULL
		FROM users
		WHERE id = $1
		FOR NO KEY UPDATE`), userID)
	if err != nil {
		return pg.OrNotFound(err, identity.ErrInvalidSession)
	}
	if !confirmed {
		return identity.ErrUnconfirmed
	}
	var drafts int
	err = t.Get(ctx, &drafts, `SELECT count(*) FROM restaurants WHERE opened_by = $1 AND state = 'draft'`, userID)
	if err == nil && drafts >= limit {
		err = booking.ErrTooManyDrafts
	}
	return err
}

// ListWorkplaces implements reserve.DraftStore.
func (s *DraftStore) ListWorkplaces(ctx context.Context, userID string) ([]reserve.Workplace, error) {
	return pg.List[reserve.Workplace](ctx, s.db, `
		SELECT p.id, p.slug, p.name_ko AS "name.ko", p.name_en AS "name.en", p.picture, p.time_zone, p.capacity,
			m.role, p.state, p.submitted_at
		FROM staff_members m
		JOIN restaurants p ON p.id = m.restaurant_id
		WHERE m.user_id = $1
		ORDER BY p.id`, userID)
}

type draftRow struct {
	reserve.OpenedDraft
	Submission time.Time
}

// submission orders the drafts p: those that are submitted before the others.
const submission = `COALESCE(p.submitted_at, '9000-01-01T00:00:00Z'::timestamptz)`

// ListDrafts implements reserve.DraftStore.
func (s *DraftStore) ListDrafts(ctx context.Context, page keyset.Request) (keyset.Page[reserve.OpenedDraft], error) {
	key := func(row draftRow) keyset.Cursor { return keyset.Cursor{At: row.Submission, Number: row.ID} }
	show := func(row draftRow) reserve.OpenedDraft { return row.OpenedDraft }
	return pg.Paged(ctx, s.db, page, key, show, `
		SELECT p.id, p.slug, p.name_ko AS "name.ko", p.name_en AS "name.en", p.time_zone, p.capacity, p.opened_at,
			COALESCE(u.name, '') AS owner_name, COALESCE(u.email, '') AS owner_email,
			p.submitted_at, `+submission+` AS submission
		FROM restaurants p
		LEFT JOIN users u ON u.id = p.opened_by
		WHERE p.state = 'draft' AND (`+submission+`, p.id) > ($1::timestamptz, $2)
		ORDER BY submission, p.id
		LIMIT $3`, page.Above().At, page.Above().Number, page.Rows())
}
