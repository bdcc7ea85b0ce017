package db

import (
	"context"

	"github.com/lib/pq"

	"lunchgo/app/reserve"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
)

// NamesOf implements reserve.SlotStore.
func (s *SlotStore) NamesOf(ctx context.Context, ids []string) (map[string]string, error) {
	return pg.One[map[string]string](ctx, s.db,
		`SELECT json_object_agg(id, name) FROM users WHERE id = ANY ($1::text[])`, pq.StringArray(ids))
}

// NoteLineAct implements reserve.SlotStore. A slot without a row has a line all the same.
func (s *SlotStore) NoteLineAct(ctx context.Context, act reserve.LineAct) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		var slotID int64
		err := t.Get(ctx, &slotID, `
			SELECT COALESCE(max(id), 0)
			FROM slots
			WHERE restaurant_id = $1 AND service_date = $2::date AND service_time = $3::time`,
			act.Slot.RestaurantID, string(act.Slot.Date), string(act.Slot.Time))
		if err != nil {
			return err
		}
		act.Detail["time"] = string(act.Slot.Date) + " " + string(act.Slot.Time)
		return auditlog.Write(ctx, t, auditlog.Entry{StaffID: act.StaffID, RestaurantID: act.Slot.RestaurantID,
			SlotID: slotID, Action: act.Action, Detail: act.Detail})
	})
}
