package web_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

// rowsOf is all that is stored of a restaurant, by table: of every table that says whose its rows are, by restaurant,
// reservation or slot.
func (h *house) rowsOf(restaurantID int64) map[string]string {
	h.t.Helper()
	conn, err := sql.Open("postgres", h.Setup.Database)
	h.must(err)
	defer conn.Close()
	tables := map[string]string{"restaurants": "id = $1"}
	owners := []struct{ column, condition string }{
		{"slot_id", "slot_id IN (SELECT id FROM slots WHERE restaurant_id = $1)"},
		{"reservation_id", "reservation_id IN (SELECT id FROM reservations WHERE restaurant_id = $1)"},
		{"restaurant_id", "restaurant_id = $1"}, // the last that a table has counts
	}
	for _, owner := range owners {
		rows, err := conn.QueryContext(h.t.Context(), `
			SELECT table_name
			FROM information_schema.columns
			JOIN information_schema.tables USING (table_schema, table_name)
			WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name = $1`, owner.column)
		h.must(err)
		for rows.Next() {
			var table string
			h.must(rows.Scan(&table))
			tables[table] = owner.condition
		}
		h.must(rows.Err())
		h.must(rows.Close())
	}
	all := map[string]string{}
	for table, condition := range tables {
		var content string
		query := fmt.Sprintf(`SELECT COALESCE(string_agg(t::text, E'\n' ORDER BY t::text), '') FROM %s t WHERE %s`,
			table, condition)
		h.must(conn.QueryRowContext(h.t.Context(), query, restaurantID).Scan(&content))
		all[table] = content
	}
	return all
}

// foreignAddresses are those of a staff route with things of the house's restaurant: its own, and one under another
// restaurant.
func (h *house) foreignAddresses(path string) []string {
	own := h.address(path)
	things := parameter.FindAllString(path, -1)
	named := slices.ContainsFunc(things, func(name string) bool {
		return !slices.Contains([]string{":restaurant", ":date", ":time"}, name)
	})
	if !slices.Contains(things, ":restaurant") || !named {
		return []string{own}
	}
	prefix, rest, _ := strings.Cut(path, ":restaurant")
	return []string{own, prefix + strconv.FormatInt(h.another, 10) + h.address(rest)}
}

// The owner of another restaurant finds nothing of this one, whether they name its things under its address or under
// their own, and nothing of it changes.
func TestRoutes_KeepRestaurantsApart(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	stranger := h.visitors[3]
	dbtest.Eventually(t, "the diner is offered seats", func() bool {
		_, answer := h.knock(h.visitors[1], http.MethodGet, "/api/waitlist/"+h.entry, "")
		return strings.Contains(string(answer), `"offered"`)
	})
	before := h.rowsOf(h.restaurant.ID)
	for _, table := range []string{"restaurants", "slots", "reservations", "staff_members", "staff_invitations",
		"menu_items", "seats"} {
		if before[table] == "" {
			t.Errorf("the restaurant has no %s to compare", table)
		}
	}
	tried := 0
	for _, route := range h.Site.Routes() {
		method, path, _ := strings.Cut(route, " ")
		if !strings.Contains(path, "/staff/") || !strings.Contains(path, ":") {
			continue
		}
		for _, address := range h.foreignAddresses(path) {
			tried++
			if got, answer := h.knock(stranger, method, address+h.queryOf(route), h.bodyOf(route)); got != notFound {
				t.Errorf("%s at %s: %s\n%.200s", route, address, got, answer)
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d addresses were tried", tried)
	}
	h.bookForeignSeats(stranger)
	for table, rows := range h.rowsOf(h.restaurant.ID) {
		if rows != before[table] {
			t.Errorf("%s has changed:\n%s\nwas:\n%s", table, rows, before[table])
		}
	}
	// The control: what the restaurant's own owner does is seen.
	h.restoreTeam()
	if rows := h.rowsOf(h.restaurant.ID); rows["staff_invitations"] == before["staff_invitations"] ||
		rows["audit_log"] == before["audit_log"] {
		t.Error("an invitation by its own owner changes nothing: nothing is seen")
	}
}

// bookForeignSeats has the stranger name seats of the house's restaurant in a booking of their own.
func (h *house) bookForeignSeats(stranger visitor) {
	h.t.Helper()
	body := fmt.Sprintf(
		`{"date": %q, "time": "18:00", "partySize": 2, "name": "Kim", "phone": "010-1234-5678", "source": "phone", "seatIds": [%d]}`, h.slot.Date, h.restaurant.Seats[0].ID)
	path := fmt.Sprintf("/api/staff/restaurants/%d/reservations", h.another)
	if _, answer := h.knock(stranger, http.MethodPost, path, body); !strings.Contains(string(answer), `"code"`) {
		h.t.Errorf("a booking with another restaurant's seat: %s", answer)
	}
}
