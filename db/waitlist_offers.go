package db

import (
	"context"
	"crypto/rand"
	"slices"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
)

type waitlistSlotRow struct {
	slotRow
	Fence       int64
	ServiceTime booking.TimeOfDay
}

// MakeOffers implements reserve.WaitlistStore.
func (s *WaitlistStore) MakeOffers(ctx context.Context, r booking.Restaurant,
	slot booking.SlotKey) ([]booking.SlotKey, error) {
	start, err := r.Start(slot.Date, slot.Time)
	if err != nil {
		return nil, err
	}
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) ([]booking.SlotKey, error) {
		o := offering{db: s.db, t: t, restaurant: r, slot: slot, start: start, limits: s.Limits}
		return o.make(ctx)
	})
}

// offering is the making of offers in one slot.
type offering struct {
	db         *pg.Pool
	t          *pg.Tx
	restaurant booking.Restaurant
	slot       booking.SlotKey
	start      time.Time
	limits     booking.Limits
	now        time.Time
	locked     map[booking.TimeOfDay]waitlistSlotRow
}

// make locks the slot, and those that an entry of its list needs as well, and offers what is free.
func (o *offering) make(ctx context.Context) ([]booking.SlotKey, error) {
	slots, err := o.lock(ctx)
	if err != nil || len(slots) == 0 {
		return nil, err
	}
	if !o.restaurant.TakesOffers(o.start, o.now) {
		return o.end(ctx)
	}
	rooms, list, err := readLocked(ctx, o.t, slots)
	if err != nil {
		return nil, err
	}
	waiting := list.Entries
	settled := waiting.Allocate(o.restaurant.Seats, rooms, o.now)
	var outcomes []booking.Outcome
	var offered booking.Waitlist
	for n, i := range settled.Offered {
		if out, ok := o.outcome(waiting[i]); ok {
			out.SeatIDs = settled.SeatIDs[n]
			outcomes, offered = append(outcomes, out), append(offered, waiting[i])
		}
	}
	if len(offered) > 0 {
		outcomes, offered, err = o.withinLimits(ctx, outcomes, offered)
		if err != nil || len(offered) == 0 {
			return o.keys(), err
		}
	}
	if err := o.offer(ctx, offered, outcomes); err != nil {
		return nil, err
	}
	if err := o.countPasses(ctx, waiting, settled, offered); err != nil {
		return nil, err
	}
	kept, err := o.keep(ctx, waiting, settled.Begins)
	if err != nil || kept == 0 && len(offered) == 0 {
		return nil, err
	}
	return o.keys(), nil
}

// outcome is the reservation that an entry is offered; none when a slot that it needs is not locked, or takes none any
// more.
func (o *offering) outcome(entry booking.WaitingEntry) (booking.Outcome, bool) {
	if !o.locks(entry) {
		return booking.Outcome{}, false
	}
	key := booking.SlotKey{RestaurantID: o.slot.RestaurantID, Date: o.slot.Date, Time: entry.Times[0]}
	start, err := o.restaurant.Start(key.Date, key.Time)
	if err != nil {
		return booking.Outcome{}, false
	}
	req, ok := o.restaurant.OfferRequest(key, entry, start, o.now)
	req.IdempotencyKey = "offer-" + rand.Text()
	return booking.Outcome{Request: req, ReservationID: rand.Text()}, ok
}

// locks returns whether all slots that an entry needs are locked, and give seats now: one that is paused, or not open
// yet, keeps what is free for the waitlist.
func (o *offering) locks(entry booking.WaitingEntry) bool {
	return !slices.ContainsFunc(entry.Times, func(at booking.TimeOfDay) bool {
		return o.locked[at].ID == 0 || areShut([]slotRow{o.locked[at].slotRow})
	})
}

// lock locks the slots in their order. It reads who waits before, to know which they are; an entry that joins meanwhile
// and needs others is considered the next time.
func (o *offering) lock(ctx context.Context) ([]slotRow, error) {
	var times []string
	err := o.t.List(ctx, &times, `
		SELECT DISTINCT needed.at
		FROM slots s
		JOIN waiting_parties w ON w.slot_id = s.id
		CROSS JOIN LATERAL unnest(w.times) AS needed (at)
		WHERE s.restaurant_id = $1 AND s.service_date = $2::date AND s.service_time = $3::time`,
		o.slot.RestaurantID, string(o.slot.Date), string(o.slot.Time))
	if err != nil || len(times) == 0 {
		return nil, err
	}
	rows, err := o.lockSlots(ctx, times)
	if err != nil {
		return nil, err
	}
	slots := make([]slotRow, 0, len(rows))
	o.locked = map[booking.TimeOfDay]waitlistSlotRow{}
	for _, row := range rows {
		row.Occupancy = o.restaurant.Planned(o.slot.Date, row.Occupancy)
		slots = append(slots, row.slotRow)
		o.locked[row.ServiceTime], o.now = row, row.Now
	}
	return slots, nil
}

// lockSlots locks the slots at some times of the day. The clock is read outside the locking query, because a query's
// own columns may be worked out before it waits for the lock.
func (o *offering) lockSlots(ctx context.Context, times []string) ([]waitlistSlotRow, error) {
	return pg.List[waitlistSlotRow](ctx, o.t, o.db.Guarded(LockSlotsOfWaitlist, `
		SELECT locked.*, clock_timestamp() AS now
		FROM (
			SELECT `+slotColumns+`, fence, to_char(service_time, 'HH24:MI') AS service_time
			FROM slots
			WHERE restaurant_id = $1 AND service_date = $2::date AND service_time = ANY ($3::time[])
			ORDER BY service_time
			FOR NO KEY UPDATE
		) locked`), o.slot.RestaurantID, string(o.slot.Date), pq.StringArray(times))
}

