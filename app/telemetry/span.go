package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Span is a part of a trace. The zero Span records nothing.
type Span struct {
	span trace.Span
}

// IsRecording says whether what is set on the span is kept. Compute nothing for a span that does not.
func (s Span) IsRecording() bool { return s.span != nil }

// Set adds what is known by now.
func (s Span) Set(about ...Attribute) {
	if s.span != nil {
		s.span.SetAttributes(about...)
	}
}

// Rename gives the span its final name. Names hold no ids: they are what backends group by.
func (s Span) Rename(name string) {
	if s.span != nil {
		s.span.SetName(name)
	}
}

// Fail marks the span as failed. What went wrong is for the log, whose line names the trace: an error's text may hold
// data.
func (s Span) Fail() {
	if s.span != nil {
		s.span.SetStatus(codes.Error, "")
	}
}

// End ends the span, as failed if err is not nil.
func (s Span) End(err error) {
	if s.span == nil {
		return
	}
	if err != nil {
		s.Fail()
	}
	s.span.End()
}

// EndAt ends the span at a time that has passed.
func (s Span) EndAt(at time.Time) {
	if s.span != nil {
		s.span.End(trace.WithTimestamp(at))
	}
}

// wrap returns a span and its context, or nothing where it is not recorded.
func wrap(ctx context.Context, span trace.Span) (context.Context, Span) {
	if !span.IsRecording() {
		return ctx, Span{}
	}
	return ctx, Span{span}
}

// Start begins a part of what ctx belongs to. Where that is not recorded it returns ctx, and a Span that does nothing.
func Start(ctx context.Context, name string) (context.Context, Span) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, Span{}
	}
	return wrap(parent.TracerProvider().Tracer(scope).Start(ctx, name))
}

// IsRecorded says whether Start would begin a span.
func IsRecorded(ctx context.Context) bool { return trace.SpanFromContext(ctx).IsRecording() }

// Incoming is what a request says of the trace that it belongs to, as W3C Trace Context.
type Incoming struct {
	Traceparent, Tracestate string
	Trusted                 bool // it comes from a trusted proxy
}

// StartRequest begins the part of a trace that a request is, in the trace that its sender names. A sender who is not
// trusted gets a new trace with a link to theirs: else anybody could have every request of theirs recorded.
func (t *Tracer) StartRequest(ctx context.Context, method string, in Incoming) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer)}
	if remote := read(in.Traceparent, in.Tracestate); remote.IsValid() && in.Trusted {
		ctx = trace.ContextWithRemoteSpanContext(ctx, remote)
	} else if remote.IsValid() {
		options = append(options, trace.WithNewRoot(), trace.WithLinks(trace.Link{SpanContext: remote}))
	}
	return wrap(t.tracer.Start(ctx, method, options...))
}

// Part is a part of a trace that began elsewhere.
type Part struct {
	Name        string
	Traceparent string    // what it is a part of
	Links       []string  // traceparents of what else it works for
	At          time.Time // when it began; zero: now
}

// StartPart begins a part of a trace that began in another request, and maybe another process; nothing where that is
// not recorded.
func (t *Tracer) StartPart(ctx context.Context, p Part) (context.Context, Span) {
	if t == nil || p.Traceparent == "" {
		return ctx, Span{}
	}
	parent := read(p.Traceparent, "")
	if !parent.IsSampled() {
		return ctx, Span{}
	}
	options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindConsumer)}
	for _, link := range p.Links {
		options = append(options, trace.WithLinks(trace.Link{SpanContext: read(link, "")}))
	}
	if !p.At.IsZero() {
		options = append(options, trace.WithTimestamp(p.At))
	}
	return wrap(t.tracer.Start(trace.ContextWithRemoteSpanContext(ctx, parent), p.Name, options...))
}

// Traceparent returns what StartPart goes on from, in the form of W3C Trace Context; empty where ctx is not recorded.
func Traceparent(ctx context.Context) string {
	if !IsRecorded(ctx) {
		return ""
	}
	carried := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carried)
	return carried[traceparent]
}

const (
	traceparent = "traceparent"
	tracestate  = "tracestate"
)

// read returns what a traceparent names; nothing valid for one that is malformed.
func read(parent, state string) trace.SpanContext {
	if parent == "" {
		return trace.SpanContext{}
	}
	ctx := propagation.TraceContext{}.Extract(context.Background(),
		propagation.MapCarrier{traceparent: parent, tracestate: state})
	return trace.SpanContextFromContext(ctx)
}
