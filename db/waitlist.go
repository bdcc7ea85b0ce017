package db

import (
	"context"
	"crypto/rand"
	"maps"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/reserve"
	"lunchgo/db/columns"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
)

// WaitlistStore implements reserve.WaitlistStore.
//
// An entry that waits changes under the locks of its slots only, so that a turn that gives seats away under them knows
// the list. Once it is offered seats it follows the reservation, by a trigger of the reservations' table: then its row
// is locked after the reservation's.
type WaitlistStore struct {
	Limits booking.Limits // of diners
	db     *pg.Pool
}

// NewWaitlistStore returns the waitlists stored in db.
func NewWaitlistStore(db *pg.Pool) *WaitlistStore {
	return &WaitlistStore{Limits: booking.DefaultLimits(), db: db}
}

type waitEntryRow struct {
	booking.Entry
	pg.KeyRow
}

func (row waitEntryRow) entry() booking.Entry { return row.Entry }

const waitColumns = `
	w.id, ` + columns.SlotKey + `,
	w.user_id, w.party_size, w.state, w.passes, w.keeps, w.kept_until, w.keep_before, ahead.ahead, ahead.seats_ahead, w.idempotency_key, w.created_at,
	CASE WHEN r.id IS NOT NULL THEN
		json_build_object('reservationId', r.id, 'state', r.state, 'deadline', r.hold_expires_at) END AS offer,
	s.service_date + s.service_time AS key_at, w.ordinal AS key_number`

const fromWaitlist = `
	FROM waitlist_entries w
	JOIN slots s ON s.id = w.slot_id
	LEFT JOIN reservations r ON r.id = w.reservation_id
	CROSS JOIN LATERAL (
		SELECT count(*) AS ahead, COALESCE(sum(other.party_size), 0) AS seats_ahead
		FROM waiting_parties other
		WHERE w.state = 'waiting' AND other.slot_id = w.slot_id AND other.ordinal < w.ordinal
	) ahead `

const selectWaitlist = `SELECT ` + waitColumns + fromWaitlist

// FindEntry implements reserve.WaitlistStore.
func (s *WaitlistStore) FindEntry(ctx context.Context, id string) (booking.Entry, error) {
	row, err := pg.Find[waitEntryRow](ctx, s.db, booking.ErrNotFound, selectWaitlist+`WHERE w.id = $1`, id)
	return row.entry(), err
}

// ListEntries implements reserve.WaitlistStore.
func (s *WaitlistStore) ListEntries(ctx context.Context, userID string,
	page keyset.Request) (keyset.Page[booking.Entry], error) {
	below := page.Below()
	return pg.Paged(ctx, s.db, page, waitEntryRow.Cursor, waitEntryRow.entry, selectWaitlist+`
		WHERE w.user_id = $1 AND (s.service_date + s.service_time, w.ordinal) < ($2::timestamp, $3)
		ORDER BY key_at DESC, key_number DESC
		LIMIT $4`, userID, below.At, below.Number, page.Rows())
}

// ListOpen implements reserve.WaitlistStore.
func (s *WaitlistStore) ListOpen(ctx context.Context, userID string) ([]booking.Entry, error) {
	var rows []waitEntryRow
	err := s.db.List(ctx, &rows, selectWaitlist+`
		WHERE w.user_id = $1 AND w.state IN ('waiting', 'offered')
		ORDER BY key_at DESC, key_number DESC
		LIMIT $2`, userID, keyset.Size)
	entries := make([]booking.Entry, 0, len(rows))
	for _, row := range rows {
		entries = append(entries, row.entry())
	}
	return entries, err
}

type waitingGuestRow struct {
	reserve.WaitingGuest
	pg.KeyRow
}

