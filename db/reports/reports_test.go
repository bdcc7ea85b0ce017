package reports_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reports"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	dbreports "lunchgo/db/reports"
	"lunchgo/db/testkit"
)

// scatter writes reservations of all states over 40 days of a restaurant, past the product.
func scatter(t testing.TB, h *testkit.Harness, n int) {
	t.Helper()
	h.Diners(t, n, 0)
	h.MustExec(t, `SET session_replication_role = replica`)
	h.MustExec(t, `INSERT INTO slots (restaurant_id, service_date, service_time, capacity)
		SELECT p.id, d::date, make_time(h, 0, 0), 12
		FROM restaurants p, generate_series('2030-01-01'::date, '2030-02-09', '1 day') d, generate_series(11, 14) h`)
	h.MustExec(t, `
		INSERT INTO reservations (id, slot_id, restaurant_id, user_id, party_size, state, hold_expires_at, deposit_amount, menu_amount,
			paid_amount, refund_amount, policy, idempotency_key, payment_kind, fence, created_at, arrived_at)
		SELECT md5(random()::text), s.id, s.restaurant_id, u.id, 1 + (random() * 3)::int, state.state, at + interval '7 minutes', 10000, 0,
			CASE WHEN state.state IN ('temporary', 'cancelled', 'expired') THEN 0 ELSE 10000 END,
			CASE WHEN state.state IN ('refunded', 'refund_pending') THEN 5000 ELSE 0 END, '{}', 'k' || n,
			CASE WHEN n % 3 = 0 THEN 'prepay' ELSE 'deposit' END, 1, at, CASE WHEN state.state IN ('arrived', 'seated') THEN at END
		FROM generate_series(1, $1) n
		CROSS JOIN LATERAL (SELECT id, restaurant_id, service_date FROM slots ORDER BY random() + n LIMIT 1) s
		JOIN (SELECT id, row_number() OVER () AS nth FROM users) u ON u.nth = n
		CROSS JOIN LATERAL (SELECT (ARRAY['temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated', 'completed', 'expired',
			'cancelled', 'no_show', 'refund_pending', 'refunded'])[1 + (random() * 10 + n * 0)::int] AS state) state
		CROSS JOIN LATERAL (SELECT s.service_date - random() * interval '20 days' AS at) made`, n)
	h.MustExec(t, `
		UPDATE reservations
		SET source = 'phone', user_id = NULL, guest_name = 'Guest', guest_phone = '', booked_by = user_id, deposit_amount = 0, paid_amount = 0
		WHERE ordinal % 4 = 0 AND state IN ('confirmed', 'arrived', 'seated', 'completed', 'no_show', 'cancelled')`)
	h.MustExec(t, `SET session_replication_role = origin`)
}

// stored is a reservation as the test counts it.
type stored struct {
	Restaurant int64             `db:"restaurant_id"`
	Date       booking.Date      `db:"date"`
	Time       booking.TimeOfDay `db:"time"`
	Weekday    int               `db:"weekday"`
	Party      int               `db:"party_size"`
	State      booking.State     `db:"state"`
	Paid       int64             `db:"paid_amount"`
	Refund     int64             `db:"refund_amount"`
	Source     reports.Source    `db:"source"`
}

func allStored(t testing.TB, h *testkit.Harness) []stored {
	t.Helper()
	var rows []stored
	err := h.SQL().SelectContext(t.Context(), &rows, `
		SELECT r.restaurant_id, s.service_date::text AS date, to_char(s.service_time, 'HH24:MI') AS time,
			extract(dow FROM s.service_date)::int AS weekday, r.party_size, r.state, r.paid_amount, r.refund_amount, r.source
		FROM reservations r JOIN slots s ON s.id = r.slot_id`)
	dbtest.Must(t, err)
	return rows
}

