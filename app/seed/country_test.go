package seed_test

import (
	"database/sql"
	"errors"
	"testing"

	"lunchgo/app/audit"
	"lunchgo/app/seed"
	"lunchgo/db/audits"
	"lunchgo/db/dbtest"
)

// A country is as the product would have left it: the auditor finds nothing wrong. The control changes one reservation
// behind the back of all constraints, and is found.
func TestFillCountry_IsFoundRight(t *testing.T) {
	t.Parallel()
	h := setupDemo(t)
	size := seed.Country{Accounts: 900, Restaurants: 25, Reservations: 3_000}
	made := 0
	fill := func() error {
		return seed.FillCountry(t.Context(), h.stores, h.seeds, size, func(reservations int) {
			made = max(made, reservations)
		})
	}
	dbtest.Must(t, fill())
	if made < size.Reservations*9/10 || made > size.Reservations {
		t.Errorf("%d reservations of %d", made, size.Reservations)
	}
	if err := fill(); !errors.Is(err, seed.ErrNotEmpty) {
		t.Errorf("filled again: %v", err)
	}
	h.holds(t, "restaurants", `SELECT count(*) FROM restaurants WHERE slug LIKE 'country-%'`, size.Restaurants)
	h.holds(t, "names", `SELECT count(DISTINCT name_ko) FROM restaurants WHERE slug LIKE 'country-%'`, size.Restaurants)
	h.holds(t, "accounts", `SELECT count(*) FROM users WHERE email LIKE '%@country.lunchgo.example'`, size.Accounts)
	h.holds(t, "reservations", `SELECT count(*) FROM reservations WHERE idempotency_key LIKE 'country-%'`, made)
	h.holds(t, "states", `SELECT count(DISTINCT state) FROM reservations WHERE idempotency_key LIKE 'country-%'`, 5)
	h.holds(t, "letters that are new, or not sent", `SELECT count(*) FROM mails m JOIN users u ON u.id = user_id
		WHERE (sent_at IS NULL OR m.created_at > now() - interval '1 day') AND email LIKE '%@country.lunchgo.example'`, 0)
	h.holds(t, "guests who are not as their bookings say", `
		SELECT count(*)
		FROM (
			SELECT guest_id(r.restaurant_id, user_id, guest_phone) AS id, max(CASE WHEN is_visit(r.state)
				THEN (service_date + service_time) AT TIME ZONE time_zone ELSE to_timestamp(0) END) AS last_visit
			FROM reservations r
			JOIN slots s ON s.id = slot_id
			JOIN restaurants p ON p.id = r.restaurant_id
			WHERE is_booking(r.state, source) AND guest_id(r.restaurant_id, user_id, guest_phone) IS NOT NULL
			GROUP BY 1
		) b
		FULL JOIN guests g USING (id)
		WHERE g.last_visit IS DISTINCT FROM b.last_visit`, 0)
	h.holds(t, "visits of a person on one day", `SELECT count(*) FROM (
		SELECT FROM reservations JOIN slots s ON s.id = slot_id WHERE idempotency_key LIKE 'country-%'
		GROUP BY user_id, service_date HAVING count(*) > 1) twice`, 0)
	if _, err := h.raw(t).ExecContext(t.Context(), checkReferences); err != nil {
		t.Errorf("a foreign key does not hold: %v", err)
	}
	if report := h.audit(t); report.Found() > 0 {
		t.Errorf("%+v", report.Wrong())
	}
	if _, err := h.raw(t).ExecContext(t.Context(), `
		SET session_replication_role = replica;
		UPDATE reservations SET party_size = 1000 WHERE id = (
			SELECT id FROM reservations WHERE idempotency_key LIKE 'country-%' AND state = 'confirmed' LIMIT 1
		)`); err != nil {
		t.Fatal(err)
	}
	if report := h.audit(t); report.Found() != 1 || report.Wrong()[0].Check != "seats_not_oversold" {
		t.Errorf("the control: %+v", report.Wrong())
	}
}

// checkReferences makes every foreign key anew, which checks all rows, and leaves things as they were.
const checkReferences = `
	BEGIN;
	DO $$
	DECLARE key record;
	BEGIN
		FOR key IN
			SELECT conrelid::regclass AS of, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS text
			FROM pg_constraint
			WHERE contype = 'f'
		LOOP
			EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %s, ADD CONSTRAINT %s %s', key.of, key.name, key.name,
				key.text);
		END LOOP;
	END $$;
	ROLLBACK`

func TestCountry_Check(t *testing.T) {
	t.Parallel()
	for size, isFine := range map[seed.Country]bool{
		{Accounts: 1, Restaurants: 1}:                                true,
		{Accounts: 1, Restaurants: 30_000, Reservations: 12}:         true,
		{Accounts: 0, Restaurants: 1}:                                false,
		{Accounts: 1, Restaurants: 0}:                                false,
		{Accounts: 1, Restaurants: 30_001}:                           false,
		{Accounts: 1, Restaurants: 1, Reservations: 13}:              false,
		{Accounts: 1_000_000, Restaurants: 3_000, Reservations: -1}:  false,
		{Accounts: 10_000_001, Restaurants: 3_000, Reservations: 10}: false,
	} {
		if err := size.Check(); (err == nil) != isFine {
			t.Errorf("%+v: %v", size, err)
		}
	}
}

func (h *harness) audit(t *testing.T) audit.Report {
	t.Helper()
	report, err := audits.NewStore(h.db).Audit(t.Context())
	dbtest.Must(t, err)
	return report
}

func (h *harness) raw(t *testing.T) *sql.DB {
	t.Helper()
	raw, err := sql.Open("postgres", h.url)
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = raw.Close() })
	return raw
}

// holds says whether a query counts as many as wanted.
func (h *harness) holds(t *testing.T, what, query string, want int) {
	t.Helper()
	var n int
	if err := h.raw(t).QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if n != want {
		t.Errorf("%d %s, want %d", n, what, want)
	}
}