// ListWaiting implements reserve.WaitlistStore.
func (s *WaitlistStore) ListWaiting(ctx context.Context, slot booking.SlotKey,
	page keyset.Request) (keyset.Page[reserve.WaitingGuest], error) {
	key := func(row waitingGuestRow) keyset.Cursor { return keyset.Cursor{Number: row.KeyNumber} }
	show := func(row waitingGuestRow) reserve.WaitingGuest { return row.WaitingGuest }
	return pg.Paged(ctx, s.db, page, key, show, `
		SELECT `+waitColumns+`, u.name, u.phone`+fromWaitlist+`
		JOIN users u ON u.id = w.user_id
		WHERE s.restaurant_id = $1 AND s.service_date = $2::date AND s.service_time = $3::time
			AND w.state IN ('waiting', 'offered') AND w.ordinal > $4
		ORDER BY w.ordinal
		LIMIT $5`, slot.RestaurantID, string(slot.Date), string(slot.Time), page.Above().Number, page.Rows())
}

// Join implements reserve.WaitlistStore.
func (s *WaitlistStore) Join(ctx context.Context, req reserve.WaitRequest) (booking.Entry, error) {
	id, err := pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (string, error) { return s.join(ctx, t, req) })
	if err != nil {
		return booking.Entry{}, err
	}
	return s.FindEntry(ctx, id)
}

// join locks the slots that a party needs in their order, and puts it on the list if it has to wait. Returns the id of
// its entry.
func (s *WaitlistStore) join(ctx context.Context, t *pg.Tx, req reserve.WaitRequest) (string, error) {
	locked := make([]slotRow, 0, len(req.Times))
	for _, at := range req.Times {
		key := booking.SlotKey{RestaurantID: req.Slot.RestaurantID, Date: req.Slot.Date, Time: at}
		slot, err := lockForStaff(ctx, t, booking.Turn{Slot: key, Capacity: req.Capacity})
		if err != nil {
			return "", err
		}
		locked = append(locked, slot)
	}
	earlier, err := findEarlier(ctx, t, locked[0].ID, req)
	if err != nil || earlier != "" {
		return earlier, err
	}
	if err := mustWait(ctx, t, locked, req); err != nil {
		return "", err
	}
	if err := s.hasPlace(ctx, t, req.UserID); err != nil {
		return "", err
	}
	return s.addEntry(ctx, t, locked, req)
}

// hasPlace returns booking.ErrTooManyEntries for a diner who waits on as many lists as the limit allows. The lock of
// the account comes after those of the slots, as in a turn; the entries are counted by a statement after it.
func (s *WaitlistStore) hasPlace(ctx context.Context, t *pg.Tx, userID string) error {
	if err := rowlock.Users(ctx, t, userID); err != nil {
		return err
	}
	open, err := pg.One[int](ctx, t, `
		SELECT count(*)
		FROM waitlist_entries
		WHERE user_id = $1 AND state IN ('waiting', 'offered')`, userID)
	if err == nil && open >= s.Limits.Entries {
		err = booking.ErrTooManyEntries
	}
	return err
}

type earlierRow struct {
	Repeat      *string // the entry that was made with the same key
	Same        bool    // and for the same party
	Sits, Waits bool
}

// findEarlier returns the entry that the request made before, if it did, and else says what keeps the person from
// waiting.
func findEarlier(ctx context.Context, t *pg.Tx, slotID int64, req reserve.WaitRequest) (string, error) {
	var row earlierRow
	err := t.Get(ctx, &row, `
		SELECT repeated.id AS repeat, COALESCE(repeated.slot_id = $1 AND repeated.party_size = $4, false) AS same,
			EXISTS (
				SELECT FROM occupations WHERE slot_id = $1 AND user_id = $2 AND state IN `+columns.HoldingStates+`
			) AS sits,
			EXISTS (SELECT FROM waitlist_entries WHERE slot_id = $1 AND user_id = $2 AND state = 'waiting') AS waits
		FROM (SELECT) nothing
		LEFT JOIN waitlist_entries repeated ON repeated.user_id = $2 AND repeated.idempotency_key = $3`,
		slotID, req.UserID, req.IdempotencyKey, req.PartySize)
	switch {
	case err != nil:
		return "", err
	case row.Repeat != nil && !row.Same:
		return "", booking.ErrKeyReused
	case row.Repeat != nil:
		return *row.Repeat, nil
	case row.Sits:
		return "", booking.ErrDuplicate
	case row.Waits:
		return "", booking.ErrAlreadyListed
	}
	return "", nil
}

