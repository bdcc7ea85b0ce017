// Package reports reads the figures of reports.
package reports

import (
	"context"
	"database/sql"

	"lunchgo/app/booking"
	"lunchgo/app/reports"
	"lunchgo/db/pg"
)

// Store implements reports.Store.
type Store struct {
	db *pg.Pool
}

// NewStore returns the figures of db.
func NewStore(db *pg.Pool) *Store { return &Store{db: db} }

// dishesListed is how many of the most ordered dishes are listed.
const dishesListed = 10

// readReports makes a transaction one for long readings: its statements are planned for the period at hand, because a
// year is read otherwise than a day.
const readReports = `
	SET LOCAL plan_cache_mode = 'force_custom_plan';
	SET LOCAL work_mem = '32MB';
	SET LOCAL random_page_cost = 1.1;
	SET LOCAL jit = off`

// ReadFacts implements reports.Store.
func (s *Store) ReadFacts(ctx context.Context, r booking.Restaurant, f reports.Filter) (reports.Facts, error) {
	var facts reports.Facts
	err := s.db.ReadReplica(ctx, func(ctx context.Context, db *pg.Pool) (err error) {
		facts, err = readFacts(ctx, db, r, f)
		return err
	})
	return facts, err
}

func readFacts(ctx context.Context, db *pg.Pool, r booking.Restaurant,
	f reports.Filter) (facts reports.Facts, err error) {
	oneMoment := sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
	err = db.InTxOf(ctx, oneMoment, func(ctx context.Context, t *pg.Tx) (err error) {
		if _, err = t.ExecContext(ctx, readReports); err != nil {
			return err
		}
		facts = reports.Facts{}
		if facts.Cells, facts.Since, err = readCells(ctx, t, r, f); err != nil {
			return err
		}
		if err = readParties(ctx, t, r, f, &facts); err != nil {
			return err
		}
		if facts.Dishes, err = readDishes(ctx, t, r, f); err != nil || len(r.Seats) == 0 {
			return err
		}
		facts.Tables, err = pg.List[reports.Table](ctx, t, countTables, filterArgs(r, f.From, f)...)
		return err
	})
	return facts, err
}

// filterArgs are $1 to $7 of the queries here.
func filterArgs(r booking.Restaurant, first booking.Date, f reports.Filter) []any {
	return []any{r.ID, first, f.To, f.Weekday, string(f.Time), f.Party, string(f.Source)}
}

func readCells(ctx context.Context, t *pg.Tx, r booking.Restaurant, f reports.Filter) (cells []reports.Cell,
	since booking.Date, err error) {
	var rows []cellRow
	if err := t.List(ctx, &rows, listCells, filterArgs(r, f.Before().From, f)...); err != nil {
		return nil, "", err
	}
	cells = make([]reports.Cell, len(rows))
	at := map[int64]int{}
	var full []int64
	for i, row := range rows {
		row.SeatMinutesOpen = row.OpenSlots * row.Capacity * r.SlotMinutes
		row.SeatMinutesTaken = row.SeatsTaken * r.SlotMinutes
		cells[i], since = row.Cell, row.Since
		if f.IsOfAll() && (row.Requested > row.Capacity-r.PartyMin || row.Requested > 0 && len(r.Seats) > 0) {
			at[row.ID], full = i, append(full, row.ID)
		}
	}
	if len(full) == 0 {
		return cells, since, nil
	}
	soldOut, err := readSoldOut(ctx, t, r, full)
	if err != nil {
		return nil, "", err
	}
	for _, row := range soldOut {
		cell := &cells[at[row.SlotID]]
		if cell.SoldOutSlots = 1; row.Seconds != nil {
			cell.TimedSoldOutSlots, cell.SellOutSeconds = 1, *row.Seconds
		}
	}
	return cells, since, nil
}

// partiesRow is how many parties have something in common: Parties, a Turn, or what is known of their guests.
type partiesRow struct {
	Kind string
	reports.Parties
	Minutes int
}

// readParties reads the parties, turns and guests of facts.
func readParties(ctx context.Context, t *pg.Tx, r booking.Restaurant, f reports.Filter, facts *reports.Facts) error {
	var rows []partiesRow
	if err := t.List(ctx, &rows, countParties, append(filterArgs(r, f.From, f), r.Location.String())...); err != nil {
		return err
	}
	for _, row := range rows {
		switch row.Kind {
		case "parties":
			facts.Parties = append(facts.Parties, row.Parties)
		case "turn":
			facts.Turns = append(facts.Turns, reports.Turn{Size: row.Size, Minutes: row.Minutes, Count: row.Count})
		case "new":
			facts.Guests.New = row.Count
		case "returning":
			facts.Guests.Returning = row.Count
		case "unknown":
			facts.Guests.Unknown = row.Count
		}
	}
	return nil
}

