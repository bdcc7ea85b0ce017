package telemetry

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

const caller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

// work is what a request, its wait and its statements ask of the package.
func work(ctx context.Context, tracer *Tracer) {
	ctx, request := tracer.StartRequest(ctx, "POST", Incoming{Traceparent: caller, Trusted: true})
	trace := Traceparent(ctx)
	_, turn := tracer.StartPart(ctx, Part{Name: "line.turn", Traceparent: trace})
	_, commit := Start(ctx, "COMMIT")
	commit.End(nil)
	turn.End(nil)
	request.Rename("POST /x")
	request.End(nil)
}

// Where nothing is recorded, traces cost no allocation.
func TestStart_OffCostsNothing(t *testing.T) {
	ctx := t.Context()
	if n := testing.AllocsPerRun(1000, func() { work(ctx, nil) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkStart_Off(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		work(b.Context(), nil)
	}
}

// Unsampled is what 99 of 100 requests cost by default.
func BenchmarkStart_Unsampled(b *testing.B) { benchmark(b, sdktrace.NeverSample()) }

func BenchmarkStart_Sampled(b *testing.B) { benchmark(b, sdktrace.AlwaysSample()) }

func benchmark(b *testing.B, sampler sdktrace.Sampler) {
	b.ReportAllocs()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	tracer, err := Open(b.Context(), Collector{URL: server.URL, Log: slog.New(slog.DiscardHandler)}, sampler)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		work(b.Context(), tracer)
	}
	_ = tracer.Close()
}

// buffer keeps what several goroutines write.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) count(part string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Count(b.text.String(), part)
}

// A collector that is away is logged once, and once more when it is back.
func TestCollector_AwayIsLoggedOnce(t *testing.T) {
	t.Parallel()
	var refuses atomic.Bool
	refuses.Store(true)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if refuses.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	var log buffer
	tracer := open(t, Collector{URL: server.URL, Log: slog.New(slog.NewTextHandler(&log, nil))})
	for range 3 {
		work(t.Context(), tracer)
		if err := tracer.Flush(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if log.count("export traces failed") != 1 || log.count("\n") != 1 {
		t.Errorf("the log says\n%s", log.text.String())
	}
	refuses.Store(false)
	for range 2 {
		work(t.Context(), tracer)
		if err := tracer.Flush(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if log.count("export traces succeeds again") != 1 || log.count("\n") != 2 {
		t.Errorf("the log says\n%s", log.text.String())
	}
}

// A collector that accepts connections and never answers neither slows what is traced, nor keeps a process from ending.
func TestCollector_HangsWithoutHarm(t *testing.T) {
	t.Parallel()
	until := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-until }))
	defer server.Close()
	defer close(until)
	tracer := open(t, Collector{URL: server.URL, Log: slog.New(slog.DiscardHandler)})
	begun := time.Now()
	for range 10_000 { // more than the queue of spans holds
		work(t.Context(), tracer)
	}
	if took := time.Since(begun); took > 8*time.Second {
		t.Errorf("10,000 traces took %s", took)
	}
	begun = time.Now()
	if err := tracer.Close(); err != nil || time.Since(begun) > 2*flushTime {
		t.Errorf("Close took %s: %v", time.Since(begun), err)
	}
}

// What is posted is OTLP, zipped where that is asked for, with the headers of the installation.
func TestCollector_GetsOTLP(t *testing.T) {
	t.Parallel()
	posted := make(chan error, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		posted <- readPost(r)
	}))
	defer server.Close()
	tracer := open(t, Collector{URL: server.URL, Gzip: true, Headers: map[string]string{"Authorization": "Bearer x"},
		Log: slog.New(slog.DiscardHandler)})
	work(t.Context(), tracer)
	if err := tracer.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-posted; err != nil {
		t.Error(err)
	}
}

func readPost(r *http.Request) error {
	if r.Header.Get("Authorization") != "Bearer x" || r.Header.Get("Content-Encoding") != "gzip" {
		return errors.New("headers are missing")
	}
	plain, err := gzip.NewReader(r.Body)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(plain)
	var data tracepb.TracesData
	if err := errors.Join(err, proto.Unmarshal(body, &data)); err != nil {
		return err
	}
	if about := data.ResourceSpans[0].Resource.String(); !strings.Contains(about, "lunchgo") ||
		!strings.Contains(about, "service.instance.id") {
		return errors.New("the resource is " + about)
	}
	if n := len(data.ResourceSpans[0].ScopeSpans[0].Spans); n != 3 {
		return errors.New("not all spans are there")
	}
	return nil
}

func open(t *testing.T, collector Collector) *Tracer {
	t.Helper()
	tracer, err := Open(t.Context(), collector, sdktrace.AlwaysSample())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tracer.Close() })
	return tracer
}
