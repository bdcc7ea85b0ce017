// Package auditlog writes down what staff do.
package auditlog

import (
	"context"
	"encoding/json"

	"github.com/lib/pq"

	"lunchgo/db/pg"
)

// Entry is what a member of staff did; one row of the log, which nothing changes or deletes.
type Entry struct {
	StaffID       string
	RestaurantID  int64
	SlotID        int64  // 0 where the act concerns none
	ReservationID string // empty where the act concerns none
	Action        string
	Detail        map[string]any // was, is, and what else there is to read
	Reason        string         // in the words of staff; empty for none
}

// Write records acts in the transaction that does them: neither is stored without the other.
func Write(ctx context.Context, t *pg.Tx, acts ...Entry) error {
	var staff, reservations, actions, details pq.StringArray
	var restaurants, slots pq.Int64Array
	for _, act := range acts {
		if act.Reason != "" {
			act.Detail["reason"] = act.Reason
		}
		detail, err := json.Marshal(act.Detail)
		if err != nil {
			return err
		}
		staff, reservations = append(staff, act.StaffID), append(reservations, act.ReservationID)
		restaurants, slots = append(restaurants, act.RestaurantID), append(slots, act.SlotID)
		actions, details = append(actions, act.Action), append(details, string(detail))
	}
	return t.Run(ctx, `
		INSERT INTO audit_log (staff_id, restaurant_id, slot_id, reservation_id, action, detail)
		SELECT staff_id, restaurant_id, NULLIF(slot_id, 0), NULLIF(reservation_id, ''), action, detail
		FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::jsonb[]) WITH ORDINALITY
			AS act (staff_id, restaurant_id, slot_id, reservation_id, action, detail, position)
		ORDER BY position`, staff, restaurants, slots, reservations, actions, details)
}
