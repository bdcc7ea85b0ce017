package seed

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/seed"
	"lunchgo/app/wallet"
	"lunchgo/db/pg"
	dbwallet "lunchgo/db/wallet"
)

// CountOthers returns how many restaurants there are besides those with the slugs and those of load tests.
func (s *Store) CountOthers(ctx context.Context, slugs []string) (int, error) {
	return pg.One[int](ctx, s.db, `SELECT count(*) FROM restaurants WHERE slug <> ALL ($1) AND NOT shadow`,
		pq.Array(slugs))
}

// FillTown implements seed.CountryStore. Everything is written in one transaction. Ids rise by time within a town, not
// over towns. Nothing is younger than a day, so that what is audited as touched, by the last ids, has none of it.
func (s *Store) FillTown(ctx context.Context, town seed.Town) (made int, err error) {
	var ids pq.Int64Array
	var terms pq.StringArray
	for _, r := range town.Restaurants {
		policy, err := json.Marshal(r.Terms(r.PartyMin))
		if err != nil {
			return 0, err
		}
		ids, terms = append(ids, r.ID), append(terms, string(policy))
	}
	if err := s.db.Exec(ctx, openRestaurants, ids); err != nil {
		return 0, fmt.Errorf("seed: fill a town: %w", err)
	}
	err = s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		if _, err := t.ExecContext(ctx, prepareTown); err != nil {
			return err
		}
		for _, statement := range []struct {
			text string
			args []any
		}{
			{insertPeople, []any{town.FirstPerson, town.People, pq.Array(town.Surnames), pq.Array(town.GivenNames),
				identity.NoPassword}},
			{drawVisits, []any{town.FirstVisit, town.Visits, town.FirstPerson, town.People, ids, terms,
				pq.Array(town.Times), town.Past, town.Ahead}},
			{insertVisitSlots, nil},
			{insertVisits, nil},
			{insertVisitDishes, nil},
			{insertVisitors, nil},
			{openWallets, []any{town.FirstPerson, town.People, string(wallet.KindCharge), dbwallet.ChargeKey("opening"),
				string(booking.Deposit), dbwallet.PaymentKey("country-"), string(wallet.KindRefund), dbwallet.RefundKey("")}},
		} {
			if _, err := t.ExecContext(ctx, statement.text, statement.args...); err != nil {
				return err
			}
		}
		return t.GetContext(ctx, &made, `SELECT count(*) FROM visits`)
	})
	if err != nil {
		return 0, fmt.Errorf("seed: fill a town: %w", err)
	}
	return made, nil
}

// Analyze has PostgreSQL count what the tables hold, by which it plans.
func (s *Store) Analyze(ctx context.Context) error { return s.db.Exec(ctx, `ANALYZE`) }

// prepareTown makes a transaction one for a town. Only a superuser does without triggers, foreign keys included, which
// take two fifths of the time: the statements below write what they would.
const prepareTown = `
	SET LOCAL session_replication_role = replica;
	SET LOCAL jit = off;
	SET LOCAL work_mem = '64MB';
	CREATE TEMP TABLE visits (
		id text, user_id text, restaurant_id bigint, service_date date, service_time time, start timestamptz,
		made timestamptz, party integer, state text, deposit bigint, terms jsonb, hold interval, stay interval,
		dish bigint, price bigint
	) ON COMMIT DROP`

// countryID is the id of the person or the visit with a number: its first eight digits are what is read out.
func countryID(number string) string {
	return `to_char(` + number + `, 'FM00000000') || upper(substr(md5((` + number + `)::text), 1, 18))`
}

// settled is when a country's first people and restaurants came.
const settled = `now() - interval '3 years'`

const openRestaurants = `UPDATE restaurants SET opened_at = ` + settled + ` WHERE id = ANY ($1)`

// insertPeople stores $2 people from number $1 on; they have no password.
var insertPeople = `
	INSERT INTO users (id, email, name, phone, password_hash, created_at, email_confirmed_at)
	SELECT ` + countryID("n") + `, 'person' || n || '@country.lunchgo.example',
		($3::text[])[1 + n % cardinality($3::text[])]
			|| ($4::text[])[1 + n / cardinality($3::text[]) % cardinality($4::text[])],
		'010-' || to_char(n / 10000 % 10000, 'FM0000') || '-' || to_char(n % 10000, 'FM0000'), $5,
		` + settled + `, ` + settled + `
	FROM generate_series($1::bigint, $1::bigint + $2::bigint - 1) AS n`