// counted adds reservations up one by one.
func counted(all []stored, restaurant int64, f reports.Filter) reports.Figures {
	var sum reports.Figures
	for _, r := range all {
		if r.Restaurant != restaurant || r.Date < f.From || r.Date > f.To || f.Weekday >= 0 && f.Weekday != r.Weekday ||
			f.Time != "" && f.Time != r.Time || f.Party != 0 && f.Party != r.Party || f.Source != "" &&
			f.Source != r.Source {
			continue
		}
		sum.Deposits += r.Paid
		switch r.State {
		case booking.Confirmed, booking.PrepaidConfirmed, booking.Arrived, booking.Seated, booking.Completed:
			sum.Parties, sum.Covers = sum.Parties+1, sum.Covers+r.Party
		case booking.NoShow:
			sum.NoShowParties, sum.NoShowCovers = sum.NoShowParties+1, sum.NoShowCovers+r.Party
		case booking.RefundPending, booking.Refunded:
			sum.CancelledParties, sum.CancelledCovers = sum.CancelledParties+1, sum.CancelledCovers+r.Party
			sum.Refunds += r.Refund
		case booking.Expired:
			sum.ExpiredHolds++
		case booking.Cancelled:
			if r.Source == reports.Web {
				sum.AbandonedHolds++
				break
			}
			sum.CancelledParties, sum.CancelledCovers = sum.CancelledParties+1, sum.CancelledCovers+r.Party
		}
	}
	return sum
}

// randomFilter is any filter of the days that scatter fills.
func randomFilter(random *rand.Rand) reports.Filter {
	f := reports.Filter{Period: reports.Last(1+random.IntN(30), booking.Date("2030-01-20").AddDays(random.IntN(25))),
		Weekday: -1}
	if random.IntN(3) == 0 {
		f.Weekday = random.IntN(7)
	}
	if random.IntN(3) == 0 {
		f.Time = booking.TimeOfDay(fmt.Sprintf("%d:00", 11+random.IntN(4)))
	}
	if random.IntN(3) == 0 {
		f.Party = 1 + random.IntN(4)
	}
	if random.IntN(3) == 0 {
		f.Source = reports.Sources()[random.IntN(2)]
	}
	return f
}

// Whatever the filter, the total is the sum of the days, of the times and of the groups, and what the reservations
// count up to one by one; so it is for the period before.
func TestReports_AddUpToWhatIsStored(t *testing.T) {
	t.Parallel()
	h := testkit.SetupWith(t, pg.Config{MaxConns: 1})
	mine := h.Restaurant
	other := testkit.Restaurant()
	other.Slug = "other"
	h.Open(t, other)
	scatter(t, h, 600)
	all, store := allStored(t, h), dbreports.NewStore(h.Pool)
	seed := uint64(time.Now().UnixNano())
	random, parties := rand.New(rand.NewPCG(seed, 1)), 0
	for range 40 {
		f := randomFilter(random)
		facts, err := store.ReadFacts(t.Context(), mine, f)
		dbtest.Must(t, err)
		r := reports.Build(mine, f, facts)
		parties += r.Total.Parties
		var days, times, sources, sizes, leads reports.Figures
		for _, d := range r.Days {
			days = days.Plus(d.Figures)
		}
		for _, at := range r.Times {
			times = times.Plus(at.Figures)
		}
		for kind, sum := range map[reports.GroupKind]*reports.Figures{reports.BySource: &sources,
			reports.ByParty: &sizes, reports.ByLead: &leads} {
			for _, g := range r.Of(kind) {
				sum.Parties, sum.Covers = sum.Parties+g.Parties, sum.Covers+g.Covers
			}
		}
		if days != r.Total || times != r.Total {
			t.Errorf("seed %d, %+v: total %+v, days %+v, times %+v", seed, f, r.Total, days, times)
		}
		came := reports.Figures{Parties: r.Total.Parties, Covers: r.Total.Covers}
		for _, kind := range []reports.GroupKind{reports.BySource, reports.ByPayment} {
			all, noShows := 0, 0
			for _, g := range r.Of(kind) {
				all, noShows = all+g.Parties, noShows+g.NoShows
			}
			if all != r.Total.Parties || noShows != r.Total.NoShowParties {
				t.Errorf("seed %d, %+v: by %s %d came and %d did not, of %+v", seed, f, kind, all, noShows, r.Total)
			}
		}
		if g := r.Guests; g.New+g.Returning+g.Unknown != r.Total.Parties {
			t.Errorf("seed %d, %+v: guests %+v of %d parties", seed, f, g, r.Total.Parties)
		}
		if sources != came || sizes != came || leads != came {
			t.Errorf("seed %d, %+v: came %+v, by source %+v, size %+v, lead %+v", seed, f, came, sources, sizes, leads)
		}
		before := f
		before.Period = f.Before()
		for name, pair := range map[string][2]reports.Figures{
			"period": {asCounted(r.Total), counted(all, mine.ID, f)},
			"before": {asCounted(r.Past), counted(all, mine.ID, before)},
		} {
			if pair[0] != pair[1] {
				t.Errorf("seed %d, %+v, %s: %+v, counted %+v", seed, f, name, pair[0], pair[1])
			}
		}
	}
	if parties == 0 {
		t.Error("no filter found anybody")
	}
}

