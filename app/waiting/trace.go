package waiting

import (
	"context"
	"time"

	"lunchgo/app/telemetry"
	"lunchgo/locks"
)

// trace returns the context of a turn's work: its log lines carry the ticket whose turn it is, and the id of the
// request that made the ticket. Where tickets of the batch are recorded, their waits end here and now, wherever they
// began; the turn is a part of the first one's trace, and a link leads there from those of the others.
func (q *queue) trace(turn *locks.Turn, begun time.Time, batch []QueuedRequest) (context.Context, telemetry.Span) {
	ctx := turn.Context()
	if len(batch) > 0 {
		ctx = telemetry.WithTicket(ctx, batch[0].RequestID, batch[0].Ticket)
	}
	var span telemetry.Span
	var recorded []string
	for _, queued := range batch {
		if queued.Trace != "" {
			recorded = append(recorded, queued.Trace)
		}
	}
	for _, queued := range batch {
		if queued.Trace == "" {
			continue
		}
		q.traceWait(ctx, begun, queued)
		part := telemetry.Part{Name: "line.turn", Traceparent: queued.Trace, At: begun}
		if span.IsRecording() {
			q.linkTurn(ctx, part, telemetry.Traceparent(ctx))
			continue
		}
		part.Links = recorded[1:]
		if ctx, span = q.room.cfg.Tracer.StartPart(ctx, part); span.IsRecording() {
			span.Set(telemetry.Text("lunchgo.line", q.name.String()),
				telemetry.Number("lunchgo.turn.fence", turn.Fence()),
				telemetry.Number("lunchgo.turn.tickets", int64(len(batch))), telemetry.Ticket(queued.Ticket))
		}
	}
	return ctx, span
}

// traceWait records the wait of a ticket, from its arrival to the begin of its turn.
func (q *queue) traceWait(ctx context.Context, begun time.Time, queued QueuedRequest) {
	came := begun
	switch {
	case queued.Since > 0:
		came = time.UnixMilli(queued.Since)
	case queued.Arrival >= locks.LotsBelow:
		came = time.UnixMicro(queued.Arrival)
	}
	if came.After(begun) { // the clock of Redis, which draws arrival numbers, is another one
		came = begun
	}
	_, wait := q.room.cfg.Tracer.StartPart(ctx, telemetry.Part{Name: "line.wait", Traceparent: queued.Trace, At: came})
	if wait.IsRecording() {
		wait.Set(telemetry.Text("lunchgo.line", q.name.String()), telemetry.Ticket(queued.Ticket),
			telemetry.Flag("lunchgo.ticket.foreign", queued.foreign))
		wait.EndAt(begun)
	}
}

// linkTurn records in the trace of a ticket that another one's has the turn that served it.
func (q *queue) linkTurn(ctx context.Context, part telemetry.Part, turn string) {
	part.Links = []string{turn}
	_, link := q.room.cfg.Tracer.StartPart(ctx, part)
	link.End(nil)
}

// TraceAnswer begins the part of the ticket's trace in which its answer goes to the client; End it when it is sent.
func (w *Watch) TraceAnswer(ctx context.Context) telemetry.Span {
	if w.queue == nil || w.ticket.request.Trace == "" {
		return telemetry.Span{}
	}
	_, span := w.queue.room.cfg.Tracer.StartPart(ctx,
		telemetry.Part{Name: "line.answer", Traceparent: w.ticket.request.Trace})
	if span.IsRecording() {
		span.Set(telemetry.Ticket(w.ticket.id))
	}
	return span
}