func readDishes(ctx context.Context, t *pg.Tx, r booking.Restaurant, f reports.Filter) ([]reports.Dish, error) {
	return pg.List[reports.Dish](ctx, t, listDishes, append(filterArgs(r, f.From, f), dishesListed)...)
}

// chosenSlots are the slots of a filter: restaurant, first and last date, weekday or -1, time or ”.
const chosenSlots = `
	SELECT id, service_date, service_time, capacity, opens_at, closed
	FROM slots
	WHERE restaurant_id = $1 AND service_date BETWEEN $2::date AND $3::date
		AND ($4::int < 0 OR extract(dow FROM service_date) = $4) AND ($5::text = '' OR service_time = NULLIF($5, '')::time)`

// chosenParties are the conditions on a reservation of a filter: party size or 0, source or ”.
const chosenParties = `($6::int = 0 OR r.party_size = $6) AND ($7::text = '' OR ` + sourceOf + ` = $7)`

// sourceOf is how a reservation was made.
const sourceOf = `r.source`

// cameOrExpected are the states of parties that came or are expected.
const cameOrExpected = `r.state IN ('confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'completed')`

// notMarked are parties of slots s of days that are over, whom staff marked neither as come nor as a no-show.
const notMarked = `r.state IN ('confirmed', 'prepaid_confirmed') AND s.service_date < (
				SELECT (statement_timestamp() AT TIME ZONE time_zone)::date FROM restaurants WHERE id = $1)`

// CancelledLater are parties that were cancelled after they were confirmed. What staff book for somebody who pays
// nothing is confirmed at once.
const CancelledLater = `(r.state IN ('refund_pending', 'refunded') OR r.state = 'cancelled' AND r.user_id IS NULL)`

type cellRow struct {
	ID int64 // of the slot
	reports.Cell
	Requested  int
	SeatsTaken int          // by those who come then, or stay, and came or are expected
	Since      booking.Date // of the restaurant's first slot
}

