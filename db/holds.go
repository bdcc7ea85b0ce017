package db

import (
	"context"
	"time"

	"lunchgo/app/booking"
)

// CheckHolds implements reserve.SlotStore. It takes no lock: the turn decides.
func (s *SlotStore) CheckHolds(ctx context.Context, req booking.Request) error {
	var row struct {
		booking.Diner
		Holds  int
		InSlot bool
		Now    time.Time
	}
	err := s.db.Get(ctx, &row, `
		SELECT COALESCE((SELECT email_confirmed_at IS NOT NULL FROM users WHERE id = $1), false) AS confirmed,
			count(*) FILTER (WHERE r.state = 'temporary' AND NOT EXISTS (
				SELECT FROM waitlist_entries WHERE reservation_id = r.id
			)) AS holds,
			COALESCE(bool_or(asked.it AND r.state <> 'expired'), false) AS in_slot,
			max(r.hold_expires_at) FILTER (WHERE asked.it AND r.state = 'expired') AS hold_ended,
			clock_timestamp() AS now
		FROM (
			SELECT id, slot_id, state, hold_expires_at
			FROM reservations
			WHERE user_id = $1 AND state NOT IN ('expired', 'cancelled', 'completed', 'no_show', 'refunded')
			UNION ALL
			SELECT id, slot_id, state, hold_expires_at
			FROM reservations
			WHERE user_id = $1 AND state = 'expired' AND hold_expires_at > statement_timestamp() - $5 * interval '1 microsecond'
		) r
		JOIN slots s ON s.id = r.slot_id
		CROSS JOIN LATERAL (
			SELECT s.restaurant_id = $2 AND s.service_date = $3::date AND s.service_time = ANY ($4::time[]) AS it
		) asked`,
		req.Diner(), req.Slot.RestaurantID, string(req.Slot.Date), timeArray(timesOfStay(req.Slot, req.Stay)),
		req.HoldTime.Microseconds())
	if err != nil || row.InSlot {
		return err
	}
	for range row.Holds {
		row.Visits = append(row.Visits, booking.HeldVisit{State: booking.Temporary})
	}
	return s.Limits.CheckHolds(row.Diner, req.HoldTime, row.Now)
}
