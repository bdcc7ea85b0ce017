package webtest

import (
	"database/sql"
	"net/url"
	"strings"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/views"
)

// A rehearsal lets simulated guests live through a rush at a copy of the restaurant, tells what became of them, and leaves nothing
// among the real figures. Another one has to wait for its end, and 3 an hour are enough.
func TestRehearsal_TellsWhatGuestsLiveThroughAndLeavesNothing(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	r.Program.Rehearsals.Guests = 60
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	count := r.counter(t)
	tables := []string{"users", "reservations", "slots", "restaurants", "seats", "ledger_entries", "opening_hours"}
	before := map[string]int{}
	for _, table := range tables {
		before[table] = count(table)
	}
	id := r.post(t, owner, r.teamPath("rehearsals"), "", nil).want(t, 202, "").text(t, "id")
	if again := r.post(t, owner, r.teamPath("rehearsals"), "", nil); again.json["code"] != "rehearsal_running" && again.json["code"] != "guests_waiting" {
		t.Errorf("a second one: %d %s", again.status, again.raw)
	}
	if got := r.get(t, person{}, "/api/restaurants").want(t, 200, ""); strings.Contains(string(got.raw), "shadow") {
		t.Errorf("the copy is listed: %s", got.raw)
	}
	var ended answer
	deadline := time.Now().Add(90 * time.Second)
	for tick := time.NewTicker(100 * time.Millisecond); ; <-tick.C {
		if ended = r.get(t, owner, r.teamPath("rehearsals/"+id)).want(t, 200, ""); ended.json["endedAt"] != nil || time.Now().After(deadline) {
			tick.Stop()
			break
		}
	}
	report, _ := ended.json["report"].(map[string]any)
	number := func(name string) int { n, _ := report[name].(float64); return int(n) }
	if number("answered") != 60 || number("seated") == 0 || number("soldOut") == 0 || number("failed") != 0 || number("seated")+number("soldOut") != 60 {
		t.Errorf("%s", ended.raw)
	}
	if number("oversold") != 0 || number("orderInversions") != 0 || number("taken") == 0 || number("taken") > number("seats") || number("lastMs") < number("medianMs") {
		t.Errorf("%s", ended.raw)
	}
	for _, table := range tables {
		if got := count(table); got != before[table] {
			t.Errorf("%d rows in %s, before it were %d", got, table, before[table])
		}
	}
	r.page(t, owner, views.RehearsalURL(r.restaurant.ID)).is(t, 200).has(t, "두 번 팔린 자리는 없고")
	r.balances(t)
}

// counter counts the rows of tables.
func (r *harness) counter(t *testing.T) func(table string) int {
	t.Helper()
	pool, err := sql.Open("postgres", r.Setup.Database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	return func(table string) (n int) {
		if err := pool.QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
}

// While real guests wait, there is no rehearsal, and the page says why.
func TestRehearsal_RefusedWhileGuestsWait(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	r.Program.Rehearsals.Room = crowded{}
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	r.post(t, owner, r.teamPath("rehearsals"), "", nil).want(t, 409, "guests_waiting")
	r.send(t, owner, views.RehearsalURL(r.restaurant.ID), url.Values{}).is(t, 409).has(t, "기다리는 손님")
}

type crowded struct{}

func (crowded) Waiting() int { return 1 }