// drawVisits draws $2 visits from number $1 on, of the $4 people from number $3 on, at the restaurants $5 with the
// terms $6, at the times $7, of the days from $8 before today to $9 after it. It draws by hashes of the numbers: each
// bit of one is used once. The visits of a person are spread over as many periods as there are visits at most, so that
// nobody has two on a day. Three in four from Monday to Thursday move to the next Friday or Saturday. Each person has
// two restaurants; the first ones, and the first times, are chosen most. Who finds no seats any more makes no
// reservation.
var drawVisits = `
	INSERT INTO visits
	WITH sizes AS (
		SELECT periods, ($8::bigint + $9::bigint) / periods AS days
		FROM (SELECT GREATEST(ceil($2::bigint::float / $4::bigint)::bigint, 1) AS periods) AS sizes
	), chances AS (
		SELECT i, i % $4::bigint AS person, days, (i / $4::bigint + i % $4::bigint) % periods AS period,
			hashint8extended($1::bigint + i, 0) AS a,
			hashint8extended($1::bigint + i, 1) AS b
		FROM generate_series(0, $2::bigint - 1) AS i
		CROSS JOIN sizes
	), days AS (
		SELECT *, hashint8extended(2 * ($3::bigint + person) + (a & 1), 2) AS c,
			(now() AT TIME ZONE 'Asia/Seoul')::date - $8::bigint::int
				+ (period * days + (a >> 1 & 65535) % (days - 6))::int AS drawn
		FROM chances
	), wanted AS (
		SELECT *, floor(cardinality($5::bigint[]) * power((c & 1023) / 1024::float, 3))::int AS restaurant,
			($7::time[])[1 + floor(cardinality($7::time[]) * power((a >> 17 & 1023) / 1024::float, 3))::int] AS service_time,
			drawn + CASE WHEN date_part('dow', drawn) BETWEEN 1 AND 4 AND a >> 33 & 3 > 0
				THEN 5 - date_part('dow', drawn)::int + (a >> 28 & 1)::int ELSE 0 END AS service_date,
			('{2,2,2,3,2,4,2,1,4,3,5,6,2,2,3,4}'::int[])[1 + (a >> 29 & 15)] AS party
		FROM days
	), seated AS (
		SELECT w.*, p.id AS restaurant_id, p.capacity, p.deposit_per_person * party AS deposit,
			($6::jsonb[])[restaurant + 1] AS terms,
			p.hold_minutes * interval '1 minute' AS hold, p.slot_minutes * interval '1 minute' AS stay,
			(service_date + service_time) AT TIME ZONE p.time_zone AS start,
			sum(party) OVER (PARTITION BY p.id, service_date, service_time ORDER BY i) AS taken
		FROM wanted w
		JOIN restaurants p ON p.id = ($5::bigint[])[restaurant + 1]
	), booked AS (
		SELECT *, LEAST(start - (1 + (b & 31)) * interval '1 day', now() - interval '1 day')
			- (b >> 5 & 1023) * interval '1 minute' AS made
		FROM seated
		WHERE taken <= capacity
	)
	SELECT ` + countryID("$1::bigint + i") + `, ` + countryID("$3::bigint + person") + `, b.restaurant_id,
		service_date, service_time,
		start, made, party,
		CASE
			WHEN deposit > 0 AND b >> 15 & 127 < 6 AND made < start - interval '2 days' THEN 'refunded'
			WHEN deposit > 0 AND b >> 15 & 127 < 11 THEN 'expired'
			WHEN start > now() - interval '3 hours' THEN 'confirmed'
			WHEN b >> 15 & 127 < 17 THEN 'no_show'
			ELSE 'completed'
		END,
		deposit, terms, hold, stay, m.id, m.price
	FROM booked b
	LEFT JOIN menu_items m ON m.restaurant_id = b.restaurant_id AND m.position = b >> 22 & 15
	ORDER BY made`

const insertVisitSlots = `
	INSERT INTO slots (restaurant_id, service_date, service_time, capacity)
	SELECT DISTINCT v.restaurant_id, v.service_date, v.service_time, p.capacity
	FROM visits v
	JOIN restaurants p ON p.id = v.restaurant_id
	ORDER BY 1, 2, 3`

