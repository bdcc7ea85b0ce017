package db

import (
	"context"
	"time"

	"lunchgo/app/payments"
	"lunchgo/db/pg"
)

// BeginDay implements payments.Days.
func (s *PaymentStore) BeginDay(ctx context.Context, provider string, day time.Time,
	lease time.Duration) (bool, error) {
	var begun int
	err := s.db.Get(ctx, &begun, `
		WITH begun AS (
			INSERT INTO payment_days AS d (provider, day, begun_at, due_at)
			VALUES ($1, $2::date, clock_timestamp(), clock_timestamp() + make_interval(secs => $3))
			ON CONFLICT (provider, day) DO UPDATE SET begun_at = excluded.begun_at, due_at = excluded.due_at
			WHERE d.due_at <= clock_timestamp()
			RETURNING 1
		)
		SELECT count(*) FROM begun`, provider, day.Format(time.DateOnly), lease.Seconds())
	return begun > 0, err
}

// ListMoved implements payments.Days.
func (s *PaymentStore) ListMoved(ctx context.Context, provider string,
	from, until time.Time) ([]payments.Movement, error) {
	return pg.List[payments.Movement](ctx, s.db, `
		SELECT id AS payment_id, amount, paid_at AS at
		FROM payments
		WHERE provider = $1 AND paid_at >= $2 AND paid_at < $3
		UNION ALL
		SELECT refund.payment_id, -refund.amount, refund.answered_at
		FROM payment_refunds refund
		JOIN payments p ON p.id = refund.payment_id
		WHERE p.provider = $1 AND refund.state = 'made' AND refund.answered_at >= $2 AND refund.answered_at < $3`,
		provider, from, until)
}

// movementRow is what the provider lists; a day's rows travel to the server as one JSON array.
type movementRow struct {
	PaymentID string    `json:"payment_id"`
	Amount    int64     `json:"amount"`
	At        time.Time `json:"happened_at"`
	Fee       int64     `json:"fee"`
	PaidOut   *string   `json:"paid_out_on"`
}

// EndDay implements payments.Days.
func (s *PaymentStore) EndDay(ctx context.Context, c payments.Compared) error {
	rows := make([]movementRow, 0, len(c.Listed))
	for _, m := range c.Listed {
		row := movementRow{PaymentID: m.PaymentID, Amount: m.Amount, At: m.At, Fee: m.Fee}
		if !m.PaidOut.IsZero() {
			date := m.PaidOut.Format(time.DateOnly)
			row.PaidOut = &date
		}
		rows = append(rows, row)
	}
	return s.db.Exec(ctx, `
		WITH listed AS (
			INSERT INTO payment_movements (provider, payment_id, amount, happened_at, nth, fee, paid_out_on)
			SELECT $1, payment_id, amount, happened_at,
				row_number() OVER (PARTITION BY payment_id, happened_at, amount ORDER BY fee), fee, paid_out_on
			FROM json_to_recordset($3::json) AS input (
				payment_id text, amount bigint, happened_at timestamptz, fee bigint, paid_out_on date)
			ON CONFLICT (provider, payment_id, happened_at, amount, nth) DO UPDATE
			SET fee = excluded.fee, paid_out_on = excluded.paid_out_on
		)
		UPDATE payment_days
		SET differences = $4::jsonb, due_at = clock_timestamp() + make_interval(secs => $5)
		WHERE provider = $1 AND day = $2::date`, c.Provider, c.Day.Format(time.DateOnly), pg.JSON(rows),
		pg.JSON(append([]payments.Difference{}, c.Differences...)),
		c.Again.Seconds())
}
