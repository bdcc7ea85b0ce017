package guests

import (
	"context"

	"github.com/lib/pq"

	"lunchgo/app/guests"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
)

// BeginExport implements guests.Store. The log has neither the words that were searched for nor whom they found.
func (s *Store) BeginExport(ctx context.Context, restaurantID int64, staffID string,
	search guests.Search) ([]string, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) ([]string, error) {
		queries, words := queriesOf(search)
		ids, err := pg.List[string](ctx, t, queries.ids, restaurantID, words)
		if err != nil {
			return nil, err
		}
		return ids, auditlog.Write(ctx, t, auditlog.Entry{StaffID: staffID, RestaurantID: restaurantID,
			Action: "guest.export", Detail: map[string]any{"count": len(ids)}})
	})
}

type exportedGuestRow struct {
	visitorRow
	Note string
}

// ListExported implements guests.Store.
func (s *Store) ListExported(ctx context.Context, restaurantID int64, ids []string) ([]guests.Listed, error) {
	var rows []exportedGuestRow
	err := s.db.ReadReplica(ctx, func(ctx context.Context, db *pg.Pool) error {
		rows = nil
		return db.List(ctx, &rows, `
	WITH page AS MATERIALIZED (
		SELECT `+guestColumnsOfPage+`
		FROM guests g
		WHERE g.restaurant_id = $1 AND g.id = ANY ($2)
	)
	SELECT listed.*, COALESCE((
		SELECT n.text
		FROM guest_notes n
		WHERE n.guest_id = listed.id
		ORDER BY n.id DESC
		LIMIT 1
	), '') AS note
	FROM (`+guestSums+`) listed
	ORDER BY listed.key_at DESC, listed.key_number DESC`, restaurantID, pq.StringArray(ids))
	})
	listed := make([]guests.Listed, len(rows))
	for i, row := range rows {
		listed[i] = guests.Listed{Guest: row.Guest, Note: row.Note}
	}
	return listed, err
}
