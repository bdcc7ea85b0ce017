package guests_test

import (
	"fmt"
	"strings"
	"testing"

	"lunchgo/app/keyset"
	"lunchgo/db/dbtest"
	dbguests "lunchgo/db/guests"
	"lunchgo/db/testkit"
)

// crowd gives the harness's restaurant bookings of many guests, half of them without an account.
func crowd(b testing.TB, h *testkit.Harness, bookings, people int) {
	b.Helper()
	host := h.Host(b)
	for _, query := range []string{
		`INSERT INTO users (id, email, name, phone, password_hash, history_consent)
		SELECT 'crowd-' || n, 'crowd-' || n || '@example.org', 'Diner ' || n, '010-' || lpad(n::text, 8, '0'), '!', n % 4 = 0
		FROM generate_series(1, $2::integer / 2) n WHERE $1 > 0 AND $3 <> '' AND $4 > 0`,
		`INSERT INTO slots (restaurant_id, service_date, service_time, capacity)
		SELECT $4, current_date - n / 10, '11:00'::time + n % 10 * interval '1 hour', 1000
		FROM generate_series(0, 19999) n WHERE $1 > 0 AND $2 > 0 AND $3 <> ''`,
		`ALTER TABLE reservations DISABLE TRIGGER USER`,
		`INSERT INTO reservations (id, slot_id, restaurant_id, user_id, party_size, state, hold_expires_at, deposit_amount, menu_amount,
			policy, idempotency_key, fence, note, source, guest_name, guest_phone, booked_by)
		SELECT 'crowd-' || n, (SELECT min(id) FROM slots WHERE restaurant_id = $4) + n % 20000, $4,
			CASE WHEN n % 2 = 0 THEN 'crowd-' || 1 + n / 2 % ($2 / 2) END, 2, (ARRAY['completed', 'completed', 'no_show', 'cancelled'])[1 + n / 7 % 4],
			now(), 0, 0, '{}', 'crowd-' || n, 1, 'window', CASE WHEN n % 2 = 0 THEN 'web' ELSE 'phone' END,
			CASE WHEN n % 2 = 1 THEN 'Caller ' || n % $2 END, CASE WHEN n % 2 = 1 THEN '011-' || lpad((n % $2)::text, 8, '0') END,
			CASE WHEN n % 2 = 1 THEN $3 END
		FROM generate_series(1, $1::integer) n
		ON CONFLICT DO NOTHING`,
		`ALTER TABLE reservations ENABLE TRIGGER USER`,
		`INSERT INTO guests (id, restaurant_id, user_id, name, phone, digits, last_visit)
		SELECT guest_id(r.restaurant_id, r.user_id, r.guest_phone), r.restaurant_id, r.user_id, min(COALESCE(r.guest_name, u.name)),
			min(COALESCE(r.guest_phone, u.phone)), phone_digits(min(COALESCE(r.guest_phone, u.phone))), max(s.service_date + s.service_time)
		FROM reservations r
		JOIN slots s ON s.id = r.slot_id
		LEFT JOIN users u ON u.id = r.user_id
		WHERE r.restaurant_id = $4 AND $1 > 0 AND $2 > 0 AND $3 <> ''
		GROUP BY 1, 2, 3`,
		`ANALYZE`,
	} {
		var args []any
		if strings.Contains(query, "$") {
			args = []any{bookings, people, host, h.Restaurant.ID}
		}
		if strings.Contains(query, "INSERT INTO reservations") || strings.Contains(query, "FROM generate") ||
			args != nil {
			query = strings.NewReplacer("$1", fmt.Sprint(bookings), "$2", fmt.Sprint(people), "$3", "'"+host+"'", "$4",
				fmt.Sprint(h.Restaurant.ID)).Replace(query)
		}
		h.MustExec(b, query)
	}
}

// BenchmarkGuests reads the guests of a large restaurant: 200,000 bookings of 50,000 guests.
func BenchmarkGuests(b *testing.B) {
	h := testkit.Setup(b)
	crowd(b, h, 200_000, 50_000)
	b.Logf("%d bookings, %d guests", h.Count(b, `SELECT count(*) FROM reservations`),
		h.Count(b, `SELECT count(*) FROM guests`))
	all := keyset.Request{}.Below()
	var one string
	dbtest.Must(b, h.SQL().Get(&one, `SELECT id FROM guests ORDER BY number LIMIT 1`))
	for name, of := range map[string]struct{ query, words string }{
		"list": {dbguests.Pages, ""}, "name": {dbguests.PagesByName, "Diner 1234"}, "rare name": {dbguests.PagesByName,
			"nobody"},
		"digits": {dbguests.PagesByDigits, "1234"}, "rare digits": {dbguests.PagesByDigits, "99999999"},
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				var rows []dbguests.VisitorRow
				dbtest.Must(b, h.List(b.Context(), &rows, of.query, h.Restaurant.ID, of.words, all.At,
					all.Number, 51))
			}
		})
	}
	b.Run("profile", func(b *testing.B) {
		for range b.N {
			if _, err := dbguests.NewStore(h.Pool).FindGuest(b.Context(), h.Restaurant.ID, one,
				keyset.Request{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("file of 500", func(b *testing.B) {
		var ids []string
		dbtest.Must(b, h.List(b.Context(), &ids, dbguests.IDs+" LIMIT 500", h.Restaurant.ID, ""))
		for range b.N {
			if _, err := dbguests.NewStore(h.Pool).ListExported(b.Context(), h.Restaurant.ID, ids); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, query := range []string{dbguests.Pages, dbguests.PagesByName} {
		var plan []string
		explain := strings.NewReplacer("$1", fmt.Sprint(h.Restaurant.ID), "$2", "''", "$3", "'9999-01-01'", "$4", "0",
			"$5", "51").Replace(query)
		dbtest.Must(b, h.SQL().Select(&plan, "EXPLAIN (ANALYZE, BUFFERS) "+explain))
		b.Log(strings.Join(plan, "\n"))
	}
}
