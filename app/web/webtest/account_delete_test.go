package webtest

import (
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// occurrences are the columns of all tables, whatever they are called, in which some text stands.
func (r *harness) occurrences(t *testing.T, text string) []string {
	t.Helper()
	database, err := sql.Open("postgres", r.Setup.Database)
	dbtest.Must(t, err)
	defer database.Close()
	rows, err := database.QueryContext(t.Context(), `
		SELECT c.table_name, c.column_name
		FROM information_schema.columns c
		JOIN information_schema.tables t USING (table_schema, table_name)
		WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
			AND c.data_type NOT IN ('bigint', 'integer', 'smallint', 'boolean', 'date', 'timestamp with time zone', 'time without time zone')`)
	dbtest.Must(t, err)
	defer rows.Close()
	var found []string
	columns := 0
	for rows.Next() {
		var table, column string
		dbtest.Must(t, rows.Scan(&table, &column))
		columns++
		var n int
		query := fmt.Sprintf(`SELECT count(*) FROM %q WHERE %q::text ILIKE '%%' || $1 || '%%'`, table, column)
		dbtest.Must(t, database.QueryRowContext(t.Context(), query, text).Scan(&n))
		if n > 0 {
			found = append(found, table+"."+column)
		}
	}
	if err := rows.Err(); err != nil || columns < 50 {
		t.Fatalf("%d columns, %v", columns, err)
	}
	return found
}

// lived is a member with a past: a reservation with words, which is over, what staff note of them, a place on a
// waitlist, letters, sessions, a job.
func (r *harness) lived(t *testing.T, words string) member {
	t.Helper()
	m := r.member(t, 100_000)
	body := r.requestFor(r.slot("19:00"), 2)
	body["note"], body["allergies"] = words, words+" 알레르기"
	id := r.press(t, m.person, rand.Text(), "wait=10", body).want(t, 201, "").text(t, "id")
	r.post(t, m.person, "/api/reservations/"+id+"/payment", rand.Text(), map[string]any{"kind": "deposit"}).
		want(t, 200, "")
	r.mustExec(t, `UPDATE reservations SET state = 'completed', ended_at = now() WHERE id = $1`, id)
	r.noted(t, m.person, words)
	full := r.slot("12:00")
	r.seat(t, r.diner(t, 0), full, 5)
	r.seat(t, r.diner(t, 0), full, 5)
	dbtest.Eventually(t, "the slot is full", func() bool {
		return r.post(t, m.person, "/api/waitlist", rand.Text(), r.requestFor(full, 2)).status == 201
	})
	r.mustExec(t,
		`INSERT INTO email_links (id, kind, user_id, email, expires_at) VALUES ($1, 'signin', $1, $2, now() + interval '1 hour')`, m.id, m.email)
	r.session(t, m)
	r.addStaff(t, m.person, r.restaurant.ID, identity.RoleHost)
	r.mustExec(t, `UPDATE mails SET error = 'no such mailbox: ' || $2 WHERE user_id = $1`, m.id, m.email)
	return m
}

// noted has staff write words about a diner who agrees to that, as a note and as a tag.
func (r *harness) noted(t *testing.T, who person, words string) {
	t.Helper()
	r.call(t, who, "PATCH", "/api/account", map[string]any{"historyConsent": true, "allergies": words}).want(t, 200, "")
	host, path := r.staff(t, r.restaurant.ID), "/api"+views.GuestsURL(r.restaurant.ID, "")
	about := path + "/" + r.get(t, host, path).want(t, 200, "").list(t, "guests")[0]["id"].(string)
	r.post(t, host, about+"/notes", "", map[string]any{"text": words}).want(t, 201, "")
	r.call(t, host, "PUT", about+"/tags", map[string]any{"tags": []string{words[len(words)-8:]}}).want(t, 200, "")
}

func (r *harness) mustExec(t *testing.T, query string, args ...any) {
	t.Helper()
	database, err := sql.Open("postgres", r.Setup.Database)
	dbtest.Must(t, err)
	defer database.Close()
	if _, err := database.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// A deleted account leaves nothing by which its person could be found: name, address, phone and words are in no column
// of any table. Before, they are. The books balance before and after, the address is free, and staff see a guest
// without a name.
func TestDeleteAccount_LeavesNothingOfThePerson(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, revokedSoon())
	twin := r.twin(t)
	words := "창가 자리 " + rand.Text()
	m := r.lived(t, words)
	other := r.session(t, m)
	r.balances(t)
	personal := []string{m.email, m.name, m.phone, words, words[len(words)-8:]}
	if noted := r.occurrences(t, words); !slices.Contains(noted, "guest_notes.text") {
		t.Errorf("the words are in %v: no note has them", noted)
	}
	for _, text := range personal {
		if len(r.occurrences(t, text)) == 0 {
			t.Errorf("%q is nowhere before: the test shows nothing", text)
		}
	}
	remove := func(password string) answer {
		return r.call(t, m.person, "DELETE", "/api/account", map[string]any{"password": password})
	}
	remove(knownPassword).want(t, 409, "balance_left")
	r.post(t, m.person, "/api/wallet/withdrawals", rand.Text(),
		map[string]any{"amount": r.get(t, m.person, "/api/wallet").number(t, "balance")})
	remove("a wrong password").want(t, 422, "invalid")
	remove(knownPassword).want(t, 204, "")

	for _, text := range personal {
		if found := r.occurrences(t, text); len(found) > 0 {
			t.Errorf("%q is still in %v", text, found)
		}
	}
	r.balances(t)
	for _, ended := range []person{m.person, other} {
		r.get(t, ended, "/api/account").want(t, 401, "unauthenticated")
		dbtest.Eventually(t, "the other server knows",
			func() bool { return twin.get(t, ended, "/api/account").status == 401 })
	}
	r.signIn(t, m, knownPassword, "").want(t, 401, "wrong_password")
	if _, err := r.Stores.Users.FindUserByEmail(t.Context(), m.email); err == nil {
		t.Error("the address still has an account")
	}
	again := []identity.User{{ID: rand.Text(), Email: m.email, Name: m.name, Phone: m.phone, PasswordHash: "!"}}
	if err := r.Stores.Seeds.CreateDiners(t.Context(), again, 0); err != nil {
		t.Errorf("the address is not free: %v", err)
	}
	host := r.staff(t, r.restaurant.ID)
	r.page(t, host, views.StaffSlotURL(r.restaurant.ID, r.start(t, r.slot("19:00")))).is(t, 200).has(t, "탈퇴한 회원")
	// What becomes of a reservation afterwards is written to nobody.
	r.mustExec(t, `UPDATE reservations SET state = 'refund_pending', refund_amount = paid_amount WHERE user_id = $1`,
		m.id)
	if letters, err := r.Stores.Mails.ListMails(t.Context(), m.id, keyset.Request{}); err != nil || len(letters.Items) != 0 {
		t.Errorf("letters to nobody: %v, %v", letters, err)
	}
}

// The page says what has to be done first, and where; afterwards it asks for the password and does it.
func TestDeleteAccount_ByPage(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	m := r.member(t, 50_000)
	id := r.seat(t, m.person, r.slot("19:00"), 2)
	r.addStaff(t, m.person, r.restaurant.ID, identity.RoleOwner)
	page := r.page(t, m.person, views.AccountDeleteURL()).is(t, 200)
	page.has(t, views.ReservationURL(id), views.WalletURL(), "50,000", r.restaurant.Name.Ko)
	page.hasNot(t, `name="password"`)
	r.send(t, m.person, views.AccountDeleteURL(), url.Values{"password": {knownPassword}}).is(t, 409).has(t,
		views.ReservationURL(id))
	r.delete(t, m.person, "/api/reservations/"+id).want(t, 200, "")
	r.call(t, m.person, "DELETE", "/api/account", map[string]any{"password": knownPassword}).want(t, 409,
		"balance_left")
	r.post(t, m.person, "/api/wallet/withdrawals", rand.Text(), map[string]any{"amount": 50_000}).want(t, 201, "")
	r.call(t, m.person, "DELETE", "/api/account", map[string]any{"password": knownPassword}).want(t, 409, "only_owner")
	r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	r.page(t, m.person, views.AccountDeleteURL()).is(t, 200).has(t, `name="password"`)
	r.send(t, m.person, views.AccountDeleteURL(), url.Values{"password": {"wrong"}}).is(t, 422).has(t,
		"field-password-error")
	r.send(t, m.person, views.AccountDeleteURL(), url.Values{"password": {knownPassword}}).is(t, 303).has(t, "탈퇴했습니다")
	if a := r.page(t, m.person, views.AccountURL()); a.status != 303 {
		t.Errorf("afterwards the account is %d", a.status)
	}
}

// An account that anybody may try keeps its password, and stays.
func TestDemoAccount_CannotBeTaken(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	m := r.member(t, 0)
	r.mustExec(t, `UPDATE users SET demo = true WHERE id = $1`, m.id)
	r.call(t, m.person, "DELETE", "/api/account", map[string]any{"password": knownPassword}).want(t, 403,
		"demo_account")
	r.call(t, m.person, "PUT", "/api/account/password",
		map[string]any{"current": knownPassword, "new": "eight grey herons"}).want(t, 403, "demo_account")
	r.page(t, m.person, views.AccountURL()).is(t, 200).hasNot(t, views.AccountDeleteURL(), views.AccountPasswordURL())
}

// The copy is a file that no cache keeps.
func TestExport_IsAFile(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	words := "창가 자리 " + rand.Text()
	m := r.lived(t, words)
	file := r.get(t, m.person, "/api/account/export").want(t, 200, "")
	if file.header.Get("Content-Disposition") != `attachment; filename="lunchgo.json"` ||
		!strings.HasPrefix(file.header.Get("Cache-Control"), "no-store") {
		t.Errorf("headers: %v", file.header)
	}
	var doc map[string][]map[string]any
	dbtest.Must(t, json.Unmarshal(file.raw, &doc))
	for _, kind := range []string{"account", "sessions", "memberships", "reservations", "wallet", "ledger", "waitlist",
		"letters"} {
		if len(doc[kind]) == 0 {
			t.Errorf("no %s in %s", kind, file.raw)
		}
	}
	if doc["reservations"][0]["note"] != words || doc["account"][0]["email"] != m.email {
		t.Errorf("%v, %v", doc["reservations"], doc["account"])
	}
	page := r.page(t, m.person, views.AccountExportURL()).is(t, 200)
	page.has(t, words)
	if a := r.page(t, person{}, views.AccountExportURL()); a.status != 303 {
		t.Errorf("signed out: %d", a.status)
	}
}
