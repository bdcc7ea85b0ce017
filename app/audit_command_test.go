package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"lunchgo/app/audit"
	"lunchgo/app/seed"
	"lunchgo/db/dbtest"
	dbseed "lunchgo/db/seed"
)

// booked is an installation with some diners whose wallets were filled.
func booked(t *testing.T) Config {
	t.Helper()
	c := installation(t)
	b, err := openDatabase(t.Context(), c, newLog(c))
	dbtest.Must(t, err)
	defer func() { _ = b.Close() }()
	dbtest.Must(t, b.DB.Migrate(t.Context()))
	if _, err := seed.Diners(t.Context(), dbseed.NewStore(b.DB), 3); err != nil {
		t.Fatal(err)
	}
	return c
}

// cheat adds a won to the ledger of every wallet behind the wallet's back.
func cheat(t *testing.T, c Config) {
	t.Helper()
	raw, err := sql.Open("postgres", c.DatabaseURL)
	dbtest.Must(t, err)
	defer func() { _ = raw.Close() }()
	_, err = raw.ExecContext(t.Context(), `
		SET session_replication_role = replica;
		INSERT INTO ledger_entries (user_id, version, amount, kind, idempotency_key, balance_after)
		SELECT user_id, version + 1, 1, 'charge', 'cheat', balance + 1 FROM accounts`)
	dbtest.Must(t, err)
}

func TestAuditCommand_ReportsWhatIsWrongAndFails(t *testing.T) {
	t.Parallel()
	c := booked(t)
	var out bytes.Buffer
	if err := auditCommand(t.Context(), c, nil, &out); err != nil || !strings.Contains(out.String(), "0 found wrong") ||
		!strings.Contains(out.String(), "ok     wallets_equal_ledger") {
		t.Fatalf("%v\n%s", err, out.String())
	}
	cheat(t, c)
	out.Reset()
	err := auditCommand(t.Context(), c, nil, &out)
	if err == nil || !strings.Contains(out.String(), "WRONG  wallets_equal_ledger         3 found") ||
		!strings.Contains(out.String(), "wallet of ") {
		t.Errorf("%v\n%s", err, out.String())
	}
	out.Reset()
	err = auditCommand(t.Context(), c, []string{"--json"}, &out)
	var report struct {
		audit.Report
		Found int
	}
	if err == nil || json.Unmarshal(out.Bytes(), &report) != nil || report.Found != 3 || len(report.Wrong()) != 1 ||
		report.At.IsZero() {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func TestAuditProgress_SaysHowFarAndHowFast(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	progress := auditProgress(&out, 1_000_000, time.Now().Add(-time.Hour))
	progress(13, 26)
	if got := out.String(); got != "\r13 of 26 checks, 1000000 reservations, 139 a second" {
		t.Errorf("%q", got)
	}
	if progress(26, 26); !strings.HasSuffix(out.String(), "278 a second\n") {
		t.Errorf("%q", out.String())
	}
}

func TestAuditCommand_TakesNoArguments(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"now"}, {"--xml"}} {
		var out bytes.Buffer
		if err := auditCommand(t.Context(), Config{}, args, &out); err == nil || out.Len() == 0 {
			t.Errorf("%v: %v %q", args, err, out.String())
		}
	}
}

func TestServe_AuditsByItself(t *testing.T) {
	t.Parallel()
	c := booked(t)
	c.AuditEvery, c.OpsAddr = time.Second, "127.0.0.1:0"
	ctx, stop := context.WithCancel(t.Context())
	started, ended := make(chan addresses, 1), make(chan error, 1)
	go func() { ended <- serve(ctx, c, func(at addresses) { started <- at }) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("serve: %v", err)
		}
	}()
	url := (<-started).operators
	const figure = `lunchgo_audit_findings{check="wallets_equal_ledger"} `
	awaitFigure(t, url, figure+"0", "lunchgo_audit_last_run_timestamp_seconds 1.")
	cheat(t, c)
	awaitFigure(t, url, figure+"3", "lunchgo_audit_whole_timestamp_seconds 1.")
}

// awaitFigure waits until /metrics has all lines.
func awaitFigure(t *testing.T, url string, lines ...string) {
	t.Helper()
	dbtest.Eventually(t, "/metrics has "+strings.Join(lines, " and "), func() bool {
		answer, err := http.Get(url + "/metrics")
		dbtest.Must(t, err)
		figures, err := io.ReadAll(answer.Body)
		dbtest.Must(t, errors.Join(err, answer.Body.Close()))
		return !slices.ContainsFunc(lines, func(line string) bool { return !strings.Contains(string(figures), line) })
	})
}
