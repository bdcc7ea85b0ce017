// Package door stores the queue at a restaurant's door.
package door

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/door"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
)

// Guards of the package.
const (
	LockDoor        pg.Guard = "lock the queue at a restaurant's door"
	InsertDoorParty pg.Guard = "add a party to the queue at a door"
	LockDoorRow     pg.Guard = "lock a party at the door"
	UpdateDoorParty pg.Guard = "take a step with a party at the door"
	ClaimDoorParty  pg.Guard = "claim a party at the door"
)

// Store implements door.Store.
type Store struct{ db *pg.Pool }

// NewStore returns the parties at doors stored in db.
func NewStore(db *pg.Pool) *Store { return &Store{db} }

// doorColumns are those of a door.Party d. One whose reservation was made, but not noted, has its table.
const doorColumns = `d.id, d.restaurant_id, d.service_date::text AS date, d.number, d.staff_id,
	d.idempotency_key AS key, d.name, d.phone, d.party_size,
	CASE WHEN d.state IN ('waiting', 'called') AND r.id IS NOT NULL THEN 'seated' ELSE d.state END AS state,
	d.joined_at, d.called_at, d.ended_at, d.passed, COALESCE(d.user_id, '') AS user_id,
	COALESCE(d.reservation_id, r.id, '') AS reservation_id`

// fromDoor reads parties d with the reservation r that the claim upon them has made. Its key is door.KeyOf.
const fromDoor = `
	FROM door_parties d
	LEFT JOIN reservations r ON r.booked_by = d.claimed_by AND r.idempotency_key = 'door-' || d.id || '-' || d.attempt`

// Join implements door.Store. The lock has numbers rise without gaps, and a repeat find the first.
func (s *Store) Join(ctx context.Context, p door.Party) (door.Party, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (door.Party, error) {
		err := t.Run(ctx, t.Pool.Guarded(LockDoor, `
			SELECT pg_advisory_xact_lock(hashtextextended('door of ' || $1::bigint, 0))`), p.RestaurantID)
		if err != nil {
			return door.Party{}, err
		}
		earlier, err := findDoor(ctx, t, `
			d.restaurant_id = $1 AND d.staff_id = $2 AND d.idempotency_key = $3`, p.RestaurantID, p.StaffID, p.Key)
		switch {
		case err == nil && (earlier.PartySize != p.PartySize || earlier.Name != p.Name || earlier.Phone != p.Phone):
			return door.Party{}, booking.ErrKeyReused
		case !errors.Is(err, booking.ErrNotFound):
			return earlier, err
		}
		p.ID = rand.Text()
		if err := insertDoor(ctx, t, p); err != nil {
			return door.Party{}, err
		}
		return findDoor(ctx, t, `d.id = $1`, p.ID)
	})
}

func insertDoor(ctx context.Context, t *pg.Tx, p door.Party) error {
	err := t.Get(ctx, &p.Number, t.Pool.Guarded(InsertDoorParty, `
		INSERT INTO door_parties (id, restaurant_id, service_date, number, staff_id, idempotency_key, name, phone,
			party_size)
		SELECT $1, $2, $3::date, COALESCE(max(number), 0) + 1, $4, $5, $6, $7, $8
		FROM door_parties
		WHERE restaurant_id = $2 AND service_date = $3::date
		HAVING count(*) FILTER (WHERE state IN ('waiting', 'called')) < $9
		RETURNING number`),
		p.ID, p.RestaurantID, string(p.Date), p.StaffID, p.Key, p.Name, p.Phone, p.PartySize, door.MaxWaiting)
	if errors.Is(err, sql.ErrNoRows) {
		return door.ErrFull
	}
	if err != nil {
		return err
	}
	return auditlog.Write(ctx, t, auditlog.Entry{StaffID: p.StaffID, RestaurantID: p.RestaurantID, Action: "door.join",
		Detail: map[string]any{"number": p.Number, "partySize": p.PartySize}})
}

func findDoor(ctx context.Context, from pg.Reader, where string, args ...any) (door.Party, error) {
	return pg.Find[door.Party](ctx, from, booking.ErrNotFound, `SELECT `+doorColumns+fromDoor+` WHERE `+where, args...)
}