// asCounted leaves the figures that counted knows; it knows neither slots nor how somebody paid, nor when a refund
// comes.
func asCounted(f reports.Figures) reports.Figures {
	f.Slots, f.Capacity, f.SoldOutSlots, f.SellOutSeconds = 0, 0, 0, 0
	f.OpenSlots, f.SeatMinutesOpen, f.SeatMinutesTaken = 0, 0, 0
	f.Deposits, f.Prepaid = f.Deposits+f.Prepaid, 0
	f.Refunds, f.RefundsDue = f.Refunds+f.RefundsDue, 0
	return f
}

// A table of made-up visits, counted by hand: seats that are taken in the slots of a stay too, turns of parties that
// have both marks, no-shows by payment, guests by whether they came before, also before the period.
func TestReports_Visits(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	h.Diners(t, 2, 0)
	h.MustExec(t, `SET session_replication_role = replica`)
	h.MustExec(t, `INSERT INTO slots (restaurant_id, service_date, service_time, capacity, closed)
		SELECT $1, d::date, at::time, 12, d::date = '2030-01-11' FROM unnest(ARRAY['2029-12-01', '2030-01-10', '2030-01-11']) d,
			unnest(ARRAY['12:00', '13:00']) at`, h.Restaurant.ID)
	h.MustExec(t, `
		INSERT INTO reservations (id, slot_id, restaurant_id, user_id, guest_name, guest_phone, booked_by, source, party_size, state,
			hold_expires_at, deposit_amount, menu_amount, paid_amount, policy, idempotency_key, payment_kind, fence, created_at,
			seated_at, ended_at)
		SELECT made.id, s.id, s.restaurant_id, u.id, CASE WHEN u.id IS NULL THEN 'Guest' END, phone, CASE WHEN u.id IS NULL THEN 'host' END,
			CASE WHEN u.id IS NULL THEN 'phone' ELSE 'web' END, size, state, at, 0, 0, paid, '{}', made.id, 'deposit', 1, at,
			at, at + minutes * interval '1 minute'
		FROM (VALUES
			('before', '2029-12-01', '12:00', 1, NULL, 2, 'completed', 0, 50),
			('back', '2030-01-10', '12:00', 1, NULL, 2, 'completed', 10000, 80),
			('again', '2030-01-10', '13:00', 1, NULL, 4, 'confirmed', 10000, NULL),
			('new', '2030-01-10', '12:00', 2, NULL, 2, 'completed', 10000, 90),
			('missed', '2030-01-10', '13:00', 2, NULL, 2, 'no_show', 10000, NULL),
			('number', '2030-01-10', '12:00', NULL, '010-1111-2222', 3, 'seated', 0, NULL),
			('same number', '2030-01-10', '13:00', NULL, '+82 10 1111 2222', 1, 'no_show', 0, NULL),
			('nobody', '2030-01-10', '13:00', NULL, '', 1, 'completed', 0, NULL)
		) made (id, date, time, diner, phone, size, state, paid, minutes)
		JOIN slots s ON s.service_date = made.date::date AND s.service_time = made.time::time
		LEFT JOIN (SELECT id, row_number() OVER (ORDER BY id) AS nth FROM users) u ON u.nth = made.diner
		CROSS JOIN LATERAL (SELECT s.service_date + s.service_time AT TIME ZONE 'UTC' AS at) starts`)
	h.MustExec(t, `INSERT INTO reservation_stays (reservation_id, slot_id)
		SELECT 'number', id FROM slots WHERE service_date = '2030-01-10' AND service_time = '13:00'`)
	h.MustExec(t, `SET session_replication_role = origin`)
	of := h.Restaurant
	of.Hours = nil // only what is stored
	facts, err := dbreports.NewStore(h.Pool).ReadFacts(t.Context(), of, reports.Filter{
		Period: reports.Period{From: "2030-01-10", To: "2030-01-11"}, Weekday: -1})
	dbtest.Must(t, err)
	r := reports.Build(of, reports.Filter{Period: reports.Period{From: "2030-01-10", To: "2030-01-11"}, Weekday: -1}, facts)
	if facts.Since != "2029-12-01" || r.Total.OpenSlots != 2 || r.Total.SeatMinutesOpen != 2*12*of.SlotMinutes ||
		r.Total.SeatMinutesTaken != (2+4+2+3+3+1)*of.SlotMinutes {
		t.Errorf("since %s, %+v", facts.Since, r.Total)
	}
	if want := (reports.Guests{New: 2, Returning: 2, Unknown: 1}); r.Guests != want {
		t.Errorf("guests %+v, want %+v", r.Guests, want)
	}
	if r.Turn() != (reports.TurnTime{Parties: 2, Minutes: 85}) {
		t.Errorf("turn %+v", r.Turn())
	}
	h.MustExec(t,
		`UPDATE reservations SET swept = true WHERE id = 'new'`) // its stay was over; when it left nobody said
	facts, err = dbreports.NewStore(h.Pool).ReadFacts(t.Context(), of, reports.Filter{
		Period: reports.Period{From: "2030-01-10", To: "2030-01-11"}, Weekday: -1})
	dbtest.Must(t, err)
	swept := reports.Build(of, reports.Filter{Period: reports.Period{From: "2030-01-10", To: "2030-01-11"}, Weekday: -1}, facts)
	if swept.Turn() != (reports.TurnTime{Parties: 1, Minutes: 80}) || swept.Total != r.Total {
		t.Errorf("turn of who was marked %+v, %+v", swept.Turn(), swept.Total)
	}
	paid, unpaid := r.Of(reports.ByPayment)[0], r.Of(reports.ByPayment)[1]
	if paid.Parties != 3 || paid.NoShows != 1 || unpaid.Parties != 2 || unpaid.NoShows != 1 {
		t.Errorf("paid %+v, unpaid %+v", paid, unpaid)
	}
}

// A named table counts once in each slot in which parties have it; parties that are only held have none yet.
func TestReports_Tables(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	slot := h.OpenTables(t)
	first, second := h.Seated(t, slot, 2), h.Seated(t, slot, 4)
	h.MustExec(t, `UPDATE reservations SET state = 'confirmed' WHERE id = $1`, first)
	h.MustExec(t, `UPDATE reservations SET state = 'cancelled', cancel_reason = '' WHERE id = $1`, second)
	f := reports.Filter{Period: reports.Period{From: slot.Date, To: slot.Date}, Weekday: -1}
	facts, err := dbreports.NewStore(h.Pool).ReadFacts(t.Context(), h.Restaurant, f)
	dbtest.Must(t, err)
	tables := reports.Build(h.Restaurant, f, facts).Tables
	if len(tables) != len(h.Restaurant.Seats) {
		t.Fatalf("%d tables, want all %d", len(tables), len(h.Restaurant.Seats))
	}
	for _, table := range tables {
		want := h.Count(t, `SELECT count(*) FROM reservation_seats WHERE reservation_id = $1 AND seat_id = $2`, first,
			table.SeatID)
		if table.Slots != want || table.Label == "" {
			t.Errorf("%+v, want %d slots", table, want)
		}
	}
}
