package audits_test

import (
	"context"
	"errors"
	"testing"

	"lunchgo/app/audit"
	"lunchgo/app/booking"
	"lunchgo/db/audits"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
)

// planted is the check that finds what plant does.
const planted = "payments_match_reservations"

// harness is the kit's, with what audits find there.
type harness struct{ *testkit.Harness }

// plant adds a won to what a reservation was paid with, past everything that would touch it.
func (h harness) plant(t *testing.T, reservationID string) {
	t.Helper()
	tx := h.SQL().MustBeginTx(t.Context(), nil)
	tx.MustExec(`SET LOCAL session_replication_role = replica`)
	tx.MustExec(`UPDATE reservations SET paid_amount = paid_amount + 1 WHERE id = $1`, reservationID)
	dbtest.Must(t, tx.Commit())
}

// age makes all that was written so far two days old.
func (h harness) age(t *testing.T) {
	t.Helper()
	tx := h.SQL().MustBeginTx(t.Context(), nil)
	tx.MustExec(`SET LOCAL session_replication_role = replica`)
	for _, table := range []string{"ledger_entries", "mails", "audit_log", "payment_answers"} {
		tx.MustExec(`UPDATE ` + table + ` SET created_at = created_at - interval '2 days'`)
	}
	dbtest.Must(t, tx.Commit())
}

// auditAll audits slices, each in a process of its own, until no more is due, and returns how many there were.
func (h harness) auditAll(t *testing.T) (slices int) {
	t.Helper()
	for {
		_, ran, err := audits.NewStore(testkit.OpenAt(t, pg.Config{URL: h.URL})).AuditSlice(t.Context())
		dbtest.Must(t, err)
		if !ran {
			return slices
		}
		slices++
	}
}

// finds fails the test unless an audit of what was touched leaves a report that names the checks, and no others.
func (h harness) finds(t *testing.T, checks ...string) audit.Report {
	t.Helper()
	report, ran, err := audits.NewStore(h.Pool).AuditIfDue(t.Context(), 0)
	if err != nil || !ran || len(report.Wrong()) != len(checks) {
		t.Fatalf("%+v, %v, %v, want %v", report.Wrong(), ran, err, checks)
	}
	for i, wrong := range report.Wrong() {
		if wrong.Check != checks[i] {
			t.Errorf("%+v, want %v", wrong, checks)
		}
	}
	return report
}

// What was just touched is found at once, what nobody touched at night, and both are shown until they are mended.
func TestAudit_FindsWhatIsOldAtNight(t *testing.T) {
	t.Parallel()
	h := harness{testkit.Setup(t)}
	old, _ := h.Confirmed(t, h.Slot("18:00"))
	h.age(t)
	if n := h.auditAll(t); n < 9 { // slots, days, ledgers and diners, and the end of each stage
		t.Errorf("%d slices", n)
	}
	if report := h.finds(t); report.Whole.IsZero() {
		t.Error("no audit of everything is known")
	}

	h.plant(t, old)
	h.finds(t)
	if n := h.auditAll(t); n != 0 {
		t.Errorf("%d slices, and none is due", n)
	}
	h.MustExec(t, `UPDATE audit_round SET report = jsonb_set(report, '{at}', to_jsonb(now() - interval '31 hours'))`)
	h.auditAll(t)
	h.finds(t, planted)

	h.ageRound(t)
	h.MustExec(t, `UPDATE reservations SET paid_amount = paid_amount - 1 WHERE id = $1`, old)
	h.auditAll(t)
	h.finds(t)

	touched, _ := h.Confirmed(t, h.Slot("19:00"))
	h.plant(t, touched)
	h.finds(t, planted)
	h.finds(t, planted)
}

// ageRound makes the last audit of everything two hours old.
func (h harness) ageRound(t *testing.T) {
	t.Helper()
	h.MustExec(t, `UPDATE audit_round SET report = report ||
		jsonb_build_object('at', now() - interval '2 hours', 'ended', now() - interval '2 hours')`)
}

