package program

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/evening"
	"lunchgo/app/lineup"
	"lunchgo/app/waiting"
	"lunchgo/locks"
)

// slotLines shows staff the lines of slots.
type slotLines struct{ room *waiting.Room }

// Glances implements evening.Lines.
func (l slotLines) Glances(ctx context.Context, slots []booking.SlotKey) ([]evening.Line, error) {
	names := make([]locks.Name, len(slots))
	for i, slot := range slots {
		names[i] = lineup.OfSlot(slot)
	}
	glances, err := l.room.Glances(ctx, names)
	lines := make([]evening.Line, len(glances))
	for i, g := range glances {
		lines[i] = evening.Line{Waiting: g.Waiting, Longest: g.Longest, PerPerson: g.PerPerson, Estimate: g.Estimate()}
	}
	return lines, err
}
