package webtest

import (
	"context"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"lunchgo/app/booking"
	"lunchgo/app/program/programtest"
	"lunchgo/app/telemetry"
	"lunchgo/db/dbtest"
)

// receiver takes spans as a collector does, over OTLP.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	spans []*tracepb.Span
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		var data tracepb.TracesData
		if err != nil || proto.Unmarshal(body, &data) != nil || request.URL.Path != "/v1/traces" ||
			request.Header.Get("Content-Type") != "application/x-protobuf" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, of := range data.ResourceSpans {
			for _, scoped := range of.ScopeSpans {
				r.spans = append(r.spans, scoped.Spans...)
			}
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// tracer sends to the receiver until the test ends.
func (r *receiver) tracer(t *testing.T, sampler sdktrace.Sampler) *telemetry.Tracer {
	t.Helper()
	tracer, err := telemetry.Open(t.Context(), telemetry.Collector{URL: r.URL + "/v1/traces", Log: quiet}, sampler)
	dbtest.Must(t, err)
	t.Cleanup(func() {
		if err := tracer.Close(); err != nil {
			t.Error(err)
		}
	})
	return tracer
}

// find returns the received span of a name, and of a trace if one is given; nil if there is none.
func (r *receiver) find(name, traceID string) *tracepb.Span {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := slices.IndexFunc(r.spans, func(s *tracepb.Span) bool {
		return s.Name == name && (traceID == "" || hex.EncodeToString(s.TraceId) == traceID)
	})
	if at < 0 {
		return nil
	}
	return r.spans[at]
}

// names are those of all spans, to be shown where one is missing.
func (r *receiver) names() (names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.spans {
		names = append(names, hex.EncodeToString(s.TraceId)[:6]+" "+s.Name)
	}
	return names
}

const (
	callersTrace  = "4bf92f3577b34da6a3ce929d0e0e4736"
	callersParent = "00-" + callersTrace + "-00f067aa0ba902b7-01"
)

// A diner presses at one instance; another one has the turn and serves the ticket. The trace leads from the caller's
// span over the wait down to the commit, and back to the event stream that brings the answer.
func TestTrace_FromThePressOverTheWaitToTheCommit(t *testing.T) {
	t.Parallel()
	collector := newReceiver(t)
	here, elsewhere := collector.tracer(t, sdktrace.AlwaysSample()),
		collector.tracer(t, sdktrace.ParentBased(sdktrace.NeverSample()))
	setup := programtest.Setup{Tracer: here}
	setup.Config.Web.TrustedProxies = []string{"127.0.0.1"}
	r := newHarnessWith(t, setup)
	twin := &harness{restaurant: r.restaurant, menu: r.menu}
	again := r.Setup
	again.Tracer = elsewhere
	twin.serve(t, again)

	slot := r.slot("19:00")
	release := r.rival(t, slot)
	twin.press(t, r.diner(t, 0), "key-1", "respond-async", r.requestFor(slot, 2)).want(t, 202, "")
	r.pressAndWatch(t, slot, release)
	for _, tracer := range []*telemetry.Tracer{here, elsewhere} {
		dbtest.Eventually(t, "the answer is recorded", func() bool {
			dbtest.Must(t, tracer.Flush(t.Context()))
			return collector.find("line.answer", callersTrace) != nil &&
				collector.find("line.turn", callersTrace) != nil
		})
	}
	press := collector.find("POST /api/reservations", callersTrace)
	turn := collector.find("line.turn", callersTrace)
	serve := collector.find("db.SlotStore.serve", callersTrace)
	if press == nil || turn == nil || serve == nil {
		t.Fatalf("received: %s", strings.Join(collector.names(), ", "))
	}
	if hex.EncodeToString(press.ParentSpanId) != "00f067aa0ba902b7" {
		t.Errorf("the press is a part of %x", press.ParentSpanId)
	}
	enter := collector.find("line.enter", callersTrace)
	for name, parent := range map[string]*tracepb.Span{
		"line.enter": press, "line.wait": enter, "line.turn": enter, "line.answer": enter, "db.SlotStore.serve": turn,
		"BEGIN": serve, "INSERT slots": serve, "INSERT reservations": serve, "COMMIT": serve,
	} {
		span := collector.find(name, callersTrace)
		if span == nil || string(span.ParentSpanId) != string(parent.SpanId) {
			t.Errorf("%s is a part of another span than %s: %v\nreceived: %s", name, parent.Name, span,
				strings.Join(collector.names(), ", "))
		}
	}
	if wait := collector.find("line.wait", callersTrace); wait != nil &&
		(wait.EndTimeUnixNano != turn.StartTimeUnixNano ||
			wait.StartTimeUnixNano >= wait.EndTimeUnixNano || !strings.Contains(wait.String(), "foreign")) {
		t.Errorf("the wait %v does not end with the turn %v", wait, turn)
	}
	collector.holdsNoIDs(t)
}

// pressAndWatch presses with a caller's trace, opens the ticket's stream, lets the line go on and reads the stream to
// its end.
func (r *harness) pressAndWatch(t *testing.T, slot booking.SlotKey, release func()) {
	t.Helper()
	who := r.diner(t, 1)
	pressed := r.do(t, call{method: http.MethodPost, path: "/api/reservations", as: who, body: r.requestFor(slot, 2),
		headers: map[string]string{"Idempotency-Key": "key-2", "Prefer": "respond-async",
			"Traceparent": callersParent}}).want(t, 202, "")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stream, err := agent.Do(r.request(t, call{method: http.MethodGet, path: pressed.header.Get("Location") + "/events",
		as: who}).WithContext(ctx))
	dbtest.Must(t, err)
	defer stream.Body.Close()
	release()
	events, err := io.ReadAll(stream.Body)
	if err != nil || !strings.Contains(string(events), "event: done") || !strings.Contains(string(events), "reserved") {
		t.Fatalf("%v\n%s", err, events)
	}
}

// holdsNoIDs fails where the name of a span could be one of many: it has a digit, and so an id or a time.
func (r *receiver) holdsNoIDs(t *testing.T) {
	t.Helper()
	for _, name := range r.names() {
		if _, name, _ = strings.Cut(name, " "); strings.ContainsAny(name, "0123456789$'") {
			t.Errorf("a span is named %q", name)
		}
	}
}

// Whoever is no proxy of ours cannot have all of their requests recorded: their trace is only linked.
func TestTrace_OfStrangersBeginsAnew(t *testing.T) {
	t.Parallel()
	collector := newReceiver(t)
	tracer := collector.tracer(t, sdktrace.AlwaysSample())
	r := newHarnessWith(t, programtest.Setup{Tracer: tracer})
	r.do(t, call{method: http.MethodGet, path: "/api/restaurants",
		headers: map[string]string{"Traceparent": callersParent}}).want(t, 200, "")
	dbtest.Must(t, tracer.Flush(t.Context()))
	span := collector.find("GET /api/restaurants", "")
	if span == nil || hex.EncodeToString(span.TraceId) == callersTrace || len(span.Links) != 1 ||
		hex.EncodeToString(span.Links[0].TraceId) != callersTrace {
		t.Errorf("recorded: %v", span)
	}
}
