package db

import (
	"context"
	"time"

	"lunchgo/app/payments"
	"lunchgo/db/pg"
)

// Claim implements payments.Store.
func (s *PaymentStore) Claim(ctx context.Context, kind payments.Step, limit int,
	lease time.Duration) ([]payments.Due, error) {
	return pg.List[payments.Due](ctx, s.db, s.db.Guarded(ClaimPayments, `
		WITH due AS (
			SELECT id, attempts
			FROM payments
			WHERE due_at <= clock_timestamp() AND (state IN ('started', 'authorised')) = $3
			ORDER BY due_at
			LIMIT $1
			FOR UPDATE SKIP LOCKED
		)
		UPDATE payments p
		SET due_at = clock_timestamp() + make_interval(secs => $2), attempts = p.attempts + 1
		FROM due
		WHERE p.id = due.id
		RETURNING `+paymentColumns+`, due.attempts, p.due_at, clock_timestamp() AS now`), limit, lease.Seconds(),
		kind == payments.LookUps)
}

// Rest implements payments.Store.
func (s *PaymentStore) Rest(ctx context.Context, p payments.Due, after time.Duration) error {
	return s.db.Exec(ctx, `
		UPDATE payments
		SET due_at = CASE WHEN $3::float8 > 0 THEN clock_timestamp() + make_interval(secs => $3) END
		WHERE id = $1 AND state = $2 AND due_at = $4`, p.ID, string(p.State), after.Seconds(), p.DueAt)
}

// Hasten implements payments.Store.
func (s *PaymentStore) Hasten(ctx context.Context, id string, after time.Duration) error {
	return s.db.Exec(ctx, `
		UPDATE payments
		SET due_at = clock_timestamp() + make_interval(secs => $2)
		WHERE id = $1 AND state IN ('started', 'authorised', 'cancelled')
			AND (due_at IS NULL OR due_at > clock_timestamp() + make_interval(secs => $2))`, id, after.Seconds())
}

// Captured implements payments.Store.
func (s *PaymentStore) Captured(ctx context.Context, id string, r payments.Report) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		err := movePayment(ctx, t, paymentStep{ID: id, From: []payments.State{payments.Capturing}, To: payments.Paid,
			Reference: r.Reference, Method: r.Method})
		if err != nil {
			return err
		}
		var asked bool
		err = t.Get(ctx, &asked, `SELECT `+awaitsRefund+` FROM payments p WHERE id = $1`, id)
		if err != nil || !asked {
			return err
		}
		return movePayment(ctx, t, paymentStep{ID: id, From: []payments.State{payments.Paid}, To: payments.Refunding,
			Now: true})
	})
}

// Uncaptured implements payments.Store.
func (s *PaymentStore) Uncaptured(ctx context.Context, id string) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		err := movePayment(ctx, t, paymentStep{ID: id, From: []payments.State{payments.Capturing},
			To: payments.Cancelled, Code: payments.CodeReturned})
		if err == nil {
			err = dropRefunds(ctx, t, id)
		}
		return err
	})
}
