package telemetry

import (
	"context"
	"log/slog"
	"sync/atomic"

	"go.opentelemetry.io/otel/trace"
)

// ids are what the log lines of a request, or of a turn, have in common.
type ids struct {
	request string
	ticket  atomic.Pointer[string]
}

type idsKey struct{}

func idsOf(ctx context.Context) *ids {
	known, _ := ctx.Value(idsKey{}).(*ids)
	return known
}

// WithRequest returns a context whose log lines carry the id of a request.
func WithRequest(ctx context.Context, request string) context.Context {
	return context.WithValue(ctx, idsKey{}, &ids{request: request})
}

// WithTicket returns a context whose log lines carry a ticket, and the id of the request that made it, if that is
// known.
func WithTicket(ctx context.Context, request, ticket string) context.Context {
	known := &ids{request: request}
	known.ticket.Store(&ticket)
	return context.WithValue(ctx, idsKey{}, known)
}

// WithIDs returns a context with the ids of another one, for work that outlives it.
func WithIDs(ctx, from context.Context) context.Context {
	if known := idsOf(from); known != nil {
		return context.WithValue(ctx, idsKey{}, known)
	}
	return ctx
}

// NoteTicket adds the ticket to what ctx belongs to: to its later log lines, and to its trace.
func NoteTicket(ctx context.Context, ticket string) {
	if known := idsOf(ctx); known != nil {
		known.ticket.Store(&ticket)
	}
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		span.SetAttributes(Ticket(ticket))
	}
}

// RequestID returns the id of the request that ctx belongs to; empty if there is none.
func RequestID(ctx context.Context) string {
	if known := idsOf(ctx); known != nil {
		return known.request
	}
	return ""
}

// Handler adds to every line the ids of its context: request_id, ticket, and trace_id where a trace is recorded.
type Handler struct {
	slog.Handler
}

// Handle implements slog.Handler.
func (h Handler) Handle(ctx context.Context, line slog.Record) error {
	if known := idsOf(ctx); known != nil {
		line = line.Clone()
		if known.request != "" {
			line.AddAttrs(slog.String("request_id", known.request))
		}
		if ticket := known.ticket.Load(); ticket != nil {
			line.AddAttrs(slog.String("ticket", *ticket))
		}
	}
	if of := trace.SpanContextFromContext(ctx); of.IsSampled() {
		line = line.Clone()
		line.AddAttrs(slog.String("trace_id", of.TraceID().String()))
	}
	return h.Handler.Handle(ctx, line)
}

// WithAttrs implements slog.Handler.
func (h Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return Handler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h Handler) WithGroup(name string) slog.Handler { return Handler{h.Handler.WithGroup(name)} }
