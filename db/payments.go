package db

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/db/pg"
)

// PaymentStore implements payments.Store. Where it locks several rows, it does so in the order of reservations, wallets
// and payments, as whoever cancels a reservation does.
type PaymentStore struct {
	db           *pg.Pool
	reservations *ReservationStore
	underWay     pg.ByKey[payments.Payment] // by reservation
}

// NewPaymentStore returns the payments through a provider that are stored in db.
func NewPaymentStore(db *pg.Pool) *PaymentStore {
	return &PaymentStore{db, NewReservationStore(db), pg.NewByKey(db, selectUnderWay, func(p payments.Payment) string {
		return p.ReservationID
	})}
}

const paymentColumns = `
	p.id, p.reservation_id, p.user_id, p.provider, p.kind, p.amount, p.total, p.state, p.reference, p.checkout_url,
	p.method, p.code, p.returned, p.idempotency_key AS key, p.expires_at, p.created_at, p.change`

const selectUnderWay = `
	SELECT ` + paymentColumns + `
	FROM payments p
	WHERE reservation_id = ANY ($1) AND (state = 'authorised' OR state = 'started' AND checkout_url <> '')
	ORDER BY created_at DESC, id`

const selectPayment = `SELECT ` + paymentColumns + ` FROM payments p WHERE p.id = $1`

// FindUnderWay implements payments.Store.
func (s *PaymentStore) FindUnderWay(ctx context.Context, reservationID string) (payments.Payment, error) {
	found, err := s.underWay.Get(ctx, reservationID)
	return found, pg.OrNotFound(err, payments.ErrNotFound)
}

// firstLook is when a window is first asked after whose browser does not come back.
const firstLook = 30 * time.Second

// Begin implements payments.Store.
func (s *PaymentStore) Begin(ctx context.Context, n payments.NewPayment) (payments.Payment, error) {
	begun, err := pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (begun payments.Payment, err error) {
		if n.Order.Change != nil {
			return s.beginChange(ctx, t, n)
		}
		r, payment, err := s.reservations.lockToPay(ctx, t, n.Order)
		if err != nil && !errors.Is(err, errRepeat) {
			return begun, err
		}
		known, found := s.findKey(ctx, t, n.Order)
		switch {
		case found != nil, known.ID != "" && (err == nil || known.State != payments.Started):
			return known, found
		case err == nil:
			begun, err = s.insert(ctx, t, n, r, payment.Amount)
		}
		return begun, err
	})
	if errors.Is(err, errRepeat) { // the wallet has paid under that key
		err = booking.ErrAlreadyPaid
	}
	return begun, err
}

// findKey returns the payment that the order's key began; an empty one if there is none. Returns booking.ErrKeyReused
// for one of another order.
func (s *PaymentStore) findKey(ctx context.Context, t *pg.Tx, order booking.PaymentOrder) (
	found payments.Payment, err error) {
	err = t.Get(ctx, &found, `
		SELECT `+paymentColumns+`
		FROM payments p
		WHERE p.user_id = $1 AND p.idempotency_key = $2`, order.UserID, order.IdempotencyKey)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return payments.Payment{}, nil
	case err == nil && (found.ReservationID != order.ReservationID || found.Kind != order.Kind),
		err == nil && found.Change != nil && !found.Change.IsSame(*order.Change):
		err = booking.ErrKeyReused
	}
	return found, err
}

// insert stores a payment of what the wallet lacks of total, and prolongs the hold for a reservation's first.
func (s *PaymentStore) insert(ctx context.Context, t *pg.Tx, n payments.NewPayment, r lockedReservation,
	total int64) (payments.Payment, error) {
	var before struct {
		Balance int64
		Earlier bool
	}
	err := t.Get(ctx, &before, `
		SELECT COALESCE((SELECT balance FROM accounts WHERE user_id = $1), 0) AS balance,
			EXISTS (SELECT FROM payments WHERE reservation_id = $2) AS earlier`, n.Order.UserID, r.ID)
	switch {
	case err != nil:
		return payments.Payment{}, err
	case before.Balance >= total:
		return payments.Payment{}, payments.ErrWalletPays
	}
	if r.IsHeld(r.Now) && !before.Earlier {
		if r.HoldExpiresAt, err = prolong(ctx, t, r.Reservation, n.Grace); err != nil {
			return payments.Payment{}, err
		}
	}
	until := r.HoldExpiresAt
	if n.Order.Change != nil {
		if until, err = r.CheckPaidChange(*n.Order.Change, r.Start, r.Now); err != nil {
			return payments.Payment{}, err
		}
	}
	var begun payments.Payment
	err = t.Get(ctx, &begun, `
		INSERT INTO payments AS p (id, reservation_id, user_id, provider, kind, amount, total, idempotency_key, expires_at,
			due_at, change)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp() + make_interval(secs => $10), $11)
		RETURNING `+paymentColumns, n.ID, r.ID, n.Order.UserID, n.Provider, string(n.Order.Kind),
		payments.ByCard(total, before.Balance), total, n.Order.IdempotencyKey, until, firstLook.Seconds(),
		pg.JSON(n.Order.Change))
	return begun, err
}

// prolong has a hold that its diner has seen last longer, and returns until when it does.
func prolong(ctx context.Context, t *pg.Tx, r booking.Reservation, grace time.Duration) (time.Time, error) {
	until := r.See().HoldExpiresAt.Add(grace)
	return until, t.Touch(ctx, errChanged, `
		UPDATE reservations
		SET hold_expires_at = $2, seen_expires_at = NULL
		WHERE id = $1 AND state = 'temporary'`, r.ID, until)
}

// Open implements payments.Store.
func (s *PaymentStore) Open(ctx context.Context, id string, opened payments.Opened) error {
	return s.db.Exec(ctx, `UPDATE payments SET reference = $2, checkout_url = $3 WHERE id = $1`, id, opened.Reference,
		opened.CheckoutURL)
}

// Find implements payments.Store.
func (s *PaymentStore) Find(ctx context.Context, id string) (payments.Payment, error) {
	return pg.Find[payments.Payment](ctx, s.db, payments.ErrNotFound, selectPayment, id)
}

// Note implements payments.Store.
func (s *PaymentStore) Note(ctx context.Context, a payments.Answer) error {
	return s.db.Exec(ctx, `
		INSERT INTO payment_answers (payment_id, call, stand, amount, returned, currency, method, reference, code, detail,
			error)
		SELECT answer.*
		FROM (VALUES ($1, $2, $3, $4::bigint, $5::bigint, $6, $7, $8, $9, $10, left($11, 500))) AS answer (payment_id, call,
			stand, amount, returned, currency, method, reference, code, detail, error)
		WHERE answer.call <> 'find' OR answer IS DISTINCT FROM (
			SELECT (payment_id, call, stand, amount, returned, currency, method, reference, code, detail, error)
			FROM payment_answers
			WHERE payment_id = $1
			ORDER BY id DESC
			LIMIT 1)`,
		a.PaymentID, a.Call, string(a.Stand), a.Amount, a.Returned, a.Currency, a.Method, a.Reference, a.Code, a.Detail,
		a.Error)
}
