// Package telemetry says what one request or one turn did: its trace, and the ids that its log lines share.
//
// A trace begins at a request (Tracer.StartRequest), waits with a ticket (Traceparent, which the ticket's record
// carries) and goes on in the turn that serves the ticket, in whichever process (Tracer.StartAt). Everything between
// uses Start, which needs nothing but the context. Where nothing is recorded, nothing of it allocates.
package telemetry

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// DefaultRatio is which part of the requests is recorded unless OTEL_TRACES_SAMPLER says otherwise.
const DefaultRatio = 0.01

const (
	scope     = "lunchgo" // of all spans, and the service's name unless OTEL_SERVICE_NAME says otherwise
	flushTime = 2 * time.Second
)

// Tracer begins traces. Nil records nothing.
type Tracer struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// Open returns a tracer that sends spans in batches over OTLP (HTTP, protobuf), in the background. A nil sampler leaves
// the decision to OTEL_TRACES_SAMPLER. Open does not look for the collector: one that is away slows nothing, and its
// spans are dropped. Close the tracer.
func Open(ctx context.Context, collector Collector, sampler sdktrace.Sampler) (*Tracer, error) {
	sender, err := otlptrace.New(ctx, newClient(collector))
	if err != nil {
		return nil, fmt.Errorf("telemetry: %w", err)
	}
	about, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithHost(), resource.WithAttributes(
		attribute.String("service.name", scope), attribute.String("service.instance.id", rand.Text())),
		resource.WithFromEnv())
	if err != nil && !errors.Is(err, resource.ErrPartialResource) {
		return nil, fmt.Errorf("telemetry: %w", err)
	}
	settings := []sdktrace.TracerProviderOption{sdktrace.WithResource(about),
		sdktrace.WithBatcher(&reporter{SpanExporter: sender, log: collector.Log})}
	if sampler != nil {
		settings = append(settings, sdktrace.WithSampler(sampler))
	}
	provider := sdktrace.NewTracerProvider(settings...)
	return &Tracer{provider: provider, tracer: provider.Tracer(scope)}, nil
}

// DefaultSampler follows the decision that a trace arrives with, and records DefaultRatio of all others.
func DefaultSampler() sdktrace.Sampler {
	return sdktrace.ParentBased(sdktrace.TraceIDRatioBased(DefaultRatio))
}

// Close sends what is left, for 2 s at most. What ends later is dropped.
func (t *Tracer) Close() error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	if err := t.provider.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil // the reporter has logged that the collector is away
}

// Flush sends what has ended so far.
func (t *Tracer) Flush(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.ForceFlush(ctx)
}