// listCells reads the figures of each slot. What a reservation was paid with is what the ledger has: its amount and
// what its changes kept; refunds are in the ledger once it is refunded, or expired. Requested are the seats of all who
// ever had some in the slot, or stayed in it. A slot that is closed was open if somebody came all the same. What came
// by card, and went back there, is what the ledger has of it; of what is still to be refunded the card gets as much as
// it has left. What went back there beyond that was a change's.
const listCells = `
	WITH chosen AS (` + chosenSlots + `),
	sums AS (
		SELECT r.slot_id, sum(r.party_size) AS requested,
			count(*) FILTER (WHERE ` + cameOrExpected + `) AS parties,
			sum(r.party_size) FILTER (WHERE ` + cameOrExpected + `) AS covers,
			count(*) FILTER (WHERE ` + notMarked + `) AS not_marked_parties,
			count(*) FILTER (WHERE r.state = 'no_show') AS no_show_parties,
			sum(r.party_size) FILTER (WHERE r.state = 'no_show') AS no_show_covers,
			count(*) FILTER (WHERE ` + CancelledLater + `) AS cancelled_parties,
			sum(r.party_size) FILTER (WHERE ` + CancelledLater + `) AS cancelled_covers,
			count(*) FILTER (WHERE r.state = 'expired') AS expired_holds,
			count(*) FILTER (WHERE r.state = 'cancelled' AND r.user_id IS NOT NULL) AS abandoned_holds,
			sum(` + PaidOf + `) FILTER (WHERE r.payment_kind <> 'prepay') AS deposits,
			sum(` + PaidOf + `) FILTER (WHERE r.payment_kind = 'prepay') AS prepaid,
			sum(r.given_back + CASE WHEN r.state IN ('refunded', 'expired') THEN r.refund_amount ELSE 0 END) AS refunds,
			sum(r.refund_amount) FILTER (WHERE r.state = 'refund_pending') AS refunds_due
		FROM chosen s
		JOIN reservations r ON r.slot_id = s.id
		WHERE ` + chosenParties + `
		GROUP BY r.slot_id
	),
	cards AS (
		SELECT slot_id, sum(left_there - due + LEAST(went_back + due, refund)) AS paid_by_card,
			sum(LEAST(went_back + due, refund)) AS refunded_by_card
		FROM (
			SELECT r.slot_id, sum(e.amount) AS left_there, -COALESCE(sum(e.amount) FILTER (WHERE e.kind = 'card_refund'), 0) AS went_back,
				CASE WHEN r.state = 'refund_pending' THEN LEAST(sum(e.amount), r.refund_amount) ELSE 0 END AS due,
				r.given_back + CASE WHEN r.state IN ('refund_pending', 'refunded', 'expired') THEN r.refund_amount ELSE 0 END AS refund
			FROM chosen s
			JOIN reservations r ON r.slot_id = s.id
			JOIN ledger_entries e ON e.reservation_id = r.id AND e.kind IN ('card', 'card_refund')
			WHERE ` + chosenParties + `
			GROUP BY r.id
		) card
		GROUP BY slot_id
	),
	staying AS (
		SELECT stay.slot_id, sum(r.party_size) AS requested,
			sum(r.party_size) FILTER (WHERE ` + cameOrExpected + ` AND ` + chosenParties + `) AS covers
		FROM chosen s
		JOIN reservation_stays stay ON stay.slot_id = s.id
		JOIN reservations r ON r.id = stay.reservation_id
		GROUP BY stay.slot_id
	),
	listed AS (
		SELECT w.slot_id, count(*) AS joined, count(w.offered_at) AS offered, count(*) FILTER (WHERE w.state = 'accepted') AS accepted
		FROM chosen s
		JOIN waitlist_entries w ON w.slot_id = s.id
		WHERE ($6 = 0 OR w.party_size = $6) AND $7 = ''
		GROUP BY w.slot_id
	)
	SELECT s.id, to_char(s.service_date, 'YYYY-MM-DD') AS date, to_char(s.service_time, 'HH24:MI') AS time,
		1 AS slots, s.capacity,
		CASE WHEN s.closed AND COALESCE(sums.parties, 0) + COALESCE(staying.covers, 0) = 0 THEN 0 ELSE 1 END AS open_slots,
		COALESCE(sums.covers, 0) + COALESCE(staying.covers, 0) AS seats_taken,
		(
			SELECT to_char(service_date, 'YYYY-MM-DD')
			FROM slots
			WHERE restaurant_id = $1
			ORDER BY restaurant_id, service_date, service_time
			LIMIT 1
		) AS since,
		COALESCE(sums.requested, 0) + COALESCE(staying.requested, 0) AS requested,
		COALESCE(parties, 0) AS parties, COALESCE(sums.covers, 0) AS covers,
		COALESCE(not_marked_parties, 0) AS not_marked_parties,
		COALESCE(no_show_parties, 0) AS no_show_parties, COALESCE(no_show_covers, 0) AS no_show_covers,
		COALESCE(cancelled_parties, 0) AS cancelled_parties, COALESCE(cancelled_covers, 0) AS cancelled_covers,
		COALESCE(expired_holds, 0) AS expired_holds, COALESCE(abandoned_holds, 0) AS abandoned_holds,
		COALESCE(deposits, 0) AS deposits, COALESCE(prepaid, 0) AS prepaid,
		COALESCE(refunds, 0) AS refunds, COALESCE(refunds_due, 0) AS refunds_due,
		COALESCE(paid_by_card, 0) AS paid_by_card, COALESCE(refunded_by_card, 0) AS refunded_by_card,
		COALESCE(joined, 0) AS "waitlist.joined", COALESCE(offered, 0) AS "waitlist.offered",
		COALESCE(accepted, 0) AS "waitlist.accepted",
		COALESCE(l.served, 0) AS "line.served", COALESCE(l.sold_out, 0) AS "line.sold_out",
		COALESCE(l.left_line, 0) AS "line.left",
		COALESCE(l.timed_out, 0) AS "line.timed_out", COALESCE(l.refused, 0) AS "line.refused"
	FROM chosen s
	LEFT JOIN sums ON sums.slot_id = s.id
	LEFT JOIN cards ON cards.slot_id = s.id
	LEFT JOIN staying ON staying.slot_id = s.id
	LEFT JOIN listed ON listed.slot_id = s.id
	LEFT JOIN line_outcomes l ON l.restaurant_id = $1 AND l.service_date = s.service_date AND l.service_time = s.service_time
		AND $6 = 0 AND $7 = ''
	ORDER BY s.service_date, s.service_time`

// PaidOf is what a reservation has taken out of its diner's wallet.
const PaidOf = `r.paid_amount + CASE WHEN r.changes > 0 THEN (
				SELECT COALESCE(sum(c.kept), 0) FROM reservation_changes c WHERE c.reservation_id = r.id
			) ELSE 0 END`

