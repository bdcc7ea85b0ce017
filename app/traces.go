package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	Disabled bool   `env:"SDK_DISABLED"`
	Exporter string `env:"TRACES_EXPORTER"` // otlp or none; empty: otlp where an endpoint is set
	// empty: what arrives with a decision follows it, of the rest one in a hundred
	Sampler string `env:"TRACES_SAMPLER"`

	Endpoint    string `env:"EXPORTER_OTLP_ENDPOINT"`                   // to which /v1/traces is added
	Protocol    string `env:"EXPORTER_OTLP_PROTOCOL"`                   // http/protobuf
	Headers     string `env:"EXPORTER_OTLP_HEADERS"`                    // name=value, with commas between
	Timeout     int    `env:"EXPORTER_OTLP_TIMEOUT" envDefault:"10000"` // ms
	Compression string `env:"EXPORTER_OTLP_COMPRESSION"`                // gzip or none

	OfTraces struct {
		Endpoint    string `env:"ENDPOINT"` // as it is
		Protocol    string `env:"PROTOCOL"`
		Headers     string `env:"HEADERS"`
		Timeout     int    `env:"TIMEOUT"`
		Compression string `env:"COMPRESSION"`
	} `envPrefix:"EXPORTER_OTLP_TRACES_"` // win over the general ones
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

// check returns every fault of the variables. Where traces are not wanted, there is none: the variables may be meant
// for others.
func (t Traces) check() error {
	if exporters := []string{"", exportOTLP, exportNone}; !t.Disabled && !slices.Contains(exporters, t.Exporter) {
		return fmt.Errorf("OTEL_TRACES_EXPORTER is otlp or none, not %q", t.Exporter)
	}
	if !t.areWanted() {
		return nil
	}
	var faults []error
	fault := func(wrong bool, format string, args ...any) {
		if wrong {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	fault(t.Sampler != "" && !slices.Contains(samplers, t.Sampler), "OTEL_TRACES_SAMPLER is one of %s, not %q",
		strings.Join(samplers, ", "), t.Sampler)
	fault(!isURL(t.Endpoint, "http", "https") || !isURL(t.OfTraces.Endpoint, "http", "https"),
		"OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_TRACES_ENDPOINT are http(s)://host:port, not what they say now")
	for _, protocol := range []string{t.Protocol, t.OfTraces.Protocol} {
		fault(protocol != "" && protocol != "http/protobuf", "OTEL_EXPORTER_OTLP_PROTOCOL is http/protobuf, not %q",
			protocol)
	}
	for _, compression := range []string{t.Compression, t.OfTraces.Compression} {
		fault(!slices.Contains([]string{"", gzipped, exportNone}, compression),
			"OTEL_EXPORTER_OTLP_COMPRESSION is gzip or none, not %q", compression)
	}
	for _, headers := range []string{t.Headers, t.OfTraces.Headers} {
		_, err := readHeaders(headers)
		fault(err != nil, "OTEL_EXPORTER_OTLP_HEADERS are name=value, with commas between, not what they say now")
	}
	fault(t.Timeout <= 0 || t.OfTraces.Timeout < 0, "OTEL_EXPORTER_OTLP_TIMEOUT is milliseconds above zero")
	return errors.Join(faults...)
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
