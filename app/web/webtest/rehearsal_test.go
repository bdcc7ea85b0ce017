package webtest

import (
	"database/sql"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/rehearsal"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// rehearsedTables are those in which a rehearsal leaves nothing.
var rehearsedTables = []string{"users", "reservations", "reservation_items", "reservation_stays", "reservation_seats",
	"slots", "restaurants", "seats", "menu_items", "menu_stock", "ledger_entries", "accounts", "opening_hours", "mails",
	"line_outcomes", "line_logs", "waitlist_entries", "staff_members"}

// A rehearsal lets simulated guests live through a rush at a copy of the restaurant, shows what became of them, and
// leaves nothing among the real figures. The page follows it by its stream.
func TestRehearsal_ShowsWhatGuestsLiveThroughAndLeavesNothing(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	const guests, atOnce = 500, 100
	r.restaurant.Capacity, r.menu[0].DailyQuantity = 40, new(1)
	if _, err := r.Stores.Seeds.PutRestaurant(t.Context(), r.restaurant, r.menu); err != nil {
		t.Fatal(err)
	}
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	slot := r.slot("18:00")
	diner, _ := r.confirm(t, slot, 3)
	dump := func() string { return r.figures(t, owner, diner, slot.Date) }
	before := dump()
	asked := map[string]any{"date": slot.Date, "time": slot.Time, "guests": guests, "atOnce": atOnce}
	id := r.post(t, owner, r.teamPath("rehearsals"), "", asked).want(t, 202, "").text(t, "id")
	r.post(t, owner, r.teamPath("rehearsals"), "", nil).want(t, 409, "rehearsal_running")
	r.page(t, owner, views.RehearsalURL(r.restaurant.ID)).is(t, 200).has(t, "연습하고 있습니다",
		views.RehearsalEventsURL(r.restaurant.ID), `<noscript><meta http-equiv="refresh" content="2"`)
	if names := r.followRehearsal(t, owner); len(names) < 2 {
		t.Errorf("the page has no progress: %v", names)
	}
	ended := r.get(t, owner, r.teamPath("rehearsals/"+id)).want(t, 200, "")
	report, _ := ended.json["report"].(map[string]any)
	number := func(name string) int { n, _ := report[name].(float64); return int(n) }
	if number("answered") != guests || number("seated") == 0 || number("soldOut") == 0 || number("failed") != 0 ||
		number("seated")+number("soldOut")+number("left") != guests || number("seats") != 40 {
		t.Errorf("%s", ended.raw)
	}
	if number("oversold") != 0 || number("orderInversions") != 0 || number("taken") == 0 ||
		number("lastMs") < number("p95Ms") || number("p95Ms") < number("medianMs") ||
		number("tookMs") < number("lastMs") {
		t.Errorf("%s", ended.raw)
	}
	if dishes := fmt.Sprint(report["dishes"]); !strings.Contains(dishes, "갈비찜") || number("rechosen") == 0 {
		t.Errorf("a dish of one portion has not run out: %s", ended.raw)
	}
	r.page(t, owner, views.RehearsalURL(r.restaurant.ID)).is(t, 200).has(t, "두 번 팔린 자리는 없고", "갈비찜",
		fmt.Sprintf("%d팀 중", guests))
	if after := dump(); after != before {
		t.Errorf("figures before the rehearsal:\n%s\nafter it:\n%s", before, after)
	}
	r.balances(t)
	r.rehearseWithoutShortage(t, owner)
}

// rehearseWithoutShortage runs a small rehearsal in which no dish runs out: it lists none, rather than nothing.
func (r *harness) rehearseWithoutShortage(t *testing.T, owner person) {
	t.Helper()
	r.menu[0].DailyQuantity = nil
	if _, err := r.Stores.Seeds.PutRestaurant(t.Context(), r.restaurant, r.menu); err != nil {
		t.Fatal(err)
	}
	id := r.post(t, owner, r.teamPath("rehearsals"), "", map[string]any{"guests": 50, "atOnce": 100}).
		want(t, 202, "").text(t, "id")
	r.followRehearsal(t, owner)
	r.get(t, owner, r.teamPath("rehearsals/"+id)).want(t, 200, "").has(t, `"dishes":[]`, `"answered":50`)
}

// followRehearsal reads the stream of the page until it ends: progress, if it goes on, then the outcome.
func (r *harness) followRehearsal(t *testing.T, as person) (names []string) {
	t.Helper()
	events, hangUp := r.stream(t, as, views.RehearsalEventsURL(r.restaurant.ID))
	defer hangUp()
	last := ""
	deadline := time.After(rehearsal.Longest)
	for {
		select {
		case e, ok := <-events:
			if !ok || e.name == "done" {
				if !strings.Contains(last, "두 번 팔린 자리는 없고") {
					t.Errorf("events %v, the last: %s", names, last)
				}
				return names
			}
			names, last = append(names, e.name), e.data
		case <-deadline:
			t.Fatalf("the stream goes on: %v", names)
		}
	}
}

// moment is what differs between two readings of the same figures.
var moment = regexp.MustCompile(`"(now|at|generatedAt|exportedAt)":"[^"]*"`)

// figures are what reports, the evening, guests, searches, exports, wallets and tables show.
func (r *harness) figures(t *testing.T, owner, diner person, date booking.Date) string {
	t.Helper()
	var all strings.Builder
	for _, read := range []struct {
		as   person
		path string
	}{
		{owner, r.teamPath(fmt.Sprintf("reports?from=%s&to=%s", date, date))},
		{owner, r.teamPath("evening?date=" + string(date))},
		{owner, r.teamPath("guests")},
		{person{}, "/api/restaurants?partySize=2&date=" + string(date)},
		{person{}, fmt.Sprintf("/api/restaurants/%d/slots?partySize=2&date=%s", r.restaurant.ID, date)},
		{person{}, fmt.Sprintf("/api/restaurants/%d/menu?date=%s", r.restaurant.ID, date)},
		{diner, "/api/wallet"}, {diner, "/api/reservations"}, {diner, "/api/account/export"},
	} {
		a := r.get(t, read.as, read.path).is(t, 200)
		fmt.Fprintf(&all, "%s: %s\n", read.path, moment.ReplaceAllString(string(a.raw), ""))
	}
	count := r.counter(t)
	for _, table := range rehearsedTables {
		fmt.Fprintf(&all, "%s: %d\n", table, count(table))
	}
	return all.String()
}

// counter counts the rows of tables.
func (r *harness) counter(t *testing.T) func(table string) int {
	t.Helper()
	pool, err := sql.Open("postgres", r.Setup.Database)
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = pool.Close() })
	return func(table string) (n int) {
		dbtest.Must(t, pool.QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n))
		return n
	}
}

