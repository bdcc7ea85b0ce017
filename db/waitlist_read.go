package db

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/catalog"
	"lunchgo/db/columns"
	"lunchgo/db/pg"
)

// waitlistOf and an expression for a slot's id read those who wait for seats in it, whether they come then or stay, and
// the clock by which seats are kept for some; null if there are none.
const waitlistOf = `
	SELECT CASE WHEN count(*) > 0 THEN json_build_object('now', clock_timestamp(), 'entries', json_agg(json_build_object(
		'id', w.entry_id, 'number', w.ordinal, 'userId', w.user_id, 'partySize', w.party_size, 'times', w.times, 'passes', w.passes,
		'keeps', w.keeps, 'keptUntil', w.kept_until, 'keepBefore', w.keep_before, 'slotsKeptUntil', w.slots_kept_until))) END
	FROM waiting_parties w
	WHERE w.slot_id = `

// waitlistInto reads a waitlist for a turn. Read under the lock of the slot's row it is right until that is released:
// entries that wait change under it only.
const waitlistInto = waitlistOf + `slot.id`

// readList is a waitlist, and when the database read it.
type readList struct {
	Entries booking.Waitlist `json:"entries"`
	Now     time.Time        `json:"now"`
}

// add adds what the queries above return.
func (l *readList) add(raw []byte) error {
	if len(raw) == 0 {
		return nil
	}
	var some readList
	if err := json.Unmarshal(raw, &some); err != nil {
		return fmt.Errorf("db: waitlist: %w", err)
	}
	l.Entries, l.Now = append(l.Entries, some.Entries...), some.Now
	return nil
}

// somebodyWaits says whether somebody waits for seats in a slot. It costs a fraction of waitlistInto, which the server
// prepares also where nobody does.
const somebodyWaits = `EXISTS (SELECT FROM waiting_parties WHERE slot_id = slot.id)`

// readWaitlist puts those who wait into the state of locked slots, and how full the other slots are that they need as
// well. Those are not locked, so what it reads of them may change at any moment: an offer locks them.
func readWaitlist(ctx context.Context, t *pg.Tx, state *booking.SlotState, slots lockedSlots) error {
	raw, err := pg.List[[]byte](ctx, t, `SELECT (`+waitlistInto+`) FROM unnest($1::bigint[]) AS slot (id)`, slots.ids())
	if err != nil {
		return err
	}
	var list readList
	for _, waiting := range raw {
		if err := list.add(waiting); err != nil {
			return err
		}
	}
	if len(list.Entries) == 0 {
		return nil
	}
	state.Waitlist, state.Times, state.Now = list.Entries.Sorted(), slots.times, list.Now
	if others := timesBesides(state.Waitlist, slots.times); len(others) > 0 {
		state.Vacancies, err = readRooms(ctx, t, slots.rows[0].ID, others)
	}
	return err
}

// timesBesides are the times at which a list needs seats, without some.
func timesBesides(list booking.Waitlist, without []booking.TimeOfDay) []booking.TimeOfDay {
	var times []booking.TimeOfDay
	for _, entry := range list {
		for _, at := range entry.Times {
			if !slices.Contains(without, at) && !slices.Contains(times, at) {
				times = append(times, at)
			}
		}
	}
	slices.Sort(times)
	return times
}

// timesOfStay are the times of a stay that begins in a slot.
func timesOfStay(slot booking.SlotKey, stay []booking.TimeOfDay) []booking.TimeOfDay {
	return append([]booking.TimeOfDay{slot.Time}, stay...)
}

// arrivalLimitOf and an expression for a restaurant's id read how many people may begin their stay in one slot.
const arrivalLimitOf = `(SELECT arrivals_per_slot FROM restaurants WHERE id = `

type roomRow struct {
	ServiceTime booking.TimeOfDay
	booking.Occupancy
	Waitlist []byte
}

// readRooms reads how full the slots at some times of a slot's day are.
func readRooms(ctx context.Context, t *pg.Tx, slotID int64,
	times []booking.TimeOfDay) (map[booking.TimeOfDay]booking.Vacancy, error) {
	vacancyAt := func(row roomRow) (booking.TimeOfDay, booking.Vacancy) { return row.ServiceTime, row.Vacancy() }
	return pg.Mapped(ctx, t, vacancyAt, `
		SELECT to_char(s.service_time, 'HH24:MI') AS service_time, s.capacity, held.held, held.arriving,
			`+arrivalLimitOf+`s.restaurant_id) AS arrival_limit,
			s.closed OR `+stopOf+`s.restaurant_id) IS NOT NULL AS closed,
			`+columns.TakenSeats+`s.id`+columns.TakenSeatsEnd+` AS seats
		FROM slots x
		JOIN slots s ON s.restaurant_id = x.restaurant_id AND s.service_date = x.service_date
			AND s.service_time = ANY ($2::time[])
		CROSS JOIN LATERAL (
			SELECT COALESCE(sum(o.party_size), 0) AS held,
				COALESCE(sum(o.party_size) FILTER (WHERE o.begins), 0) AS arriving
			FROM occupations o
			WHERE o.slot_id = s.id AND o.state IN `+columns.HoldingStates+`
		) held
		WHERE x.id = $1`, slotID, timeArray(times))
}

// selectPlan reads the seats that a restaurant names.
const selectPlan = `SELECT ` + catalog.RestaurantSeats + ` AS seats FROM restaurants p WHERE p.id = $1`