// mustWait returns nil when a party cannot have seats in slots that are locked, nor is too large for ever having some.
func mustWait(ctx context.Context, t *pg.Tx, locked []slotRow, req reserve.WaitRequest) error {
	rooms, list, err := readLocked(ctx, t, locked)
	if err != nil {
		return err
	}
	if others := timesBesides(list.Entries, req.Times); len(others) > 0 {
		further, err := readRooms(ctx, t, locked[0].ID, others)
		if err != nil {
			return err
		}
		maps.Copy(rooms, further)
	}
	settled := list.Entries.Allocate(req.Seats, rooms, list.Now)
	var slots []booking.Occupancy
	for i, slot := range locked {
		switch {
		case rooms[req.Times[i]].Closed, slot.Capacity == 0: // no seats to wait for
			return booking.ErrClosed
		case req.PartySize > slot.Capacity:
			return partyBeyond(slot.Capacity)
		}
		room := rooms[req.Times[i]]
		if i == 0 && room.ArrivalLimit > 0 && req.PartySize > room.ArrivalLimit {
			return partyBeyond(room.ArrivalLimit)
		}
		o := booking.Occupancy{Capacity: slot.Capacity, Held: slot.Capacity - room.Free, Seats: room.Seats,
			Arriving: room.Arriving, ArrivalLimit: room.ArrivalLimit}
		slots = append(slots, list.Entries.Promise(req.Times[i], o, settled))
	}
	switch {
	case !req.Seats.CanSeat(nil, req.PartySize):
		return partyBeyond(req.Seats.LargestParty(nil, req.PartySize))
	case booking.AllOf(slots).CheckRequest(req.Seats, booking.Request{PartySize: req.PartySize}) == nil:
		return booking.ErrSeatsAvailable
	}
	return nil
}

// partyBeyond is why a party waits for seats in vain.
func partyBeyond(most int) error {
	return &booking.InvalidError{Fields: []booking.FieldError{
		{Field: "partySize", Reason: "out_of_range", Min: 1, Max: most}}}
}

func (s *WaitlistStore) addEntry(ctx context.Context, t *pg.Tx, locked []slotRow,
	req reserve.WaitRequest) (string, error) {
	id := rand.Text()
	_, err := t.Exec(ctx, s.db.Guarded(InsertEntry, `
		INSERT INTO waitlist_entries (id, slot_id, restaurant_id, times, user_id, party_size, idempotency_key, keep_before)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`),
		id, locked[0].ID, req.Slot.RestaurantID, timeArray(req.Times), req.UserID, req.PartySize, req.IdempotencyKey,
		req.KeepBefore)
	for _, slot := range locked[1:] {
		if err == nil {
			_, err = t.Exec(ctx, `INSERT INTO waitlist_stays (entry_id, slot_id) VALUES ($1, $2)`, id, slot.ID)
		}
	}
	return id, err
}

// Leave implements reserve.WaitlistStore.
func (s *WaitlistStore) Leave(ctx context.Context, id, userID string) (booking.Entry, error) {
	err := s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		err := t.Touch(ctx, booking.ErrNotFound, `
			SELECT s.id
			FROM slots s
			WHERE s.id = (SELECT slot_id FROM waitlist_entries WHERE id = $1 AND user_id = $2)
			FOR NO KEY UPDATE`, id, userID)
		if err != nil {
			return err
		}
		return t.Run(ctx, `
			UPDATE waitlist_entries
			SET state = 'left', ended_at = statement_timestamp()
			WHERE id = $1 AND state = 'waiting'`, id)
	})
	if err != nil {
		return booking.Entry{}, err
	}
	return s.FindEntry(ctx, id)
}
