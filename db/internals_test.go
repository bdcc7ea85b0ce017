package db

import (
	"context"

	"lunchgo/db/pg"
)

// What the tests of package db_test reach of the inside: they use db/testkit, which imports this package.
const (
	SlotColumns   = slotColumns
	SomebodyWaits = somebodyWaits
)

var (
	ErrOtherSlots  = errOtherSlots
	MigrationFiles = migrationFiles
)

func (s *SlotStore) Pool() *pg.Pool        { return s.db }
func (s *ReservationStore) Pool() *pg.Pool { return s.db }
func (s *PaymentStore) Pool() *pg.Pool     { return s.db }

func (s *ReservationStore) Lock(ctx context.Context, tx *pg.Tx, id string) (lockedReservation, error) {
	return s.lock(ctx, tx, id)
}
