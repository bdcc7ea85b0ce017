package webtest

import (
	"database/sql"
	"net/http"
	"strings"
	"testing"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/views/i18n"
)

// lockAll locks all tables, as somebody does who changes them by hand, until the returned function is called.
func (h *hung) lockAll(t *testing.T) (unlock func()) {
	t.Helper()
	pool, err := sql.Open("postgres", h.Setup.Database)
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = pool.Close() })
	var tx *sql.Tx
	dbtest.Eventually(t, "all is locked", func() bool { // a job that needs several tables may be in a deadlock with us
		if tx, err = pool.BeginTx(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		_, err = tx.ExecContext(t.Context(), `
			DO $$
			DECLARE
				name text;
			BEGIN
				FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
					EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', name);
				END LOOP;
			END $$`)
		if err != nil {
			_ = tx.Rollback()
		}
		return err == nil
	})
	return func() { _ = tx.Rollback() }
}

// While somebody holds locks on everything, each route is answered in its time: with what needs no database, or with
// 503 and when to come back. Afterwards all goes on.
func TestDatabaseLocked_EveryRouteIsAnswered(t *testing.T) {
	t.Parallel()
	h := newHung(t, hungWork)
	h.relay.Thaw()
	dbtest.Eventually(t, "it is ready", func() bool { return h.get(t, person{}, "/readyz").json["status"] == "ok" })
	unlock := h.lockAll(t)
	statuses := h.askAll(t, func(route string, a answer, took time.Duration) {
		if took > hungWork+hungSlack {
			t.Errorf("%s is answered after %v", route, took)
		}
		if a.status == 500 || a.status == 503 && a.header.Get("Retry-After") == "" {
			t.Errorf("%s is answered %d %v", route, a.status, a.header)
		}
	})
	if statuses[503] < 50 {
		t.Errorf("answered %v: nothing is locked", statuses)
	}
	for _, lang := range []string{"ko", "en"} {
		a := h.do(t, call{method: http.MethodGet, path: "/reservations",
			headers: map[string]string{"Accept-Language": lang,
				"Cookie": "session=" + h.who.token}})
		if a.status != 503 || !strings.Contains(string(a.raw), i18n.T(lang, "error.503")) {
			t.Errorf("%s: %d %.2000s", lang, a.status, a.raw)
		}
	}
	unlock()
	if a := h.get(t, h.who, "/api/reservations"); a.status != 200 {
		t.Errorf("afterwards: %d", a.status)
	}
	dbtest.Eventually(t, "no connection is held", func() bool { return h.DB.Stats().InUse == 0 })
}
