package main

import (
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"lunchgo/app/telemetry"
	"lunchgo/db/dbtest"
)

// Traces are recorded only where the standard variables ask for them, and go where those say.
func TestTraces_AreAskedForByTheStandardVariables(t *testing.T) {
	for name, test := range map[string]struct {
		set  map[string]string
		want telemetry.Collector // its URL is empty where nothing is recorded
	}{
		"nothing":  {nil, telemetry.Collector{}},
		"sampler":  {map[string]string{"OTEL_TRACES_SAMPLER": "always_on", "OTEL_SERVICE_NAME": "x"}, telemetry.Collector{}},
		"exporter": {map[string]string{"OTEL_TRACES_EXPORTER": "otlp"}, telemetry.Collector{URL: "http://localhost:4318/v1/traces", Timeout: 10 * time.Second}},
		"endpoint": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "https://c:4318/", "OTEL_EXPORTER_OTLP_HEADERS": "a=1, b=x%20y",
			"OTEL_EXPORTER_OTLP_COMPRESSION": "gzip", "OTEL_EXPORTER_OTLP_TIMEOUT": "3000"},
			telemetry.Collector{URL: "https://c:4318/v1/traces", Headers: map[string]string{"a": "1", "b": "x y"},
				Gzip: true, Timeout: 3 * time.Second}},
		"endpoint of traces": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://t:1/in",
			"OTEL_EXPORTER_OTLP_TRACES_TIMEOUT": "500"}, telemetry.Collector{URL: "http://t:1/in",
			Timeout: 500 * time.Millisecond}},
		"disabled": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_SDK_DISABLED": "true"}, telemetry.Collector{}},
		"none":     {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_TRACES_EXPORTER": "none"}, telemetry.Collector{}},
	} {
		t.Run(name, func(t *testing.T) {
			for name, value := range test.set {
				t.Setenv(name, value)
			}
			c, err := LoadConfig()
			dbtest.Must(t, err)
			tracer, err := c.Traces.open(t.Context(), slog.New(slog.DiscardHandler))
			if err != nil || (tracer != nil) != (test.want.URL != "") {
				t.Fatalf("recorded: %t, %v", tracer != nil, err)
			}
			if err := tracer.Close(); err != nil {
				t.Error(err)
			}
			if tracer == nil {
				return
			}
			if test.want.Headers == nil {
				test.want.Headers = map[string]string{}
			}
			if got, err := c.Traces.collector(nil); err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("%+v, %v; want %+v", got, err, test.want)
			}
		})
	}
}

func TestTraces_UnknownExporter(t *testing.T) {
	t.Setenv("OTEL_TRACES_EXPORTER", "jaeger")
	if _, err := LoadConfig(); err == nil || !strings.Contains(err.Error(), "OTEL_TRACES_EXPORTER: must be otlp or none") {
		t.Errorf("%v", err)
	}
}
