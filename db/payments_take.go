package db

import (
	"context"
	"errors"

	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
)

// errMoved says that a payment is not in a state from which a step leads on: somebody else has taken it.
var errMoved = errors.New("db: the payment has moved on meanwhile")

// paymentStep is a step of a payment's state.
type paymentStep struct {
	ID        string
	From      []payments.State
	To        payments.State
	Reference string // "" leaves what is there, as for the others
	Method    string
	Code      string
	Now       bool // its next step is due at once; else none is
}

// movePayment takes a step of a payment and writes the event of it, in the same statement. Returns errMoved, changing
// nothing, when the payment is in none of the states that the step leaves.
func movePayment(ctx context.Context, t *pg.Tx, step paymentStep) error {
	from := make([]string, 0, len(step.From))
	for _, state := range step.From {
		if !state.MayBecome(step.To) {
			return errors.New("db: no payment goes from " + string(state) + " to " + string(step.To))
		}
		from = append(from, string(state))
	}
	return t.Touch(ctx, errMoved, t.Pool.Guarded(MovesPayment, `
		WITH moved AS (
			UPDATE payments p
			SET state = $3, reference = COALESCE(NULLIF($4, ''), reference), method = COALESCE(NULLIF($5, ''), method),
				code = $6, moved_at = clock_timestamp(), due_at = CASE WHEN $7 THEN clock_timestamp() END, attempts = 0,
				paid_at = CASE WHEN $3 = 'paid' THEN COALESCE(paid_at, clock_timestamp()) ELSE paid_at END,
				change = CASE WHEN $3 = 'authorised' THEN change END, before = CASE WHEN $3 = 'capturing' THEN before END
			WHERE id = $1 AND state = ANY ($2::text[])
			RETURNING p.*
		), published AS (
			INSERT INTO outbox (type, key, restaurant_id, data, kafka, webhooks)
			SELECT 'lunchgo.payment.' || moved.state, moved.id, r.restaurant_id, jsonb_build_object(
				'id', moved.id, 'reservationId', moved.reservation_id, 'provider', moved.provider, 'kind', moved.kind,
				'method', moved.method, 'state', moved.state, 'amount', moved.amount, 'refunded', moved.returned,
				'code', moved.code), true, false
			FROM moved
			JOIN reservations r ON r.id = moved.reservation_id
			WHERE wants_kafka()
		)
		SELECT FROM moved`), step.ID, rowlock.InOrder(from), string(step.To), step.Reference, step.Method,
		step.Code, step.Now)
}

// beforeMoney are the states of payments whose seats are not certain yet.
var beforeMoney = []payments.State{payments.Started, payments.Authorised}

// Authorise implements payments.Store. The money for a window that somebody has ended meanwhile is let go of.
func (s *PaymentStore) Authorise(ctx context.Context, p payments.Payment, r payments.Report) (booking.Reservation,
	error) {
	res, err := s.reservations.payWith(ctx, p.Order(), func(ctx context.Context, t *pg.Tx) error {
		return movePayment(ctx, t, paymentStep{ID: p.ID, From: beforeMoney, To: payments.Capturing,
			Reference: r.Reference, Method: r.Method, Now: true})
	})
	if errors.Is(err, errMoved) {
		err = s.End(ctx, p.ID, payments.End{State: payments.Cancelled, Release: true})
	}
	return res, err
}

// End implements payments.Store.
func (s *PaymentStore) End(ctx context.Context, id string, end payments.End) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		err := movePayment(ctx, t, paymentStep{ID: id, From: beforeMoney, To: end.State, Method: end.Method,
			Code: end.Code, Now: end.Release})
		if !errors.Is(err, errMoved) {
			return err
		}
		if end.Release {
			return t.Run(ctx, `
				UPDATE payments
				SET due_at = clock_timestamp()
				WHERE id = $1 AND state = 'cancelled'`, id)
		}
		return nil
	})
}
