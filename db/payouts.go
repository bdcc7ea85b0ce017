package db

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/reports"
)

type payoutRow struct {
	Date     string `db:"date"`
	Payments int    `db:"payments"`
	Refunds  int    `db:"refunds"`
	Taken    int64  `db:"taken"`
	Returned int64  `db:"returned"`
	Fees     int64  `db:"fees"`
	PaidOut  string `db:"paid_out"`
}

// ListPayouts implements reports.Store. A day's last payout is known once all of its movements are.
func (s *ReportStore) ListPayouts(ctx context.Context, r booking.Restaurant, period reports.Period) ([]reports.Payout,
	error) {
	var rows []payoutRow
	err := s.db.readReplica(ctx, func(ctx context.Context, db *DB) error {
		return db.list(ctx, &rows, `
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
	payouts := make([]reports.Payout, 0, len(rows))
	for _, row := range rows {
		payouts = append(payouts, reports.Payout{Date: booking.Date(row.Date), Payments: row.Payments,
			Refunds: row.Refunds, Taken: row.Taken, Returned: row.Returned, Fees: row.Fees, PaidOut: booking.Date(row.PaidOut)})
	}
	return payouts, err
}
