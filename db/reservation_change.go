package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
)

// lockedReservation is a reservation whose row is locked, with what deciding about it needs.
type lockedReservation struct {
	booking.Reservation
	SlotID      int64         // the first of
	SlotIDs     pq.Int64Array // all of its slots, in order
	PaymentKey  string
	PaymentKind booking.PaymentKind
	Start       time.Time // of its slot
	Now         time.Time // by the database's clock, read under the lock
}

type lockedRow struct {
	reservationRow
	SlotIDs     pq.Int64Array `db:"slot_ids"`
	PaymentKey  string        `db:"payment_key"`
	PaymentKind string        `db:"payment_kind"`
	TimeZone    string        `db:"time_zone"`
	Now         time.Time     `db:"now"`
	Seen        int           `db:"seen"` // changes as the statement saw them before it waited
}

// errChanged says that a compare-and-set found another state than the one that was read. Under the row's lock that does
// not happen.
var errChanged = errors.New("db: the reservation changed meanwhile")

// lock reads a reservation and holds its row until the transaction ends. Returns booking.ErrNotFound.
func (s *ReservationStore) lock(ctx context.Context, t *tx, id string) (lockedReservation, error) {
	var row lockedRow
	err := t.get(ctx, &row, s.db.guards.lockReservation, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && row.Seen != row.Changes {
		err = t.get(ctx, &row, s.db.guards.lockReservation, id) // its diner changed it while we waited
	}
	if err != nil {
		return lockedReservation{}, orNotFound(err, booking.ErrNotFound)
	}
	reservation, err := row.reservation()
	if err != nil {
		return lockedReservation{}, err
	}
	zone, err := s.db.zone(row.TimeZone)
	if err != nil {
		return lockedReservation{}, err
	}
	start, err := booking.Restaurant{Location: zone}.Start(reservation.Slot.Date, reservation.Slot.Time)
	if err != nil {
		return lockedReservation{}, fmt.Errorf("db: reservation %s: %w", id, err)
	}
	return lockedReservation{
		Reservation: reservation,
		SlotID:      row.SlotIDs[0],
		SlotIDs:     row.SlotIDs,
		PaymentKey:  row.PaymentKey,
		PaymentKind: booking.PaymentKind(row.PaymentKind),
		Start:       start,
		Now:         row.Now,
	}, nil
}

// change takes the reservation from the state it was read in to the one it has now and stores its payment and refund.
// Returns errChanged, and stores nothing, when the row is in another state than was.
func (s *ReservationStore) change(ctx context.Context, t *tx, r lockedReservation, was booking.State) error {
	changed, err := t.exec(ctx, s.db.guards.changeReservation,
		r.ID, string(was), string(r.State), r.PaidAmount, r.RefundAmount, r.PaymentKey, string(r.PaymentKind))
	if err == nil && changed != 1 {
		err = errChanged
	}
	return err
}

// free does what change does, for a step after which the reservation's dishes are for others. Its seats are when its new
// state says so.
func (s *ReservationStore) free(ctx context.Context, t *tx, r lockedReservation, was booking.State) error {
	var changed int
	err := t.get(ctx, &changed, s.db.guards.cancelReservation, r.ID, string(was), string(r.State), r.RefundAmount)
	if err == nil && changed != 1 {
		err = errChanged
	}
	return err
}

// zone loads a time zone by its name, once.
func (db *DB) zone(name string) (*time.Location, error) {
	if known, ok := db.zones.Load(name); ok {
		return known.(*time.Location), nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("db: time zone: %w", err)
	}
	db.zones.Store(name, zone)
	return zone, nil
}
