package reports_test

import (
	"testing"
	"time"

	"lunchgo/app/reports"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	dbreports "lunchgo/db/reports"
	"lunchgo/db/testkit"
)

// fillYears makes two years of a busy restaurant, 200,000 reservations each: 13 slots a day, 548 parties a day. Each
// fourth slot sells out. Triggers and foreign keys are off meanwhile: the rows are written past the product.
func fillYears(t testing.TB, h *testkit.Harness) {
	t.Helper()
	diners := h.Diners(t, 500, 0)
	for _, statement := range []string{
		`SET session_replication_role = replica`,
		`INSERT INTO slots (restaurant_id, service_date, service_time, capacity)
		SELECT p.id, d::date, make_time(10 + h, 0, 0), CASE WHEN h % 4 = 0 THEN 60 ELSE 120 END
		FROM restaurants p, generate_series('2029-01-01'::date, '2030-12-31', '1 day') d, generate_series(0, 12) h`,
		`CREATE TEMP TABLE people AS SELECT id, row_number() OVER (ORDER BY id) - 1 AS nth FROM users`,
		`INSERT INTO reservations (id, slot_id, restaurant_id, user_id, party_size, state, hold_expires_at, deposit_amount, menu_amount,
			paid_amount, refund_amount, policy, idempotency_key, payment_kind, ticket, arrival, fence, created_at, seated_at, ended_at)
		SELECT md5(made.at::text), made.id, made.restaurant_id, people.id, 1 + made.n % 4, made.state, made.at + interval '7 minutes',
			10000, 20000, CASE WHEN made.state IN ('expired', 'cancelled') THEN 0 ELSE 10000 END,
			CASE made.state WHEN 'refunded' THEN 5000 ELSE 0 END, '{}', 'k' || made.nth, 'deposit', 't' || made.nth, 1, 1, made.at,
			CASE made.state WHEN 'completed' THEN made.at END, CASE made.state WHEN 'completed' THEN made.at + made.n * interval '3 minutes' END
		FROM (
			SELECT s.id, s.restaurant_id, n, row_number() OVER () AS nth,
				(ARRAY['completed', 'completed', 'completed', 'completed', 'completed', 'completed', 'confirmed', 'no_show', 'expired',
					'refunded'])[1 + (n * 7 + s.id) % 10] AS state,
				(s.service_date - (n % 30))::timestamp + n * interval '1 minute' + s.id * interval '1 microsecond' AS at
			FROM slots s, generate_series(1, 42) n
		) made
		JOIN people ON people.nth = made.nth % 500`,
		`INSERT INTO reservation_items (reservation_id, menu_item_id, name_ko, name_en, quantity, unit_price)
		SELECT r.id, m.id, m.name_ko, m.name_en, 1 + r.party_size % 3, m.price
		FROM reservations r, menu_items m`,
		`SET session_replication_role = origin`,
		`ANALYZE`,
	} {
		h.MustExec(t, statement)
	}
	if n := h.Count(t, `SELECT count(*) FROM reservations`); n < 390_000 {
		t.Fatalf("%d reservations of %d diners", n, len(diners))
	}
}

// BenchmarkReport reads a year of a busy restaurant and the year before: 200,000 reservations each.
func BenchmarkReport(b *testing.B) {
	h := testkit.SetupWith(b, pg.Config{QueryTimeout: 10 * time.Minute, LockTimeout: time.Minute, MaxConns: 1})
	fillYears(b, h)
	store := dbreports.NewStore(h.Pool)
	for _, of := range []struct {
		name   string
		filter reports.Filter
	}{
		{"year", reports.Filter{Period: reports.Period{From: "2030-01-01", To: "2030-12-31"}, Weekday: -1}},
		{"year of Fridays", reports.Filter{Period: reports.Period{From: "2030-01-01", To: "2030-12-31"}, Weekday: 5}},
		{"28 days", reports.Filter{Period: reports.Last(28, "2030-12-31"), Weekday: -1}},
	} {
		b.Run(of.name, func(b *testing.B) {
			began := h.BackendCPU(b)
			for b.Loop() {
				facts, err := store.ReadFacts(b.Context(), h.Restaurant, of.filter)
				dbtest.Must(b, err)
				if total := reports.Build(h.Restaurant, of.filter, facts).Total; total.Covers == 0 ||
					total.SoldOutSlots == 0 {
					b.Fatalf("%+v", total)
				}
			}
			b.ReportMetric((h.BackendCPU(b)-began).Seconds()*1e3/float64(b.N), "pg-ms/report")
		})
	}
}