// ListParties implements door.Store.
func (s *Store) ListParties(ctx context.Context, restaurantID int64, date booking.Date) ([]door.Party, error) {
	return pg.List[door.Party](ctx, s.db, `
		SELECT `+doorColumns+fromDoor+`
		WHERE d.restaurant_id = $1 AND d.service_date = $2::date
		ORDER BY d.number`, restaurantID, string(date))
}

// FindParty implements door.Store.
func (s *Store) FindParty(ctx context.Context, id string) (door.Party, error) {
	return findDoor(ctx, s.db, `d.id = $1`, id)
}

// Take implements door.Store.
func (s *Store) Take(ctx context.Context, step door.Step) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		was, err := lockDoorParty(ctx, t, step)
		if err != nil {
			return err
		}
		can := was.IsOpen()
		switch step.State {
		case door.Called:
			can = was.State == door.Waiting
		case door.Waiting:
			can = was.State == door.Called || was.State == door.Gone
		}
		if !can {
			return booking.ErrWrongState
		}
		if err := checkUnclaimed(ctx, t, step); err != nil {
			return err
		}
		err = t.Run(ctx, t.Pool.Guarded(UpdateDoorParty, `
			UPDATE door_parties
			SET state = $2,
				called_at = CASE WHEN $2 = 'called' THEN clock_timestamp() WHEN $2 IN ('gone', 'left') THEN called_at END,
				ended_at = CASE WHEN $2 IN ('gone', 'left') THEN clock_timestamp() END
			WHERE id = $1`), was.ID, step.State)
		if err == nil {
			err = notePassed(ctx, t, step.PassedOver)
		}
		if err == nil && step.State == door.Called {
			err = noteCall(ctx, t, was.ID)
		}
		if err != nil || step.State == door.Left { // no act of staff
			return err
		}
		return auditDoor(ctx, t, was, step)
	})
}

// noteCall notes a letter to a party that is called, where it has asked for one or has said its number. Where its
// person has confirmed no address, it is only pushed and texted.
func noteCall(ctx context.Context, t *pg.Tx, id string) error {
	return t.Run(ctx, `
		INSERT INTO mails (kind, user_id, door_party_id, sent_at)
		SELECT 'door', d.user_id, d.id, CASE WHEN u.email_confirmed_at IS NULL THEN clock_timestamp() END
		FROM door_parties d
		LEFT JOIN users u ON u.id = d.user_id
		WHERE d.id = $1
			AND (d.user_id IS NOT NULL OR EXISTS (SELECT FROM push_subscriptions p WHERE p.door_party_id = d.id)
				OR d.phone <> '' AND wants_texts())`, id)
}

// Ask implements door.Store.
func (s *Store) Ask(ctx context.Context, asked door.Asked) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		return t.Touch(ctx, booking.ErrWrongState, `
			UPDATE door_parties
			SET language = $2, user_id = COALESCE((SELECT id FROM users WHERE id = $3 AND deleted_at IS NULL FOR SHARE), user_id)
			WHERE id = $1 AND state IN ('waiting', 'called')`, asked.PartyID, asked.Language, asked.UserID)
	})
}

// auditDoor writes down a step with a party.
func auditDoor(ctx context.Context, t *pg.Tx, p door.Party, step door.Step) error {
	return auditlog.Write(ctx, t, auditlog.Entry{StaffID: step.StaffID, RestaurantID: p.RestaurantID,
		Action: "door." + string(step.State), Detail: map[string]any{"number": p.Number, "partySize": p.PartySize,
			"passedOver": len(step.PassedOver)}})
}

// checkUnclaimed returns door.ErrBusy for a locked party that somebody is seating.
func checkUnclaimed(ctx context.Context, t *pg.Tx, step door.Step) error {
	_, err := pg.Find[string](ctx, t, door.ErrBusy, `
		SELECT id FROM door_parties
		WHERE id = $1 AND (claimed_by IS NULL OR claimed_at < clock_timestamp() - $2 * interval '1 microsecond')`,
		step.PartyID, step.ClaimTime.Microseconds())
	return err
}

