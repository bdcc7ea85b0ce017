package db

import (
	"context"
	"errors"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/db/pg"
)

// A change by card is made in its turn, as any other: the transaction of the turn locks its payment, adds what the
// provider has ready to what the wallet has, and makes the payment Capturing with the change, or Cancelled without it.

// beginChange stores a payment of what the wallet lacks for a change.
func (s *PaymentStore) beginChange(ctx context.Context, t *pg.Tx, n payments.NewPayment) (payments.Payment, error) {
	r, err := s.reservations.lock(ctx, t, n.Order.ReservationID)
	if err == nil && r.UserID != n.Order.UserID {
		err = booking.ErrNotFound
	}
	if err != nil {
		return payments.Payment{}, err
	}
	if known, err := s.findKey(ctx, t, n.Order); err != nil || known.ID != "" {
		return known, err
	}
	return s.insert(ctx, t, n, r, *n.Order.Quoted)
}

// Ready implements payments.Store.
func (s *PaymentStore) Ready(ctx context.Context, p payments.Payment, r payments.Report) error {
	err := s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		return movePayment(ctx, t, paymentStep{ID: p.ID, From: []payments.State{payments.Started},
			To: payments.Authorised, Reference: r.Reference, Method: r.Method, Now: true})
	})
	if errors.Is(err, errMoved) {
		err = nil
	}
	return err
}

// lockCards locks the payments of a run's changes whose money is ready, in order, and returns how much that is. It
// sends nothing when no change is paid by card.
func lockCards(ctx context.Context, t *pg.Tx, run []booking.Request) (map[string]int64, error) {
	var ids, of pq.StringArray
	for _, req := range run {
		if req.Change != nil && req.Change.PaymentID != "" {
			ids, of = append(ids, req.Change.PaymentID), append(of, req.Change.ReservationID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	var rows []struct {
		ID     string
		Amount int64
	}
	err := t.List(ctx, &rows, t.Pool.Guarded(LockPaidChanges, `
		SELECT id, amount
		FROM payments
		WHERE (id, reservation_id) IN (SELECT * FROM unnest($1::text[], $2::text[])) AND state = 'authorised'
		ORDER BY id
		FOR UPDATE`), ids, of)
	cards := make(map[string]int64, len(rows))
	for _, row := range rows {
		cards[row.ID] = row.Amount
	}
	return cards, err
}

// settleCards takes the step of each payment that a run's changes were to be paid with: the provider is to take its
// money, or to let go of it where the change is refused. One whose line stands still waits on. It sends nothing when no
// change is paid by card.
func settleCards(ctx context.Context, t *pg.Tx, d decided) error {
	for _, out := range d.outcomes {
		if out.Request.Change == nil {
			continue
		}
		id := out.Request.Change.PaymentID
		if _, ready := d.cards[id]; !ready || out.Existing != nil ||
			errors.Is(out.Err, booking.ErrPaused) || errors.Is(out.Err, booking.ErrNotOpenYet) {
			continue
		}
		step := paymentStep{ID: id, From: []payments.State{payments.Authorised}, To: payments.Capturing, Now: true}
		if out.Err != nil {
			step.To, step.Code = payments.Cancelled, payments.CodeOf(out.Err)
		} else if err := keepBefore(ctx, t, id, *out.Changed); err != nil {
			return err
		}
		if err := movePayment(ctx, t, step); err != nil {
			return err
		}
	}
	return nil
}

// keepBefore notes with a payment what the reservation was before its change.
func keepBefore(ctx context.Context, t *pg.Tx, id string, changed booking.Changed) error {
	return t.Run(ctx, `UPDATE payments SET before = $2 WHERE id = $1`, id, pg.JSON(changed.Was))
}