// countParties reads how many parties have source, size, days ahead and payment in common, how many of a size stayed
// for so many minutes, and how many had a guest who had come before. Of a guest's parties only the first can be new;
// whether it is, a look at all earlier visits says. All of it comes of one reading of the period.
const countParties = `
	WITH chosen AS (` + chosenSlots + `),
	party AS MATERIALIZED (
		SELECT ` + sourceOf + ` AS source, r.party_size AS size,
			GREATEST(0, s.service_date - (r.created_at AT TIME ZONE $8)::date) AS lead_days, r.paid_amount > 0 AS paid,
			r.state <> 'no_show' AS came, s.service_date + s.service_time AS at, r.user_id,
			CASE WHEN r.user_id IS NULL THEN COALESCE(phone_digits(r.guest_phone), '') END AS digits,
			CASE WHEN r.state = 'completed' AND NOT r.swept AND r.ended_at >= r.seated_at
				THEN round(date_part('epoch', r.ended_at - r.seated_at) / 60) END AS minutes
		FROM chosen s
		JOIN reservations r ON r.slot_id = s.id
		WHERE (` + cameOrExpected + ` OR r.state = 'no_show') AND ` + chosenParties + `
	),
	guest AS (
		SELECT user_id, digits, min(at) AS at, count(*) AS parties
		FROM party
		WHERE came
		GROUP BY user_id, digits
	),
	known AS (
		SELECT parties, digits = '' AS unknown, EXISTS (
				SELECT FROM reservations r
				JOIN slots s ON s.id = r.slot_id
				WHERE r.restaurant_id = $1 AND r.user_id IS NULL AND phone_digits(r.guest_phone) = guest.digits
					AND is_visit(r.state) AND s.service_date + s.service_time < guest.at
			) OR EXISTS (
				SELECT FROM reservations r
				JOIN slots s ON s.id = r.slot_id
				WHERE r.restaurant_id = $1 AND r.user_id = guest.user_id AND is_visit(r.state)
					AND s.service_date + s.service_time < guest.at
			) AS came_before
		FROM guest
	)
	SELECT 'parties' AS kind, source, size, lead_days, paid, count(*) FILTER (WHERE came) AS count,
		count(*) FILTER (WHERE NOT came) AS no_shows, 0 AS minutes
	FROM party
	GROUP BY source, size, lead_days, paid
	UNION ALL
	SELECT 'turn', '', size, 0, false, count(*), 0, minutes
	FROM party
	WHERE minutes IS NOT NULL
	GROUP BY size, minutes
	UNION ALL
	SELECT kind, '', 0, 0, false, COALESCE(sum(count), 0), 0, 0
	FROM known
	CROSS JOIN LATERAL (VALUES
		('new', CASE WHEN unknown OR came_before THEN 0 ELSE 1 END),
		('returning', CASE WHEN unknown THEN 0 WHEN came_before THEN parties ELSE parties - 1 END),
		('unknown', CASE WHEN unknown THEN parties ELSE 0 END)) AS part (kind, count)
	GROUP BY kind`

// countTables reads in how many slots somebody had each named seat, whether they came then or stayed.
const countTables = `
	WITH chosen AS (` + chosenSlots + `)
	SELECT n.seat_id, count(DISTINCT n.slot_id) AS slots
	FROM (
		SELECT s.id AS slot_id, r.id
		FROM chosen s
		JOIN reservations r ON r.slot_id = s.id
		WHERE ` + cameOrExpected + ` AND ` + chosenParties + `
		UNION ALL
		SELECT s.id, r.id
		FROM chosen s
		JOIN reservation_stays stay ON stay.slot_id = s.id
		JOIN reservations r ON r.id = stay.reservation_id
		WHERE ` + cameOrExpected + ` AND ` + chosenParties + `
	) had
	JOIN reservation_seats n ON n.reservation_id = had.id AND n.slot_id = had.slot_id
	GROUP BY n.seat_id`

const listDishes = `
	WITH chosen AS (` + chosenSlots + `)
	SELECT ordered.menu_item_id, m.name_ko AS "name.ko", m.name_en AS "name.en", ordered.quantity, ordered.amount
	FROM (
		SELECT i.menu_item_id, sum(i.quantity) AS quantity, sum(i.quantity * i.unit_price) AS amount
		FROM chosen s
		JOIN reservations r ON r.slot_id = s.id
		JOIN reservation_items i ON i.reservation_id = r.id
		WHERE ` + cameOrExpected + ` AND ` + chosenParties + `
		GROUP BY i.menu_item_id
		ORDER BY quantity DESC, i.menu_item_id
		LIMIT $8
	) ordered
	JOIN menu_items m ON m.id = ordered.menu_item_id
	ORDER BY ordered.quantity DESC, ordered.menu_item_id`