// planFor reads the seats that a restaurant names, if an entry waits there.
func planFor(ctx context.Context, t *pg.Tx, list booking.Waitlist,
	restaurantID int64) (plan booking.SeatPlan, err error) {
	if len(list) > 0 {
		err = t.Get(ctx, &plan, selectPlan, restaurantID)
	}
	return plan, err
}

func timeArray(times []booking.TimeOfDay) pq.StringArray {
	array := make(pq.StringArray, 0, len(times))
	for _, at := range times {
		array = append(array, string(at))
	}
	return array
}

// promise says of the slots of some days how much of what is free is their waitlists'.
func (s *SlotStore) promise(ctx context.Context, restaurantID int64, slots map[booking.SlotKey]booking.Occupancy,
	rows []occupancyRow) error {
	lists, days := map[booking.Date]booking.Waitlist{}, map[booking.Date]map[booking.TimeOfDay]booking.Occupancy{}
	var now time.Time
	for _, row := range rows {
		var list readList
		if err := list.add(row.Waitlist); err != nil {
			return err
		}
		if len(list.Entries) > 0 {
			date := row.Slot.Date
			lists[date], days[date] = append(lists[date], list.Entries...), map[booking.TimeOfDay]booking.Occupancy{}
			now = list.Now
		}
	}
	if len(lists) == 0 {
		return nil
	}
	var plan booking.SeatPlan
	if err := s.db.Get(ctx, &plan, selectPlan, restaurantID); err != nil {
		return err
	}
	for key, o := range slots {
		if day := days[key.Date]; day != nil {
			day[key.Time] = o
		}
	}
	for date, list := range lists {
		list.Sorted().PromiseDay(plan, days[date], now)
	}
	for key := range slots {
		if day := days[key.Date]; day != nil {
			slots[key] = day[key.Time]
		}
	}
	return nil
}

// notePasses counts on the entries of the waitlist how many parties were seated before them.
func notePasses(ctx context.Context, t *pg.Tx, d decided) error {
	passes := map[string]int64{}
	for _, out := range d.outcomes {
		for _, entry := range out.Passed {
			passes[entry]++
		}
	}
	if len(passes) == 0 {
		return nil
	}
	var entries pq.StringArray
	var counts pq.Int64Array
	for entry, n := range passes { // in any order
		entries, counts = append(entries, entry), append(counts, n)
	}
	return addPasses(ctx, t, entries, counts)
}

// errListMoved says that another transaction, under the lock of another slot, changed an entry that waits for several.
// Trying again helps.
var errListMoved = fmt.Errorf("%w: a waitlist changed meanwhile", pg.ErrAgain)

// addPasses counts on entries that wait how many more were seated past them. Returns errListMoved, before anybody is
// passed too often; nothing is kept any more for an entry that may be.
func addPasses(ctx context.Context, t *pg.Tx, entries pq.StringArray, counts pq.Int64Array) error {
	counted, err := t.Exec(ctx, `
		UPDATE waitlist_entries w
		SET passes = LEAST(w.passes + passed.times, $3)
		FROM unnest($1::text[], $2::bigint[]) AS passed (id, times)
		WHERE w.id = passed.id AND w.state = 'waiting'
			AND (w.passes + passed.times <= $3 OR w.keeps >= $4 OR w.keep_before <= clock_timestamp())`,
		entries, counts, booking.MaxPasses, booking.MaxKeeps)
	if err == nil && int(counted) != len(entries) {
		err = errListMoved
	}
	return err
}

// readLocked reads how full some slots are whose rows are locked, and who waits for seats in one of them. This is a
// statement of its own after the one that locks, as in readState.
func readLocked(ctx context.Context, t *pg.Tx,
	locked []slotRow) (map[booking.TimeOfDay]booking.Vacancy, readList, error) {
	ids := pq.Int64Array{}
	for _, slot := range locked {
		ids = append(ids, slot.ID)
	}
	rows, err := pg.List[roomRow](ctx, t, `
		SELECT to_char(s.service_time, 'HH24:MI') AS service_time, s.capacity, held.held, held.arriving,
			`+arrivalLimitOf+`s.restaurant_id) AS arrival_limit,
			s.closed OR `+stopOf+`s.restaurant_id) IS NOT NULL AS closed,
			`+columns.TakenSeats+`s.id`+columns.TakenSeatsEnd+` AS seats, (`+waitlistInto+`) AS waitlist
		FROM unnest($1::bigint[]) AS slot (id)
		JOIN slots s ON s.id = slot.id
		CROSS JOIN LATERAL (
			SELECT COALESCE(sum(o.party_size), 0) AS held,
				COALESCE(sum(o.party_size) FILTER (WHERE o.begins), 0) AS arriving
			FROM occupations o
			WHERE o.slot_id = s.id AND o.state IN `+columns.HoldingStates+`
		) held`, ids)
	if err != nil {
		return nil, readList{}, err
	}
	var list readList
	rooms := map[booking.TimeOfDay]booking.Vacancy{}
	for _, row := range rows {
		rooms[row.ServiceTime] = row.Vacancy()
		if err := list.add(row.Waitlist); err != nil {
			return nil, list, err
		}
	}
	list.Entries = list.Entries.Sorted()
	return rooms, list, nil
}