// insertVisits stores the reservations as they are in the end. A party of a refund cancelled after half a day, more
// than a day ahead.
const insertVisits = `
	INSERT INTO reservations (id, slot_id, restaurant_id, user_id, party_size, state, hold_expires_at, deposit_amount,
		menu_amount, paid_amount, refund_amount, policy, idempotency_key, payment_key, payment_kind, fence,
		created_at, confirmed_at, arrived_at, seated_at, ended_at, diner_cancelled_at)
	SELECT v.id, s.id, v.restaurant_id, v.user_id, party, state,
		made + CASE WHEN deposit > 0 THEN hold ELSE interval '0' END, deposit,
		COALESCE(party * price, 0), CASE WHEN state <> 'expired' THEN deposit ELSE 0 END,
		CASE WHEN state = 'refunded' THEN deposit ELSE 0 END, terms, 'country-' || v.id,
		CASE WHEN deposit > 0 AND state <> 'expired' THEN 'country-' || v.id ELSE '' END,
		CASE WHEN deposit > 0 AND state <> 'expired' THEN 'deposit' ELSE '' END, 0, made,
		CASE WHEN state <> 'expired' THEN made + CASE WHEN deposit > 0 THEN interval '2 minutes' ELSE interval '0' END END,
		CASE WHEN state = 'completed' THEN start END, CASE WHEN state = 'completed' THEN start + interval '5 minutes' END,
		CASE state WHEN 'completed' THEN start + stay WHEN 'no_show' THEN start + interval '30 minutes' END,
		CASE WHEN state = 'refunded' THEN made + interval '12 hours' END
	FROM visits v
	JOIN slots s USING (restaurant_id, service_date, service_time)
	ORDER BY made`

const insertVisitDishes = `
	INSERT INTO reservation_items (reservation_id, menu_item_id, name_ko, name_en, quantity, unit_price)
	SELECT v.id, m.id, m.name_ko, m.name_en, v.party, v.price
	FROM visits v
	JOIN menu_items m ON m.id = v.dish
	ORDER BY v.id`

// insertVisitors has the restaurants know who has booked, and when they came last.
const insertVisitors = `
	INSERT INTO guests (id, restaurant_id, user_id, name, phone, digits, last_visit)
	SELECT guest_id(v.restaurant_id, v.user_id, ''), v.restaurant_id, v.user_id, u.name, u.phone, phone_digits(u.phone),
		COALESCE(max(start) FILTER (WHERE is_visit(v.state)), to_timestamp(0))
	FROM visits v
	JOIN users u ON u.id = v.user_id
	WHERE is_booking(v.state, 'web')
	GROUP BY v.restaurant_id, v.user_id, u.name, u.phone`

// openWallets gives the $2 people from number $1 on what they pay and 100,000 won more, and lets them pay and get it
// back, as the ledger shows.
var openWallets = `
	WITH moves AS (
		SELECT u.id AS user_id, u.created_at AS at, 100000 + COALESCE(due.deposits, 0) AS amount, $3 AS kind,
			NULL AS reservation_id, $4 AS key
		FROM generate_series($1::bigint, $1::bigint + $2::bigint - 1) AS n
		JOIN users u ON u.id = ` + countryID("n") + `
		LEFT JOIN (
			SELECT user_id, sum(deposit) AS deposits FROM visits WHERE state <> 'expired' GROUP BY user_id
		) due ON due.user_id = u.id
		UNION ALL
		SELECT user_id, made + interval '2 minutes', -deposit, $5, id, $6 || id
		FROM visits
		WHERE deposit > 0 AND state <> 'expired'
		UNION ALL
		SELECT user_id, made + interval '12 hours', deposit, $7, id, $8 || id
		FROM visits
		WHERE state = 'refunded'
	), ledger AS (
		SELECT *, row_number() OVER steps AS version, sum(amount) OVER steps AS balance
		FROM moves
		WINDOW steps AS (PARTITION BY user_id ORDER BY at, reservation_id ROWS UNBOUNDED PRECEDING)
	), opened AS (
		INSERT INTO accounts (user_id, balance, version)
		SELECT DISTINCT ON (user_id) user_id, balance, version
		FROM ledger
		ORDER BY user_id, version DESC
	)
	INSERT INTO ledger_entries (user_id, version, amount, kind, reservation_id, idempotency_key, balance_after, created_at)
	SELECT user_id, version, amount, kind, reservation_id, key, balance, at
	FROM ledger
	ORDER BY at`
