package db

import (
	"context"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/rowlock"
)

// withinLimits returns the offers that the limits of their diners allow. The others end their entries: a diner who has
// a reservation at that time waits for nothing, and keeps the seats from those behind. Seats that come free by that are
// offered the next time.
func (o *offering) withinLimits(ctx context.Context, outcomes []booking.Outcome,
	offered booking.Waitlist) ([]booking.Outcome, booking.Waitlist, error) {
	var users, ended []string
	for _, entry := range offered {
		users = append(users, entry.UserID)
	}
	if err := rowlock.Users(ctx, o.t, users...); err != nil {
		return nil, nil, err
	}
	found, err := readDiners(ctx, o.t, stayOf{slots: pq.Int64Array{o.locked[o.slot.Time].ID}, day: o.slot.Date},
		users...)
	if err != nil {
		return nil, nil, err
	}
	var allowed []booking.Outcome
	var rest booking.Waitlist
	for i, out := range outcomes {
		visit, err := o.visitOf(out)
		if err != nil {
			return nil, nil, err
		}
		diner := found.diners[out.Request.UserID]
		if o.limits.CheckSeats(diner, visit, o.now) != nil {
			ended = append(ended, offered[i].ID)
			continue
		}
		diner.Visits = append(diner.Visits, visit) // the same diner may wait for another time of the day
		found.diners[out.Request.UserID] = diner
		allowed, rest = append(allowed, out), append(rest, offered[i])
	}
	return allowed, rest, o.leave(ctx, ended)
}

// visitOf is the visit that an offer is for.
func (o *offering) visitOf(out booking.Outcome) (visit booking.HeldVisit, err error) {
	made := booking.Reservation{State: booking.Temporary, DepositAmount: out.Request.DepositAmount}
	visit = booking.HeldVisit{ReservationID: out.ReservationID, State: booking.Temporary, Offered: true,
		Unpaid: made.Unpaid()}
	if visit.Start, err = o.restaurant.Start(out.Request.Slot.Date, out.Request.Slot.Time); err == nil {
		visit.End, err = o.restaurant.End(out.Request.Slot, out.Request.Stay)
	}
	return visit, err
}

// leave ends entries that wait.
func (o *offering) leave(ctx context.Context, entries pq.StringArray) error {
	if len(entries) == 0 {
		return nil
	}
	_, err := o.t.Exec(ctx, `
		UPDATE waitlist_entries
		SET state = 'left', ended_at = statement_timestamp()
		WHERE id = ANY ($1) AND state = 'waiting'`, entries)
	return err
}
