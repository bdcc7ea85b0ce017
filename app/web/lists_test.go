package web_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/app/keyset"
)

// many is how many rows of each kind the tests of lists have: more than two pages.
const many = 120

// maxAnswer is how many bytes an answer may have, whatever the tables hold.
const maxAnswer = 200_000

// clones fill the tables past all rules: so many reservations, letters, movements, changes, entries and coupons of one
// diner, restaurants, and guests and waiting parties of one slot. Each copies a row that is there.
var clones = []string{
	`INSERT INTO slots OVERRIDING SYSTEM VALUE
	SELECT (jsonb_populate_record(x, jsonb_build_object('id', 10000 + n, 'service_date', x.service_date + n))).*
	FROM slots x, generate_series(-60, 59) n
	WHERE x.id = (SELECT slot_id FROM reservations WHERE id = $1) AND n <> 0`,
	`INSERT INTO reservations OVERRIDING SYSTEM VALUE
	SELECT (jsonb_populate_record(x, jsonb_build_object('id', 'own' || n, 'ordinal', 10000 + n, 'slot_id', 10000 + n,
		'state', CASE WHEN n < 0 THEN 'completed' ELSE 'confirmed' END, 'idempotency_key', 'own' || n, 'ticket', ''))).*
	FROM reservations x, generate_series(-60, 59) n
	WHERE x.id = $1 AND n <> 0`,
	`INSERT INTO users
	SELECT (jsonb_populate_record(x, jsonb_build_object('id', 'guest' || n, 'email', 'guest' || n || '@example.com'))).*
	FROM users x, generate_series(1, 120) n
	WHERE x.id = (SELECT user_id FROM reservations WHERE id = $1)`,
	`INSERT INTO reservations OVERRIDING SYSTEM VALUE
	SELECT (jsonb_populate_record(x, jsonb_build_object('id', 'guest' || n, 'ordinal', 20000 + n, 'user_id', 'guest' || n,
		'party_size', 1, 'state', CASE WHEN n % 3 = 0 THEN 'cancelled' ELSE 'confirmed' END, 'idempotency_key', 'guest' || n,
		'ticket', '', 'note', repeat('창가', 30)))).*
	FROM reservations x, generate_series(1, 120) n
	WHERE x.id = $1`,
	`INSERT INTO waitlist_entries OVERRIDING SYSTEM VALUE
	SELECT (jsonb_populate_record(x, jsonb_build_object('id', 'guest' || n, 'ordinal', 20000 + n, 'user_id', 'guest' || n,
		'slot_id', r.slot_id, 'state', 'waiting', 'party_size', 8, 'times', array['18:00'], 'idempotency_key', 'guest' || n,
		'reservation_id', null, 'offered_at', null))).*
	FROM reservations r, waitlist_entries x, generate_series(1, 120) n
	WHERE r.id = $1 AND x.user_id = r.user_id`,
	`INSERT INTO waitlist_entries OVERRIDING SYSTEM VALUE
	SELECT (jsonb_populate_record(x, jsonb_build_object('id', 'own' || n, 'ordinal', 10000 + n, 'slot_id', 10000 + n,
		'state', 'left', 'idempotency_key', 'own' || n, 'reservation_id', null, 'offered_at', null))).*
	FROM waitlist_entries x, generate_series(-60, 59) n
	WHERE x.user_id = (SELECT user_id FROM reservations WHERE id = $1) AND x.state <> 'left' AND n <> 0`,
	`INSERT INTO mails (kind, user_id, reservation_id)
	SELECT 'confirmed', user_id, id
	FROM reservations, generate_series(1, 120)
	WHERE id = $1`,
	`INSERT INTO ledger_entries (user_id, amount, kind, reservation_id, idempotency_key, balance_after, version)
	SELECT user_id, 1000, 'charge', NULL, 'own' || n, 1000, 100 + n
	FROM reservations, generate_series(1, 120) n
	WHERE id = $1`,
	`INSERT INTO reservation_changes
	SELECT 'own' || n, id, n, user_id, 'temporary', slot_id, slot_id, 1, 1, 1 + n % 2, 2 - n % 2, '[]', '[]', 0, 0, 0, 0, NULL, NULL,
		0, 0, 0, 0, 0, 0, 0, 'own' || n, '', 0, 0
	FROM reservations, generate_series(1, 120) n
	WHERE id = $1`,
	`UPDATE reservations SET changes = 120 WHERE id = $1`,
	`INSERT INTO restaurants OVERRIDING SYSTEM VALUE
	SELECT (jsonb_populate_record(x, jsonb_build_object('id', 10000 + n, 'slug', 'house-' || n))).*
	FROM restaurants x, generate_series(1, 120) n
	WHERE x.id = (SELECT restaurant_id FROM reservations WHERE id = $1)`,
	`INSERT INTO opening_hours
	SELECT (jsonb_populate_record(x, jsonb_build_object('restaurant_id', 10000 + n))).*
	FROM opening_hours x, generate_series(1, 120) n
	WHERE x.restaurant_id = (SELECT restaurant_id FROM reservations WHERE id = $1)`,
	`INSERT INTO coupons OVERRIDING SYSTEM VALUE
	SELECT (jsonb_populate_record(x, jsonb_build_object('id', 10000 + n, 'slug', 'campaign-' || n))).*
	FROM coupons x, generate_series(1, 120) n
	WHERE x.slug = 'access'`,
	`INSERT INTO coupon_claims (id, coupon_id, user_id, idempotency_key, fence)
	SELECT 'own' || n, 10000 + n, (SELECT user_id FROM reservations WHERE id = $1), 'own' || n, 0
	FROM generate_series(1, 120) n`,
}

