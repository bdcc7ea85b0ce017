package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"lunchgo/app/telemetry"
)

// Traces are OpenTelemetry's own variables, as far as the SDK does not read them itself: it reads OTEL_TRACES_SAMPLER
// with its _ARG, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_BSP_… and OTEL_SPAN_….
type Traces struct {
	Disabled bool
	Exporter string // empty: otlp where an endpoint is set
	Sampler  string // empty: what arrives with a decision follows it, of the rest one in a hundred

	exporter          // for all that is exported
	OfTraces exporter // for traces: wins over the general one
}

// exporter is how OpenTelemetry's data go to a collector.
type exporter struct {
	Endpoint    string
	Protocol    string
	Headers     string
	Timeout     int // ms
	Compression string
}

// tracesPrefix begins the names of all settings of Traces.
const tracesPrefix = "OTEL_"

func (t *Traces) settings() []setting {
	return slices.Concat([]setting{
		{"OTEL_SDK_DISABLED", "false", boolean(func(yes bool) { t.Disabled = yes }), "`true`: no [traces](#traces)"},
		{"OTEL_TRACES_EXPORTER", "", word(&t.Exporter, exportOTLP, exportNone), "empty: otlp where an endpoint is set"},
		{"OTEL_TRACES_SAMPLER", "", word(&t.Sampler, samplers...), "which traces are recorded: see [below](#traces)"},
	}, t.exporter.settings("OTEL_EXPORTER_OTLP_", "10000", "of the collector, to which `/v1/traces` is added"),
		t.OfTraces.settings("OTEL_EXPORTER_OTLP_TRACES_", "", "for traces, as it is; it and the next win over those above"))
}

func (e *exporter) settings(prefix, timeout, endpoint string) []setting {
	return []setting{
		{prefix + "ENDPOINT", "", text(&e.Endpoint, "http(s)://host:port", isURLOf("http", "https")), endpoint},
		{prefix + "PROTOCOL", "", word(&e.Protocol, "http/protobuf"), "how to speak to it"},
		{prefix + "HEADERS", "", secret(&e.Headers, "name=value, several with commas", areHeaders),
			"what it asks for, such as a token"},
		{prefix + "TIMEOUT", timeout, number(&e.Timeout, 1), "milliseconds"},
		{prefix + "COMPRESSION", "", word(&e.Compression, gzipped, exportNone), "of what is sent"},
	}
}

const (
	collectorHere = "http://localhost:4318"
	tracesPath    = "/v1/traces"
	gzipped       = "gzip"
	exportOTLP    = "otlp"
	exportNone    = "none"
)

// samplers are the names that the SDK knows.
var samplers = []string{"always_on", "always_off", "traceidratio", "parentbased_always_on", "parentbased_always_off",
	"parentbased_traceidratio"}

// areWanted says whether spans go anywhere.
func (t Traces) areWanted() bool {
	return !t.Disabled && t.Exporter != exportNone && (t.Exporter == exportOTLP || t.Endpoint != "" ||
		t.OfTraces.Endpoint != "")
}

// heed says whether a setting matters. Where traces are not wanted, most may be meant for others.
func (t Traces) heed(name string) bool {
	return t.areWanted() || name == "OTEL_SDK_DISABLED" || name == "OTEL_TRACES_EXPORTER" && !t.Disabled
}

// open returns what records traces; nil where they are not wanted.
func (t Traces) open(ctx context.Context, log *slog.Logger) (*telemetry.Tracer, error) {
	if !t.areWanted() {
		return nil, nil
	}
	collector, err := t.collector(log)
	if err != nil {
		return nil, err
	}
	var sampler sdktrace.Sampler
	if t.Sampler == "" {
		sampler = telemetry.DefaultSampler()
	}
	return telemetry.Open(ctx, collector, sampler)
}

func (t Traces) collector(log *slog.Logger) (telemetry.Collector, error) {
	headers, err := readHeaders(cmp.Or(t.OfTraces.Headers, t.Headers))
	return telemetry.Collector{
		URL:     cmp.Or(t.OfTraces.Endpoint, strings.TrimSuffix(cmp.Or(t.Endpoint, collectorHere), "/")+tracesPath),
		Headers: headers,
		Timeout: time.Duration(cmp.Or(t.OfTraces.Timeout, t.Timeout)) * time.Millisecond,
		Gzip:    cmp.Or(t.OfTraces.Compression, t.Compression) == gzipped,
		Log:     log,
	}, err
}

func areHeaders(text string) bool {
	_, err := readHeaders(text)
	return err == nil
}

// readHeaders reads name=value pairs with commas between, percent-encoded as in W3C Baggage.
func readHeaders(text string) (map[string]string, error) {
	headers := map[string]string{}
	if text == "" {
		return headers, nil
	}
	for pair := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(pair, "=")
		plain, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); !ok || name == "" || err != nil {
			return nil, errors.New("a header is not name=value")
		}
		headers[name] = plain
	}
	return headers, nil
}