// What is found in what was touched stays beyond the time that is looked at again, and has everything audited, once an
// hour, which shows whether it is mended.
func TestAudit_KeepsWhatItFound(t *testing.T) {
	t.Parallel()
	h := harness{testkit.Setup(t)}
	h.auditAll(t)
	if h.Count(t, `SELECT count(*) FROM audit_round
		WHERE (report ->> 'ended')::timestamptz > (report ->> 'at')::timestamptz`) != 1 {
		t.Error("its end is not known")
	}
	h.ageRound(t)
	id, _ := h.Confirmed(t, h.Slot("18:00"))
	h.finds(t)
	if n := h.auditAll(t); n != 0 {
		t.Errorf("%d slices, and nothing was found", n)
	}
	h.plant(t, id)
	h.finds(t, planted)
	h.age(t)
	for range 2 {
		h.MustExec(t, `UPDATE last_audit
			SET report = jsonb_set(report, '{since}', to_jsonb(now() - interval '65 minutes'))`)
		h.finds(t, planted)
	}
	h.MustExec(t, `UPDATE reservations SET paid_amount = paid_amount - 1 WHERE id = $1`, id)
	h.finds(t, planted)
	if h.auditAll(t) == 0 || h.auditAll(t) != 0 {
		t.Error("everything is to be audited once")
	}
	h.finds(t)
}

// A slice that runs out of its time is tried again half as large, and one that cannot be smaller gets more of it. So a
// day is audited slot by slot, and what is wrong in the last is found.
func TestAuditSlice_HalvesWhatTakesTooLong(t *testing.T) {
	t.Parallel()
	h := harness{testkit.Setup(t)}
	var last string
	for _, at := range []booking.TimeOfDay{"17:00", "18:00", "19:00"} {
		last, _ = h.Confirmed(t, h.Slot(at))
	}
	h.plant(t, last)
	books := audits.NewStore(h.Pool)
	books.LimitSlices(0) // too short for any
	halved := 0
	for size := audits.LargestSlice(); size > 1; size /= 2 {
		if _, ran, err := books.AuditSlice(t.Context()); ran || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%d of a slice: %v, %v", size, ran, err)
		}
		halved++
	}
	for slice, want := range []int{0, 0, 1} {
		found, ran, err := books.AuditSlice(t.Context())
		if err != nil || !ran || found.Found() != want {
			t.Errorf("slot %d: %+v, %v, %v", slice, found.Wrong(), ran, err)
		}
	}
	if n := h.Count(t, `SELECT (state ->> 'halved')::integer FROM audit_round`); n != halved {
		t.Errorf("halved %d times, want %d", n, halved)
	}
	h.auditAll(t)
	h.finds(t, planted)
}

// One instance audits a slice at a time; what is found in one is known before the last.
func TestAuditSlice_OneInstance(t *testing.T) {
	t.Parallel()
	h := harness{testkit.Setup(t)}
	id, _ := h.Confirmed(t, h.Slot("18:00"))
	h.age(t)
	h.plant(t, id)
	books := audits.NewStore(h.Pool)
	other := h.SQL().MustBeginTx(t.Context(), nil)
	other.MustExec(`SELECT FROM audit_round FOR UPDATE`)
	if _, ran, err := books.AuditSlice(t.Context()); ran || err != nil {
		t.Errorf("beside another: %v, %v", ran, err)
	}
	dbtest.Must(t, other.Rollback())
	found, ran, err := books.AuditSlice(t.Context())
	if err != nil || !ran || found.Found() != 1 {
		t.Errorf("%+v, %v, %v", found.Wrong(), ran, err)
	}
	if report := h.finds(t, planted); !report.Whole.IsZero() {
		t.Error("an audit of everything has ended")
	}
}

// The audit of what was touched reads a few rows for each thing that was, and not those of history, which the audit of
// everything reads.
func TestAudit_ReadsWhatWasTouched(t *testing.T) {
	t.Parallel()
	const history = 3_000
	h := harness{testkit.Setup(t)}
	h.Confirmed(t, h.Slot("18:00"))
	h.age(t)
	tx := h.SQL().MustBeginTx(t.Context(), nil)
	tx.MustExec(`SET LOCAL session_replication_role = replica`)
	tx.MustExec(`
		INSERT INTO reservations OVERRIDING SYSTEM VALUE
		SELECT copy.*
		FROM reservations r
		CROSS JOIN generate_series(1, $1::integer) n
		CROSS JOIN jsonb_populate_record(r, jsonb_build_object('id', r.id || n, 'idempotency_key', n, 'ticket', '',
			'state', 'completed')) copy`, history)
	dbtest.Must(t, tx.Commit())
	h.MustExec(t, `ANALYZE`)
	h.Confirmed(t, h.Slot("19:00"))
	books := audits.NewStore(h.Pool)
	rowsRead := func(recent bool) int {
		n, err := books.RowsRead(t.Context(), recent)
		dbtest.Must(t, err)
		return n
	}

	if n := rowsRead(true); n == 0 || n > history/5 {
		t.Errorf("what was touched: %d rows are read", n)
	}
	if n := rowsRead(false); n < history {
		t.Errorf("everything: %d rows are read", n)
	}
}
