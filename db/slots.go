package db

import (
	"context"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/catalog"
	"lunchgo/db/columns"
	"lunchgo/db/pg"
)

// SlotStore implements reserve.SlotStore.
type SlotStore struct {
	Limits booking.Limits // of diners
	db     *pg.Pool
}

// NewSlotStore returns the slots stored in db, with the default limits.
func NewSlotStore(db *pg.Pool) *SlotStore { return &SlotStore{Limits: booking.DefaultLimits(), db: db} }

type occupancyRow struct {
	slotRow
	Slot     booking.SlotKey
	Waitlist []byte // null if nobody waits
	Stop     *string
	Opens    openingRow
}

// openingRow is the rule by which a restaurant opens its days; zero without one.
type openingRow struct {
	Rule booking.OpeningRule
	Zone string
}

// openingOf and an expression for a restaurant's id read an openingRow.
const openingOf = `(SELECT CASE WHEN opening_rule ->> 'kind' <> '' THEN
	json_build_object('rule', opening_rule, 'zone', time_zone) END FROM restaurants WHERE id = `

// selectOccupancy reads slots of a restaurant, $1, that have a row; which ones follows.
const selectOccupancy = `
	SELECT ` + columns.SlotKey + `, ` + slotColumns + `, ` + stopOf + `s.restaurant_id) AS stop, seats.held,
		seats.on_hold, seats.arriving, ` + arrivalLimitOf + `$1) AS arrival_limit, ` + openingOf + `$1) AS opens,
		` + columns.TakenSeats + `s.id` + columns.TakenSeatsEnd + ` AS seats, (` + waitlistOf + `s.id) AS waitlist
	FROM slots s
	CROSS JOIN LATERAL (
		SELECT COALESCE(sum(o.party_size), 0) AS held,
			COALESCE(sum(o.party_size) FILTER (WHERE o.state = 'temporary'), 0) AS on_hold,
			COALESCE(sum(o.party_size) FILTER (WHERE o.begins), 0) AS arriving
		FROM occupations o
		WHERE o.slot_id = s.id AND o.state IN ` + columns.HoldingStates + `
	) seats
	WHERE s.restaurant_id = $1 AND `

// ListOccupancy returns the slots of a restaurant that have a row, of the dates from first to last.
func (s *SlotStore) ListOccupancy(ctx context.Context, restaurantID int64,
	first, last booking.Date) (map[booking.SlotKey]booking.Occupancy, error) {
	var rows []occupancyRow
	err := s.db.List(ctx, &rows, selectOccupancy+`s.service_date BETWEEN $2::date AND $3::date`, restaurantID,
		string(first), string(last))
	if err != nil {
		return nil, err
	}
	slots := make(map[booking.SlotKey]booking.Occupancy, len(rows))
	for _, row := range rows {
		if slots[row.Slot], err = s.seated(row); err != nil {
			return nil, err
		}
	}
	return slots, s.promise(ctx, restaurantID, slots, rows)
}

// ListSlots implements availability.Source.
func (s *SlotStore) ListSlots(ctx context.Context, restaurantID int64, date booking.Date,
	times []booking.TimeOfDay) (slots map[booking.TimeOfDay]booking.Occupancy, alone bool, err error) {
	var rows []occupancyRow
	err = s.db.List(ctx, &rows, selectOccupancy+`s.service_date = $2::date AND s.service_time = ANY ($3::time[])`,
		restaurantID, string(date), timeArray(times))
	if err != nil {
		return nil, false, err
	}
	slots, alone = make(map[booking.TimeOfDay]booking.Occupancy, len(rows)), true
	for _, row := range rows {
		if slots[row.Slot.Time], err = s.seated(row); err != nil {
			return nil, false, err
		}
		alone = alone && len(row.Waitlist) == 0
	}
	return slots, alone, nil
}

// seated is how full a slot is, without what is promised to those who wait.
func (s *SlotStore) seated(row occupancyRow) (booking.Occupancy, error) {
	o := stopped(row.Occupancy, row.Stop)
	if !row.Opens.Rule.IsSet() {
		return o, nil
	}
	zone, err := catalog.LoadZone(row.Opens.Zone)
	if err != nil {
		return o, err
	}
	r := booking.Restaurant{Location: zone, OpeningRule: row.Opens.Rule}
	return r.Planned(row.Slot.Date, o), nil
}

// lockForStaff makes the slot's row if there is none and locks it, so that no turn seats a party while it changes.
func lockForStaff(ctx context.Context, t *pg.Tx, turn booking.Turn) (slotRow, error) {
	return pg.One[slotRow](ctx, t, `
		INSERT INTO slots AS s (restaurant_id, service_date, service_time, capacity)
		VALUES ($1, $2::date, $3::time, $4)
		ON CONFLICT ON CONSTRAINT slots_one_per_time
		DO UPDATE SET fence = s.fence
		RETURNING `+lockedColumns,
		turn.Slot.RestaurantID, string(turn.Slot.Date), string(turn.Slot.Time), turn.Capacity)
}

// Covers is how full a slot is.
type Covers struct {
	Capacity, Held int
}

// ListCovers returns how full those slots of some restaurants are that have a row, in any order. A load test looks at
// them again and again for seats that are held beyond capacity.
func (s *SlotStore) ListCovers(ctx context.Context, restaurantIDs []int64) ([]Covers, error) {
	return pg.List[Covers](ctx, s.db, `
		SELECT s.capacity, seats.held
		FROM slots s
		CROSS JOIN LATERAL (
			SELECT COALESCE(sum(o.party_size), 0) AS held
			FROM occupations o
			WHERE o.slot_id = s.id AND o.state IN `+columns.HoldingStates+`
		) seats
		WHERE s.restaurant_id = ANY ($1)`, pq.Array(restaurantIDs))
}

// Arrival is the position in line of a reservation's ticket.
type Arrival struct {
	ReservationID string
	Number        int64 // of the line
	PartySize     int
	State         booking.State
	CreatedAt     time.Time
}

// ListArrivals returns the reservations of a slot in the order in which they were decided. A load test checks that
// their numbers rise, as the line promises.
func (s *SlotStore) ListArrivals(ctx context.Context, slot booking.SlotKey) ([]Arrival, error) {
	return pg.List[Arrival](ctx, s.db, `
		SELECT r.id AS reservation_id, r.arrival AS number, r.party_size, r.state, r.created_at
		FROM slots s
		JOIN reservations r ON r.slot_id = s.id
		WHERE s.restaurant_id = $1 AND s.service_date = $2::date AND s.service_time = $3::time
		ORDER BY r.ordinal`, slot.RestaurantID, string(slot.Date), string(slot.Time))
}
