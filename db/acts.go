package db

import (
	"context"
	"slices"

	"lunchgo/app/booking"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
)

// noteActs writes down what staff have done for guests by the outcomes of a run. It sends nothing when they have done
// nothing.
func noteActs(ctx context.Context, t *pg.Tx, d decided) error {
	for _, out := range d.outcomes {
		if !out.Request.IsByStaff() || !out.Reserves() && out.Changed == nil {
			continue
		}
		var act auditlog.Entry
		if out.Changed != nil {
			act = changedAct(*out.Changed)
		} else {
			act = bookedAct(out)
		}
		if out.Overridden {
			act.Action, act.Detail["reason"] = "reservation.override", out.Request.Override.Reason
		}
		act.StaffID, act.RestaurantID = out.Request.UserID, out.Request.Slot.RestaurantID
		act.SlotID, act.ReservationID = d.slots.id(out.Request.Slot), out.ReservationID
		if err := auditlog.Write(ctx, t, act); err != nil {
			return err
		}
	}
	return nil
}

func bookedAct(out booking.Outcome) auditlog.Entry {
	req := out.Request
	is := visitDetail(booking.Reservation{Slot: req.Slot, PartySize: req.PartySize})
	is["seatIds"], is["source"], is["state"] = append([]int64{}, out.SeatIDs...), req.Guest.Source, req.Guest.State
	if req.EndTime != "" {
		is["endTime"] = req.EndTime
	}
	return auditlog.Entry{Action: "reservation.book", Detail: map[string]any{"is": is}}
}

// changedAct names the act by the most that it changes: the time, then the party, then the seats, then the stay.
func changedAct(c booking.Changed) auditlog.Entry {
	was, is := visitDetail(c.Was), visitDetail(c.Reservation)
	act := auditlog.Entry{Action: "reservation.seats", Detail: map[string]any{"was": was, "is": is}}
	stays := c.Was.StayMinutes() != c.StayMinutes()
	if stays {
		was["endTime"], is["endTime"] = c.Was.EndTime(), c.EndTime()
	}
	switch {
	case c.Was.Slot != c.Slot:
		act.Action = "reservation.move"
	case c.Was.PartySize != c.PartySize:
		act.Action = "reservation.party"
	case stays && slices.Equal(c.Was.SeatIDs(), c.SeatIDs()):
		act.Action = "reservation.stay"
	}
	return act
}

func visitDetail(r booking.Reservation) map[string]any {
	return map[string]any{"date": r.Slot.Date, "time": r.Slot.Time, "partySize": r.PartySize, "seatIds": r.SeatIDs()}
}
