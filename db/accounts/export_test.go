package accounts_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lunchgo/db/accounts"
	"lunchgo/db/dbtest"
)

// notExported are the tables that know people by their ids and are in no copy, with the reason.
var notExported = map[string]string{
	"revoked_sessions":  "ids of sessions that have ended, until they would have expired",
	"ended_sessions":    "until when sessions have ended; nothing besides",
	"day_cancellations": "what came of it is the state and the reason of the reservation; who ordered it is in the log",
	"door_parties":      "of guests at the door, deleted when their day is over; who added one is in the log",
	"pictures":          "of restaurants and their dishes; who uploaded one is in the log of the restaurant",
}

// tablesOfPeople are the tables that refer to a user, by a foreign key or by the name of the column, and the users
// themselves.
func (h *harness) tablesOfPeople(t *testing.T) []string {
	t.Helper()
	var tables []string
	err := h.SQL().SelectContext(t.Context(), &tables, `
		SELECT c.table_name
		FROM information_schema.columns c
		JOIN information_schema.tables t USING (table_schema, table_name)
		WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
			AND (c.column_name ~ '(^|_)(user|staff|person|diner|member)_id$' OR c.column_name ~ 'email' OR c.table_name = 'users')
		UNION
		SELECT conrelid::regclass::text
		FROM pg_constraint
		WHERE contype = 'f' AND confrelid = 'users'::regclass
		ORDER BY 1`)
	dbtest.Must(t, err)
	return tables
}

// A new table that knows people has to be in the copy that they get, or in the list above.
func TestExport_HasEveryTableOfPeople(t *testing.T) {
	t.Parallel()
	h := setup(t)
	exported := map[string]bool{}
	for _, section := range accounts.ExportSections {
		for _, table := range section.Tables() {
			exported[table] = true
			if !strings.Contains(section.Query(), " "+table+" ") {
				t.Errorf("%s does not read %s", section.Name(), table)
			}
		}
	}
	tables := h.tablesOfPeople(t)
	if len(tables) < 10 {
		t.Fatalf("only %v know people", tables)
	}
	for _, table := range tables {
		if exported[table] == (notExported[table] != "") {
			t.Errorf("%s: exported %v, and not for a reason: %q", table, exported[table], notExported[table])
		}
	}
	for table := range exported {
		if !slices.Contains(tables, table) {
			t.Errorf("%s does not know people", table)
		}
	}
}

// bulk gives a person n reservations of the past, with a note of some more characters each.
func (h *harness) bulk(t *testing.T, userID string, n, words int) {
	t.Helper()
	_, err := h.SQL().ExecContext(t.Context(), `
		WITH slot AS (
			INSERT INTO slots (restaurant_id, service_date, service_time, capacity)
			SELECT $2, '2020-01-01'::date + (SELECT count(*)::int FROM users WHERE id < $1) * 100 + i / 1440, '00:00'::time + i % 1440 * interval '1 minute', 10
			FROM generate_series(0, $3 - 1) i
			RETURNING id
		)
		INSERT INTO reservations (id, slot_id, restaurant_id, user_id, party_size, state, hold_expires_at, deposit_amount, menu_amount,
			policy, idempotency_key, fence, note)
		SELECT $1 || id, id, $2, $1, 2, 'cancelled', '2020-01-01', 0, 0, '{}', 'key-' || id, 1, 'note ' || id || repeat('가', $4)
		FROM slot`, userID, h.Restaurant.ID, n, words)
	dbtest.Must(t, err)
}

// peak discards what is written, and notes the most memory that was in use meanwhile.
type peak struct {
	bytes, writes int
	heap          uint64
}

func (p *peak) Write(b []byte) (int, error) {
	p.bytes += len(b)
	if p.writes++; p.writes%2_000 == 0 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		p.heap = max(p.heap, m.HeapAlloc)
	}
	return len(b), nil
}

// A copy of many reservations takes less memory than it is long.
func TestExport_TakesLittleMemory(t *testing.T) { // not parallel: others' memory would count
	h := setup(t)
	ann := h.Diners(t, 1, 0)[0]
	h.bulk(t, ann, 8_000, 500)
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	var p peak
	dbtest.Must(t, h.Users.Export(t.Context(), ann, &p))
	t.Logf("%d bytes, %d more in use at most", p.bytes, int64(p.heap)-int64(before.HeapAlloc))
	if p.bytes < 10<<20 || p.heap > before.HeapAlloc+5<<20 {
		t.Errorf("%d bytes took %d of memory, from %d", p.bytes, p.heap, before.HeapAlloc)
	}
}

// The copy has all that a person has, over several batches, and nothing of others.
func TestExport_HasAllOfOnePerson(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ids := h.Diners(t, 2, 50_000)
	ann, bob := ids[0], ids[1]
	h.bulk(t, ann, accounts.ExportBatch+1, 0)
	h.bulk(t, bob, 3, 0)
	var out bytes.Buffer
	dbtest.Must(t, h.Users.Export(t.Context(), ann, &out))
	var doc map[string][]map[string]any
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatalf("%v in %s", err, out.String())
	}
	if len(doc) != len(accounts.ExportSections) || len(doc["account"]) != 1 ||
		len(doc["reservations"]) != accounts.ExportBatch+1 ||
		len(doc["ledger"]) != 1 {
		t.Errorf("members: %d, %d accounts, %d reservations, ledger %v", len(doc), len(doc["account"]),
			len(doc["reservations"]), doc["ledger"])
	}
	if email := doc["account"][0]["email"]; email != strings.ToLower(ann)+"@example.org" ||
		doc["wallet"][0]["balance"] != 50_000.0 {
		t.Errorf("account %v, wallet %v", doc["account"], doc["wallet"])
	}
	r := doc["reservations"][0]
	if r["partySize"] != 2.0 || r["restaurant"] != "담담반상" || !strings.HasPrefix(fmt.Sprint(r["note"]), "note ") {
		t.Errorf("a reservation: %v", r)
	}
	for _, secret := range []string{bob, "passwordHash", "password_hash", "idempotency", `"ticket"`} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("%q is in the copy", secret)
		}
	}
}
