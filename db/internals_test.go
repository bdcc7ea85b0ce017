package db

import (
	"context"

	"lunchgo/db/pg"
)

// What the tests of package db_test reach of the inside: they use db/testkit, which imports this package.
const (
	AnnounceLock  = announceLock
	ExportBatch   = exportBatch
	MaxRevoked    = maxRevoked
	SlotColumns   = slotColumns
	SomebodyWaits = somebodyWaits
)

var (
	ErrOtherSlots  = errOtherSlots
	ExportSections = exportSections
	MigrationFiles = migrationFiles
)

func (s section) Name() string     { return s.name }
func (s section) Tables() []string { return s.tables }
func (s section) Query() string    { return s.query }

func (s *SlotStore) Pool() *pg.Pool        { return s.db }
func (s *ReservationStore) Pool() *pg.Pool { return s.db }
func (s *PaymentStore) Pool() *pg.Pool     { return s.db }

func (s *ReservationStore) Lock(ctx context.Context, tx *pg.Tx, id string) (lockedReservation, error) {
	return s.lock(ctx, tx, id)
}