// end ends the list of the slot: it takes no more reservations.
func (o *offering) end(ctx context.Context) ([]booking.SlotKey, error) {
	ended, err := o.t.Exec(ctx, `
		UPDATE waitlist_entries
		SET state = 'over', ended_at = statement_timestamp()
		WHERE slot_id = $1 AND state = 'waiting'`, o.locked[o.slot.Time].ID)
	if err != nil || ended == 0 {
		return nil, err
	}
	return o.keys(), nil
}

// countPasses stores who is passed by what is offered. Offers that cannot be made now, because a slot that they need is
// not locked, pass no entry yet.
func (o *offering) countPasses(ctx context.Context, list booking.Waitlist, settled booking.Allocation,
	offered booking.Waitlist) error {
	var entries pq.StringArray
	var passes pq.Int64Array
	for i, entry := range list {
		more := 0
		for _, other := range offered {
			if other.Number > entry.Number && entry.Shares(other) {
				more++
			}
		}
		if more = min(more, settled.Passes[i]-entry.Passes); more > 0 {
			entries, passes = append(entries, entry.ID), append(passes, int64(more))
		}
	}
	if len(entries) == 0 {
		return nil
	}
	return addPasses(ctx, o.t, entries, passes)
}

// keep begins to keep seats for entries that were passed too often, and returns for how many. Their passes count anew.
// It comes after the offers of the same moment, so that all later ones are after its time.
func (o *offering) keep(ctx context.Context, list booking.Waitlist, begins []booking.Keep) (kept int64, err error) {
	for _, keep := range begins {
		entry := list[keep.Index]
		if !o.locks(entry) {
			continue
		}
		var slots pq.Int64Array
		for _, at := range entry.Times {
			slots = append(slots, o.locked[at].ID)
		}
		changed, err := o.t.Exec(ctx, `
			WITH kept AS (
				UPDATE waitlist_entries
				SET passes = 0, keeps = keeps + 1, kept_since = clock_timestamp(), kept_until = $2
				WHERE id = $1 AND state = 'waiting' AND passes >= $4 AND keeps < $5
				RETURNING kept_until
			)
			UPDATE slots s
			SET kept_until = GREATEST(s.kept_until, kept.kept_until)
			FROM kept
			WHERE s.id = ANY ($3)`, entry.ID, keep.Until, slots, booking.MaxPasses, booking.MaxKeeps)
		if err != nil {
			return 0, err
		}
		kept += changed
	}
	return kept, nil
}

// offer makes the reservations.
func (o *offering) offer(ctx context.Context, offered booking.Waitlist, outcomes []booking.Outcome) error {
	if len(offered) == 0 {
		return nil
	}
	var entries, made pq.StringArray
	for i, out := range outcomes {
		entries, made = append(entries, offered[i].ID), append(made, out.ReservationID)
	}
	if err := o.claim(ctx, entries, made); err != nil {
		return err
	}
	sameTimes := func(a, b booking.Outcome) bool { return slices.Equal(a.Request.Slots(), b.Request.Slots()) }
	for len(outcomes) > 0 { // one statement for those in a row that need the same slots: mostly for all
		n := 1
		for n < len(outcomes) && sameTimes(outcomes[0], outcomes[n]) {
			n++
		}
		if err := o.insert(ctx, outcomes[:n]); err != nil {
			return err
		}
		outcomes = outcomes[n:]
	}
	return o.write(ctx, made)
}

// claim gives entries that wait the reservations that are made for them. It comes before those, because an insert of a
// reservation without it takes its diner off the list. It is a compare-and-set: returns errListMoved when one does not
// wait any more.
func (o *offering) claim(ctx context.Context, entries, made pq.StringArray) error {
	claimed, err := o.t.Exec(ctx, o.db.Guarded(ClaimEntries, `
		UPDATE waitlist_entries w
		SET state = 'offered', offered_at = statement_timestamp(), reservation_id = offered.reservation_id
		FROM unnest($1::text[], $2::text[]) AS offered (id, reservation_id)
		WHERE w.id = offered.id AND w.state = 'waiting'`), entries, made)
	if err == nil && int(claimed) != len(entries) {
		err = errListMoved
	}
	return err
}

// insert stores reservations for the same slots.
func (o *offering) insert(ctx context.Context, outcomes []booking.Outcome) error {
	d := decided{outcomes: outcomes}
	for _, slot := range outcomes[0].Request.Slots() {
		d.slots.rows = append(d.slots.rows, o.locked[slot.Time].slotRow)
	}
	first := outcomes[0].Request
	d.turn = booking.Turn{Slot: first.Slot, Stay: first.Stay, Fence: o.locked[first.Slot.Time].Fence}
	return insertOutcomes(ctx, o.t, d)
}

// write queues a letter to each diner who was offered seats; none in load tests.
func (o *offering) write(ctx context.Context, made pq.StringArray) error {
	if o.restaurant.Shadow {
		return nil
	}
	_, err := o.t.Exec(ctx, `
		INSERT INTO mails (kind, user_id, reservation_id)
		SELECT 'offer', user_id, id
		FROM reservations
		WHERE id = ANY ($1)
		ORDER BY ordinal`, made)
	return err
}

// keys are the slots that are locked.
func (o *offering) keys() []booking.SlotKey {
	keys := make([]booking.SlotKey, 0, len(o.locked))
	for at := range o.locked { // in any order
		keys = append(keys, booking.SlotKey{RestaurantID: o.slot.RestaurantID, Date: o.slot.Date, Time: at})
	}
	return keys
}
