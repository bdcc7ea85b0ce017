package db

import (
	"context"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/accounts"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
)

// Waive confirms a reservation without the deposit that staff had asked for. Returns booking.ErrNotFound and the errors
// of booking.Reservation.Waive.
func (s *ReservationStore) Waive(ctx context.Context, id, staffID string) (booking.Reservation, error) {
	return s.step(ctx, id, func(ctx context.Context, t *pg.Tx, r lockedReservation) (booking.Reservation, error) {
		waived, err := r.Waive(r.Now)
		if err != nil {
			return waived, err
		}
		err = t.Touch(ctx, errChanged, s.db.Guarded(UpdateState, `
			UPDATE reservations
			SET state = 'confirmed', confirmed_at = $2, deposit_amount = $3, policy = $4
			WHERE id = $1 AND state = 'temporary'`), id, r.Now, waived.DepositAmount, pg.JSON(waived.Policy))
		if err != nil {
			return waived, err
		}
		return waived, auditlog.Write(ctx, t,
			r.act(staffID, "reservation.waived", map[string]any{"was": r.State, "is": waived.State}))
	})
}

// Postpone gives a guest more time for the deposit, and writes to them again. Returns booking.ErrNotFound and the
// errors of booking.Reservation.Postpone; *identity.LetterLimitError, changing nothing, when the guest's address got
// too many such letters.
func (s *ReservationStore) Postpone(ctx context.Context, id, staffID string,
	within booking.PayWithin) (booking.Reservation, error) {
	return s.step(ctx, id, func(ctx context.Context, t *pg.Tx, r lockedReservation) (booking.Reservation, error) {
		later, err := r.Postpone(within, r.Start, r.Now)
		if err != nil {
			return later, err
		}
		err = t.Touch(ctx, errChanged, s.db.Guarded(UpdateState, prolongWindows+`
			UPDATE reservations
			SET hold_expires_at = $2
			WHERE id = $1 AND state = 'temporary'`), id, later.HoldExpiresAt)
		if err == nil {
			err = countLinkOf(ctx, t, r.UserID)
		}
		if err == nil {
			err = writeLinks(ctx, t, id)
		}
		if err != nil {
			return later, err
		}
		return later, auditlog.Write(ctx, t, r.act(staffID, "reservation.pay_by",
			map[string]any{"was": r.HoldExpiresAt, "is": later.HoldExpiresAt}))
	})
}

// noteLinks has those guests written to who are asked for the deposit. It sends nothing if none is.
func noteLinks(ctx context.Context, t *pg.Tx, d decided) error {
	var ids []string
	for _, out := range d.outcomes {
		if g := out.Request.Guest; g != nil && g.Account != "" && out.Reserves() {
			ids = append(ids, out.ReservationID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return writeLinks(ctx, t, ids...)
}

// countLinkOf counts another letter with the link to pay to the guest of an account.
func countLinkOf(ctx context.Context, t *pg.Tx, userID string) error {
	var email string
	if err := t.Get(ctx, &email, `SELECT email FROM users WHERE id = $1`, userID); err != nil {
		return err
	}
	return accounts.CountPaymentLink(ctx, t, userID, email)
}

// writeLinks has the guests of reservations written to with the link to pay. Load tests write to nobody.
func writeLinks(ctx context.Context, t *pg.Tx, ids ...string) error {
	return t.Run(ctx, `
		INSERT INTO mails (kind, user_id, reservation_id)
		SELECT 'payment_link', r.user_id, r.id
		FROM reservations r
		JOIN restaurants p ON p.id = r.restaurant_id AND NOT p.shadow
		WHERE r.id = ANY ($1)`, pq.StringArray(ids))
}