// lockDoorParty locks a party of the step's restaurant.
func lockDoorParty(ctx context.Context, t *pg.Tx, step door.Step) (door.Party, error) {
	_, err := pg.Find[string](ctx, t, booking.ErrNotFound, t.Pool.Guarded(LockDoorRow, `
		SELECT id FROM door_parties WHERE id = $1 AND restaurant_id = $2 FOR UPDATE`), step.PartyID, step.RestaurantID)
	if err != nil {
		return door.Party{}, err
	}
	return findDoor(ctx, t, `d.id = $1`, step.PartyID)
}

// notePassed counts for some parties that one which came later went first.
func notePassed(ctx context.Context, t *pg.Tx, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	return t.Run(ctx, `UPDATE door_parties SET passed = passed + 1 WHERE id = ANY ($1) AND state = 'waiting'`,
		pq.StringArray(ids))
}

// Claim implements door.Store.
func (s *Store) Claim(ctx context.Context, step door.Step) (door.Claim, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (claim door.Claim, err error) {
		claim.By = step.StaffID
		if claim.Party, err = lockDoorParty(ctx, t, step); err != nil {
			return claim, err
		}
		if !claim.IsOpen() {
			return claim, booking.ErrWrongState
		}
		err = t.Get(ctx, &claim.Attempt, t.Pool.Guarded(ClaimDoorParty, `
			UPDATE door_parties
			SET claimed_by = $2, claimed_at = clock_timestamp(),
				attempt = attempt + COALESCE(claimed_at < clock_timestamp() - $3 * interval '1 microsecond', false)::int
			WHERE id = $1
				AND (claimed_by IS NULL OR claimed_by = $2 OR claimed_at < clock_timestamp() - $3 * interval '1 microsecond')
			RETURNING attempt`), claim.ID, claim.By, step.ClaimTime.Microseconds())
		if errors.Is(err, sql.ErrNoRows) {
			err = door.ErrBusy
		}
		return claim, err
	})
}

// Release implements door.Store.
func (s *Store) Release(ctx context.Context, c door.Claim) error {
	return s.db.Exec(ctx, `
		UPDATE door_parties
		SET claimed_by = NULL, claimed_at = NULL, attempt = attempt + 1
		WHERE id = $1 AND claimed_by = $2 AND attempt = $3`, c.ID, c.By, c.Attempt)
}

// Seat implements door.Store.
func (s *Store) Seat(ctx context.Context, c door.Claim, reservationID string, passedOver []string) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		n, err := t.Exec(ctx, `
			UPDATE door_parties
			SET state = 'seated', reservation_id = $3, ended_at = clock_timestamp()
			WHERE id = $1 AND claimed_by = $2 AND reservation_id IS NULL`, c.ID, c.By, reservationID)
		if err != nil {
			return err
		}
		if n == 0 {
			return checkSeated(ctx, t, c.ID, reservationID)
		}
		if c.State == door.Called {
			passedOver = nil // those were counted when it was called
		}
		if err := notePassed(ctx, t, passedOver); err != nil {
			return err
		}
		return auditDoor(ctx, t, c.Party, door.Step{StaffID: c.By, State: door.Seated, PassedOver: passedOver})
	})
}

// checkSeated returns booking.ErrWrongState for a party whose table is not that of a reservation.
func checkSeated(ctx context.Context, t *pg.Tx, id, reservationID string) error {
	_, err := pg.Find[string](ctx, t, booking.ErrWrongState, `
		SELECT id FROM door_parties WHERE id = $1 AND reservation_id = $2`, id, reservationID)
	return err
}

// Forget implements door.Store. A day is over some hours after midnight, wherever the restaurant is.
func (s *Store) Forget(ctx context.Context, limit int) (int, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (int, error) {
		n, err := t.Exec(ctx, `
			DELETE FROM door_parties
			WHERE id IN (
				SELECT d.id
				FROM door_parties d
				JOIN restaurants p ON p.id = d.restaurant_id
				WHERE d.service_date < (statement_timestamp() AT TIME ZONE p.time_zone - interval '4 hours')::date
				LIMIT $1
				FOR UPDATE OF d SKIP LOCKED
			)`, limit)
		return int(n), err
	})
}
