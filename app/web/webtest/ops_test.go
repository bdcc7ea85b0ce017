package webtest

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/build"
	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/app/web/ops"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

func TestOps_HealthAndReadiness(t *testing.T) {
	t.Parallel()
	cache := dbtest.PrivateRedis(t)
	r := newHarnessWith(t, programtest.Setup{Redis: cache.URL, Config: program.Config{Room: quickLines}})
	if a := r.get(t, person{}, "/healthz"); a.status != 200 || a.json["status"] != "ok" {
		t.Errorf("alive: %d %s", a.status, a.raw)
	}
	checks := func(a answer) map[string]any { return a.json["checks"].(map[string]any) }
	if a := r.get(t, person{}, "/readyz"); a.status != 200 || checks(a)["postgres"] != "ok" ||
		checks(a)["redis"] != "ok" || a.json["revision"] != build.Read().Commit() || a.json["version"] == nil {
		t.Errorf("ready: %d %s", a.status, a.raw)
	}
	who := r.diner(t, 0)
	cache.Kill()
	a := r.get(t, person{}, "/readyz")
	if a.status != 200 || a.json["status"] != "degraded" || checks(a)["postgres"] != "ok" ||
		checks(a)["redis"] != "unavailable" {
		t.Errorf("without Redis: %d %s", a.status, a.raw)
	}
	if strings.Contains(string(a.raw), "127.0.0.1") {
		t.Errorf("it tells of the inside: %s", a.raw)
	}
	if a := r.get(t, person{}, "/healthz"); a.status != 200 {
		t.Errorf("alive: %d", a.status)
	}
	// Who presses stands in this process' own line; the rest goes on.
	r.press(t, who, "key-1", "wait=0", r.requestFor(r.slot("19:00"), 2)).want(t, 429, "waiting")
	r.get(t, who, "/api/wallet").want(t, 200, "")
	r.get(t, who, "/api/reservations").want(t, 200, "")
	r.page(t, r.staff(t, r.restaurant.ID), views.StaffBoardURL(r.restaurant.ID, time.Now())).is(t, 200)
	dbtest.Must(t, cache.Revive(t.Context()))
	dbtest.Eventually(t, "all is well again", func() bool { return r.get(t, person{}, "/readyz").json["status"] == "ok" })
	r.press(t, who, "key-1", "wait=20", r.requestFor(r.slot("19:00"), 2)).want(t, 201, "")
}

func TestOps_Metrics(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	r.press(t, r.diner(t, 0), "key-1", "wait=10", r.requestFor(r.slot("19:00"), 2)).want(t, 201, "")
	r.get(t, person{}, "/api/restaurants/999999").want(t, 404, "not_found")
	r.get(t, person{}, "/made/up").has(t, "<html")
	figures := r.metrics(t)
	for _, line := range []string{
		ops.MetricRequests + `_count{method="POST",route="/api/reservations",status="2xx"} 1`,
		ops.MetricRequests + `_count{method="GET",route="/api/restaurants/:id",status="4xx"} 1`,
		ops.MetricRequests + `_count{method="GET",route="unknown",status="4xx"} 1`,
		ops.MetricBuild + `{goversion="` + runtime.Version() + `",revision="` + build.Read().Commit() + `",version="`,
		ops.MetricConnectionsMax + " 12",
		ops.MetricTickets + " 0",
		ops.MetricStill + " 0",
		ops.MetricStreams + " 0",
		ops.MetricWait + "_count 1",
		ops.MetricHold + "_count 1",
		ops.MetricRun + `_bucket{le="1"} 1`,
		ops.MetricLineEvents + `{event="dead_reaped"} 0`,
		ops.MetricLineEvents + `{event="went_away"} 0`,
		ops.MetricLinesAway + " 0",
		ops.MetricEstimatePeople + " 0", ops.MetricEstimateInside + " 0", ops.MetricEstimateWidth + " NaN",
		"go_goroutines ", "process_resident_memory_bytes ",
	} {
		if !strings.Contains(figures, line) {
			t.Errorf("no %q", line)
		}
	}
	if strings.Contains(figures, "made") {
		t.Error("a made-up address is a label")
	}
}

func TestOps_FiguresAndProfilesAreNotPublic(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	for _, path := range []string{"/metrics", "/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/cmdline"} {
		if a := r.get(t, person{}, path); a.status != 404 {
			t.Errorf("%s is answered %d at the public address", path, a.status)
		}
		answer := httptest.NewRecorder()
		r.Site.Operators().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
		if answer.Code != 200 || answer.Body.Len() == 0 {
			t.Errorf("%s is answered %d at the operators' address", path, answer.Code)
		}
	}
}

// metrics is what /metrics shows to operators.
func (r *harness) metrics(t *testing.T) string {
	t.Helper()
	answer := httptest.NewRecorder()
	r.Site.Operators().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if answer.Code != http.StatusOK {
		t.Fatalf("/metrics: %d", answer.Code)
	}
	return answer.Body.String()
}

func TestOps_MostConnectionsAreRemembered(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 0)
	dbtest.Eventually(t, "connections were seen at work", func() bool {
		var crowd sync.WaitGroup
		for range 20 {
			crowd.Go(func() { r.get(t, who, "/api/wallet") })
		}
		crowd.Wait()
		return r.gauge(t, ops.MetricConnectionsInUseMax) >= 1
	})
	if most, size := r.gauge(t, ops.MetricConnectionsInUseMax), r.gauge(t, ops.MetricConnectionsMax); most > size {
		t.Errorf("%v connections at work of %v", most, size)
	}
}
