package seed_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/db/audits"
	"lunchgo/db/dbtest"
	"lunchgo/db/seed"
	"lunchgo/db/testkit"
)

const loadDomain = "load.example"

// loadDiners makes n diners of a load test, with money in their wallets.
func loadDiners(t testing.TB, h *testkit.Harness, n int, balance int64) (ids []string) {
	t.Helper()
	var users []identity.User
	for i := range n {
		id := fmt.Sprintf("load-%05d", i)
		ids = append(ids, id)
		users = append(users, identity.User{ID: id, Email: id + "@" + loadDomain, Name: "Diner", Phone: "010-0000-0000",
			PasswordHash: "!"})
	}
	dbtest.Must(t, h.Seeds.CreateDiners(t.Context(), users, balance))
	return ids
}

// openShadow makes a shadow restaurant the harness's.
func openShadow(t testing.TB, h *testkit.Harness) {
	t.Helper()
	r := testkit.Restaurant()
	r.Slug, r.Shadow = "shadow", true
	h.Open(t, r)
}

// proven fails the test unless the audit finds nothing.
func proven(t testing.TB, h *testkit.Harness) {
	t.Helper()
	if report, err := audits.NewStore(h.Pool).Audit(t.Context()); err != nil || report.Found() != 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

// rowsOf is everything that is stored of some accounts.
func rowsOf(t testing.TB, h *testkit.Harness, where string) (text string) {
	t.Helper()
	err := h.Get(t.Context(), &text, `
		SELECT string_agg(concat(u, a, l, r, m), ';' ORDER BY u.id, l.id, r.id)
		FROM users u
		LEFT JOIN accounts a ON a.user_id = u.id
		LEFT JOIN ledger_entries l ON l.user_id = u.id
		LEFT JOIN reservations r ON r.user_id = u.id
		LEFT JOIN staff_members m ON m.user_id = u.id
		WHERE `+where)
	dbtest.Must(t, err)
	return text
}

// The diners of a load test go, with what they hold at shadows and their money, and nobody else.
func TestDeleteDiners(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	people := h.Diners(t, 2, 50_000)
	ids := loadDiners(t, h, seed.DinersAtOnce+3, 1_000_000)
	reserved := ids[seed.DinersAtOnce+2]
	h.Reserve(t, h.Request(people[0], h.Slot("18:30")))
	openShadow(t, h)
	h.Reserve(t, h.Request(people[1], h.Slot("18:30")))
	h.Reserve(t, h.Request(ids[0], h.Slot("18:30")))
	h.MustPay(t, h.Reserve(t, h.Request(ids[1], h.Slot("19:00"))), ids[1], booking.Deposit, "k")
	err := h.Seeds.PutStaff(t.Context(), ids[2],
		identity.Membership{RestaurantID: h.Restaurant.ID, Role: identity.RoleHost})
	if err == nil {
		err = h.Users.RecordSession(t.Context(), testkit.SessionOf(ids[3], "session", time.Now(), 0), "")
	}
	dbtest.Must(t, err)
	others := `u.id NOT LIKE 'load-%' OR u.id = '` + reserved + `'`
	before := rowsOf(t, h, others)
	asked := append([]string{"nobody", people[0], people[1]}, ids[:seed.DinersAtOnce+2]...)
	for range 2 {
		dbtest.Must(t, h.Seeds.DeleteDiners(t.Context(), asked, loadDomain))
		if after := rowsOf(t, h, others); after != before {
			t.Errorf("of others there was\n%s\nand is\n%s", before, after)
		}
		proven(t, h)
	}
	for what, query := range map[string]string{
		"accounts":     `SELECT count(*) FROM users WHERE id = ANY ($1) AND (deleted_at IS NULL OR name <> '' OR email LIKE '%load%')`,
		"wallets":      `SELECT count(*) FROM accounts WHERE user_id = ANY ($1) AND balance <> 0`,
		"seats held":   `SELECT count(*) FROM reservations WHERE user_id = ANY ($1) AND state NOT IN ('cancelled', 'completed')`,
		"jobs":         `SELECT count(*) FROM staff_members WHERE user_id = ANY ($1)`,
		"sessions":     `SELECT count(*) FROM user_sessions WHERE user_id = ANY ($1)`,
		"double moves": `SELECT count(*) FROM accounts WHERE user_id = ANY ($1) AND version > 3`,
	} {
		if n := h.Count(t, query, ids[:seed.DinersAtOnce+2]); n != 0 {
			t.Errorf("%s: %d are left", what, n)
		}
	}
}

// Who has reserved at a restaurant that is no shadow keeps account and money, and is reported; the others go.
func TestDeleteDiners_WithReservationsElsewhere(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	ids := loadDiners(t, h, 3, 40_000)
	id := h.Reserve(t, h.Request(ids[1], h.Slot("18:30")))
	before := rowsOf(t, h, `u.id = '`+ids[1]+`'`)
	if err := h.Seeds.DeleteDiners(t.Context(), ids, loadDomain); !errors.Is(err, identity.ErrReservationsLeft) {
		t.Errorf("ended with %v", err)
	}
	if after := rowsOf(t, h, `u.id = '`+ids[1]+`'`); after != before {
		t.Errorf("there was\n%s\nand is\n%s", before, after)
	}
	if n := h.Count(t, `SELECT count(*) FROM users WHERE deleted_at IS NOT NULL`); n != 2 {
		t.Errorf("%d are deleted, want 2", n)
	}
	h.MustPay(t, id, ids[1], booking.Deposit, "k")
	proven(t, h)
}

// A press that is decided after its diner is deleted comes to nothing.
func TestDeleteDiners_RefusesWhatWasUnderWay(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	openShadow(t, h)
	ids := loadDiners(t, h, 1, 40_000)
	late := h.Request(ids[0], h.Slot("18:30"))
	dbtest.Must(t, h.Seeds.DeleteDiners(t.Context(), ids, loadDomain))
	outcomes, _, err := h.Slots.Serve(t.Context(), h.TurnOf(late, 1_000, 0), []booking.Request{late})
	if err != nil || !errors.Is(outcomes[0].Err, identity.ErrInvalidSession) {
		t.Errorf("%+v, %v", outcomes, err)
	}
	proven(t, h)
}