// While real guests wait for a table of the restaurant, at whatever server, there is no rehearsal, and the page says
// why. Guests of another restaurant do not keep it from rehearsing. What makes no sense is refused beside its field.
func TestRehearsal_Refused(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	other := r.twin(t)
	owner, host := r.staffAs(t, r.restaurant.ID, identity.RoleOwner), r.staff(t, r.restaurant.ID)
	path, slot := views.RehearsalURL(r.restaurant.ID), r.slot("19:00")
	form := url.Values{"date": {"2020-01-01"}, "time": {"12:00"}, "guests": {"5000"}, "atOnce": {"many"}}
	r.send(t, owner, path, form).is(t, 422).has(t, "이미 지난 시간", "50", "500", `value="5000"`, `value="many"`,
		`value="2020-01-01"`)
	r.post(t, owner, r.teamPath("rehearsals"), "", map[string]any{"guests": 49}).want(t, 422, "invalid")
	r.steer(t, host, slotPath(slot), map[string]any{"paused": true}).want(t, 200, "")
	other.queued(t, r.diner(t, 0), slot, 2)
	r.post(t, owner, r.teamPath("rehearsals"), "", nil).want(t, 409, "guests_waiting")
	r.send(t, owner, path, url.Values{"guests": {"60"}}).is(t, 409).has(t, "기다리는 손님", `value="60"`)
	if n := r.counter(t)("rehearsals"); n != 0 {
		t.Errorf("%d rehearsals have begun", n)
	}
}

// What a process that died in the middle of a rehearsal has left, another one removes: copy, guests and reservations.
func TestRehearsal_LeftoverOfADeadProcessGoes(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	owner, count := r.staffAs(t, r.restaurant.ID, identity.RoleOwner), r.counter(t)
	var before []int
	for _, table := range rehearsedTables {
		before = append(before, count(table))
	}
	dead := rehearsal.Start{RestaurantID: r.restaurant.ID, By: owner.id, AnHour: 1, AtATime: 1} // its lease has ended
	id, err := r.Stores.Rehearsals.Begin(t.Context(), dead)
	dbtest.Must(t, err)
	stage, err := r.Stores.Rehearsals.Open(t.Context(), id,
		rehearsal.Copy{Of: r.restaurant.ID, Restaurant: r.restaurant,
			Plan: rehearsal.Plan{Date: r.day(1), Time: "19:00", Guests: 3}})
	dbtest.Must(t, err)
	for n, guest := range stage.Guests {
		r.seat(t, person{id: guest}, stage.Slot, 1+n)
	}
	r.twin(t)
	dbtest.Eventually(t, "the copy goes", func() bool {
		for i, table := range rehearsedTables {
			if table != "line_logs" && count(table) != before[i] {
				return false
			}
		}
		return true
	})
	r.get(t, owner, r.teamPath("rehearsals/"+id)).want(t, 200, "").has(t, `"endedAt":"`)
}
