package db

import (
	"context"
	"encoding/json"
)

// auditEntry is what a member of staff did; one row of the log, which nothing changes or deletes.
type auditEntry struct {
	StaffID       string
	RestaurantID  int64
	SlotID        int64  // 0 where the act concerns none
	ReservationID string // empty where the act concerns none
	Action        string
	Detail        map[string]any
}

// writeAudit records an act in the transaction that does it: neither is stored without the other.
func writeAudit(ctx context.Context, t *tx, entry auditEntry) error {
	detail, err := json.Marshal(entry.Detail)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `
		INSERT INTO audit_log (staff_id, restaurant_id, slot_id, reservation_id, action, detail)
		VALUES ($1, $2, NULLIF($3, 0), NULLIF($4, ''), $5, $6::jsonb)`,
		entry.StaffID, entry.RestaurantID, entry.SlotID, entry.ReservationID, entry.Action, string(detail))
	return err
}
