package audits

import (
	"context"

	"github.com/lib/pq"

	"lunchgo/app/audit"
	"lunchgo/db/pg"
)

// ListConcerns implements audit.Books. Whose restaurant a finding is follows from the words of its subject, such as
// "slot 17". Findings about wallets and campaigns are no restaurant's.
func (s *Store) ListConcerns(ctx context.Context, report audit.Report) ([]audit.Concern, error) {
	var checks, subjects pq.StringArray
	for _, result := range report.Wrong() {
		for _, finding := range result.Examples {
			checks, subjects = append(checks, result.Check), append(subjects, finding.Subject)
		}
	}
	if len(checks) == 0 {
		return nil, nil
	}
	return pg.List[audit.Concern](ctx, s.db, `
		SELECT COALESCE(s.restaurant_id, r.restaurant_id, i.restaurant_id, w.restaurant_id, p.id) AS restaurant_id,
			found."check", count(*) AS found
		FROM unnest($1::text[], $2::text[]) AS found ("check", subject)
		LEFT JOIN slots s ON s.id = substring(found.subject FROM '(?:^| in )slot ([0-9]+)')::bigint
		LEFT JOIN payments paid ON paid.id = substring(found.subject FROM '^payment ([^ ]+)')
		LEFT JOIN reservations r ON r.id = COALESCE(substring(found.subject FROM '^reservation ([^ ]+)'), paid.reservation_id)
		LEFT JOIN menu_items i ON i.id = substring(found.subject FROM '^item ([0-9]+) ')::bigint
		LEFT JOIN waitlist_entries w ON w.id = substring(found.subject FROM '^entry ([^ ]+)$')
		LEFT JOIN restaurants p ON p.id = substring(found.subject FROM '^restaurant ([0-9]+)$')::bigint
		WHERE COALESCE(s.restaurant_id, r.restaurant_id, i.restaurant_id, w.restaurant_id, p.id) IS NOT NULL
		GROUP BY 1, 2`, checks, subjects)
}