// fill fills the tables.
func (h *house) fill() {
	h.t.Helper()
	db, err := sql.Open("postgres", h.Setup.Database)
	h.must(err)
	defer db.Close()
	conn, err := db.Conn(h.t.Context())
	h.must(err)
	defer conn.Close()
	_, err = conn.ExecContext(h.t.Context(), `SET session_replication_role = replica`)
	h.must(err)
	for _, query := range clones {
		var args []any
		if strings.Contains(query, "$1") {
			args = append(args, h.reservation)
		}
		result, err := conn.ExecContext(h.t.Context(), query, args...)
		if err != nil {
			h.t.Fatalf("%s: %v", query, err)
		}
		if n, _ := result.RowsAffected(); n == 0 {
			h.t.Fatalf("%s: no rows", query)
		}
	}
	for n := range many {
		for _, v := range h.visitors {
			if v.role != "" {
				_, err = conn.ExecContext(h.t.Context(),
					`INSERT INTO staff_members (user_id, restaurant_id, role) VALUES ($1, $2, $3)`, v.id, 10001+n,
					string(v.role))
				h.must(err)
			}
		}
	}
}

var (
	list = regexp.MustCompile(`(?s)<[uo]l[ >].*?</[uo]l>`)
	item = regexp.MustCompile(`<li[ >]`)
	card = regexp.MustCompile(`<article[ >]`)
)

// longest is the length of the longest list in an answer.
func longest(answer []byte) int {
	most := len(card.FindAll(answer, -1))
	for _, found := range list.FindAll(answer, -1) {
		most = max(most, len(item.FindAll(found, -1)))
	}
	var document any
	if json.Unmarshal(answer, &document) == nil {
		most = max(most, longestArray(document))
	}
	return most
}

func longestArray(v any) (most int) {
	switch v := v.(type) {
	case []any:
		most = len(v)
		for _, of := range v {
			most = max(most, longestArray(of))
		}
	case map[string]any:
		for _, of := range v {
			most = max(most, longestArray(of))
		}
	}
	return most
}

// Whatever the tables hold, no answer to a GET has a list of more than a page, or is larger than a bound.
func TestRoutes_ListsArePages(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.fill()
	asked, full := 0, 0
	for _, route := range h.Site.Routes() {
		method, path, _ := strings.Cut(route, " ")
		if method != http.MethodGet || strings.HasSuffix(path, "/events") ||
			strings.HasSuffix(path, "/account/export") || path == "/api/openapi.json" || path == "/api/docs" {
			// a stream has no end, an export is all of a person, read by batches, and the description has no rows
			continue
		}
		for _, v := range h.visitors {
			address := h.address(path) + h.queryOf(route)
			verdict, answer := h.knock(v, method, address, "")
			if verdict != mayPass {
				continue
			}
			asked++
			n := longest(answer)
			if n > keyset.Size || len(answer) > maxAnswer && !strings.HasPrefix(path, "/static/") {
				t.Errorf("%s for %s: a list of %d, %d bytes", address, v.name, n, len(answer))
			}
			if n == keyset.Size {
				full++
			}
		}
	}
	if asked < 100 || full < 15 {
		t.Errorf("%d answers were looked at, %d of which have a full page: the tables are not full", asked, full)
	}
}

// pages walks all pages of a list from an address on, lets something happen between two of them, and returns what each
// names.
func (h *house) pages(v visitor, address string, between func(),
	read func(answer []byte) (names []string, next string)) (sizes []int, names []string) {
	h.t.Helper()
	for range many / 5 { // no page has fewer than five
		_, answer := h.knock(v, http.MethodGet, address, "")
		shown, next := read(answer)
		sizes, names = append(sizes, len(shown)), append(names, shown...)
		if next == "" {
			return sizes, names
		}
		address = next
		between()
	}
	h.t.Fatalf("%s has no last page", address)
	return nil, nil
}

// jsonPage reads a page of the API whose items differ in a member.
func jsonPage(path, name, member string) func([]byte) ([]string, string) {
	return func(answer []byte) (names []string, next string) {
		var document map[string]any
		_ = json.Unmarshal(answer, &document)
		items, _ := document[name].([]any)
		for _, of := range items {
			names = append(names, fmt.Sprint(of.(map[string]any)[member]))
		}
		if cursor, _ := document["next"].(string); cursor != "" {
			next = path + "?after=" + cursor
		}
		return names, next
	}
}

var nextPage = regexp.MustCompile(`rel="next" href="([^"]+)"`)

