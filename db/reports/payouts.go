package reports

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/reports"
	"lunchgo/db/pg"
)

// ListPayouts implements reports.Store. A day's last payout is known once all of its movements are.
func (s *Store) ListPayouts(ctx context.Context, r booking.Restaurant, period reports.Period) (
	payouts []reports.Payout, err error) {
	err = s.db.ReadReplica(ctx, func(ctx context.Context, db *pg.Pool) error {
		return db.List(ctx, &payouts, `
			SELECT (m.happened_at AT TIME ZONE $4)::date::text AS date,
				count(*) FILTER (WHERE m.amount > 0) AS payments,
				count(*) FILTER (WHERE m.amount < 0) AS refunds,
				COALESCE(sum(m.amount) FILTER (WHERE m.amount > 0), 0) AS taken,
				COALESCE(-sum(m.amount) FILTER (WHERE m.amount < 0), 0) AS returned, sum(m.fee) AS fees,
				COALESCE(CASE WHEN bool_and(m.paid_out_on IS NOT NULL) THEN max(m.paid_out_on)::text END, '')
					AS paid_out
			FROM payment_movements m
			JOIN payments p ON p.id = m.payment_id AND p.provider = m.provider
			JOIN reservations r ON r.id = p.reservation_id AND r.restaurant_id = $1
			WHERE m.happened_at >= $2::date::timestamp AT TIME ZONE $4
				AND m.happened_at < ($3::date + 1)::timestamp AT TIME ZONE $4
			GROUP BY 1
			ORDER BY 1`, r.ID, string(period.From), string(period.To), r.Location.String())
	})
	return payouts, err
}