// htmlPage reads a page of the site by a pattern of what it lists.
func htmlPage(pattern string) func([]byte) ([]string, string) {
	named := regexp.MustCompile(pattern)
	return func(answer []byte) (names []string, next string) {
		for _, found := range named.FindAllSubmatch(answer, -1) {
			if !slices.Contains(names, string(found[1])) {
				names = append(names, string(found[1]))
			}
		}
		for _, found := range nextPage.FindAllSubmatch(answer, -1) {
			if !strings.Contains(string(found[1]), "wait_after=") { // of the page's other list
				next = strings.ReplaceAll(string(found[1]), "&amp;", "&")
			}
		}
		return names, next
	}
}

// Pages show every row once, also while rows are added.
func TestPages_HaveNoGapAndNoRepeat(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.fill()
	db, err := sql.Open("postgres", h.Setup.Database)
	h.must(err)
	defer db.Close()
	added := 0
	add := func() { // a letter, a movement and a reservation that come meanwhile
		added++
		for _, query := range []string{
			`INSERT INTO mails (kind, user_id, reservation_id) SELECT 'confirmed', user_id, id FROM reservations WHERE id = $1`,
			fmt.Sprintf(`INSERT INTO reservations OVERRIDING SYSTEM VALUE
				SELECT (jsonb_populate_record(x, jsonb_build_object('id', 'late%d', 'ordinal', %d, 'state', 'cancelled',
					'idempotency_key', 'late%d', 'ticket', ''))).*
				FROM reservations x WHERE x.id = $1`, added, 30000+added, added),
		} {
			_, err := db.ExecContext(t.Context(), query, h.reservation)
			h.must(err)
		}
	}
	diner, host := h.visitors[1],
		h.visitors[slices.IndexFunc(h.visitors, func(v visitor) bool { return v.role == identity.RoleHost })]
	slot := fmt.Sprintf("/staff/restaurants/%d/slots/%s/18:00", h.restaurant.ID, h.slot.Date)
	for address, c := range map[string]struct {
		as    visitor
		read  func([]byte) ([]string, string)
		least int
	}{
		"/api/reservations": {diner, jsonPage("/api/reservations", "reservations", "id"), many - 1},
		"/api/waitlist":     {diner, jsonPage("/api/waitlist", "entries", "id"), many - 1},
		"/api/wallet":       {diner, jsonPage("/api/wallet", "entries", "version"), many},
		"/api/coupons":      {diner, jsonPage("/api/coupons", "coupons", "id"), many},
		"/api/restaurants":  {diner, jsonPage("/api/restaurants", "restaurants", "id"), many},
		"/api/reservations/" + h.reservation + "/changes": {diner,
			jsonPage("/api/reservations/"+h.reservation+"/changes", "changes", "number"), many},
		"/":      {diner, htmlPage(`href="/restaurants/(house-\d+)[?"]`), many},
		"/staff": {host, htmlPage(`href="/staff/restaurants/(\d+)"`), many},
		slot:     {host, htmlPage(`id="guest-(\w+)"`), many},
	} {
		sizes, names := h.pages(c.as, address, add, c.read)
		sorted := slices.Sorted(slices.Values(names))
		if len(sizes) < 2 || len(slices.Compact(sorted)) != len(names) || len(names) < c.least ||
			slices.ContainsFunc(sizes, func(n int) bool { return n > keyset.Size }) {
			t.Errorf("%s: pages of %v, %d different of %d, want at least %d", address, sizes,
				len(slices.Compact(sorted)), len(names), c.least)
		}
	}
}

// The letters of the mailbox have no names; so many as there are are shown.
func TestMailbox_ShowsAllLetters(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.fill()
	shown := 0
	sizes, _ := h.pages(h.visitors[1], "/mailbox", func() {}, func(answer []byte) ([]string, string) {
		shown += len(card.FindAll(answer, -1))
		_, next := htmlPage("$()")(answer)
		return nil, next
	})
	if shown < many || len(sizes) != (shown+keyset.Size-1)/keyset.Size {
		t.Errorf("%d letters on %d pages", shown, len(sizes))
	}
}

// A cursor or a limit that makes no sense is refused.
func TestPages_NonsenseIsRefused(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	who := h.diner(0)
	token, _ := h.Identity.Sessions.Issue(who.ID)
	b := h.browser()
	good := keyset.Cursor{Number: 1}.String()
	for _, path := range []string{"/api/reservations", "/api/waitlist", "/api/wallet", "/api/coupons",
		"/api/restaurants"} {
		for query, want := range map[string]int{
			"after=x": 422, "after=" + good[1:]: 422, "after=%27%3B--": 422, "limit=0": 422, "limit=51": 422, "limit=-1": 422, "limit=many": 422,
			"limit=1e1": 422, "after=" + good: 200, "limit=50": 200, "limit=1": 200,
		} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+path+"?"+query, nil)
			h.must(err)
			request.Header.Set("Authorization", "Bearer "+token)
			response, err := b.client.Do(request)
			h.must(err)
			_ = response.Body.Close()
			if response.StatusCode != want {
				t.Errorf("%s?%s: %d, want %d", path, query, response.StatusCode, want)
			}
		}
	}
}
