package payments

import (
	"context"
	"errors"
	"net/http"
	"time"
)

const (
	// patience is how long a provider may take for an answer. What takes longer is undecided.
	patience = 10 * time.Second
	// afterwards is how much of a request's time is left for its answer when the provider has none.
	afterwards = 2 * time.Second
)

// patient returns a context for a call of a provider within ctx.
func patient(ctx context.Context) (context.Context, context.CancelFunc) {
	until := time.Now().Add(patience)
	if end, ok := ctx.Deadline(); ok && end.Add(-afterwards).Before(until) {
		until = end.Add(-afterwards)
	}
	return context.WithDeadline(ctx, until)
}

// Call is a call of a provider, for metrics.
type Call struct {
	Name   string // begin, find, capture, cancel, refund
	Took   time.Duration
	Result string // ok, refused or unsure
	Code   string // of a refusal
}

// NewClient returns a client for calls of a provider. It keeps a connection for each payment that is worked on at once,
// and follows no redirect.
func NewClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 2 * atOnce
	return &http.Client{Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// observed is a provider whose calls are bounded and reported.
type observed struct {
	Provider
	report func(Call) // may be nil
}

func observe[T any](ctx context.Context, o observed, name string, ask func(ctx context.Context) (T, error)) (T, error) {
	bounded, cancel := patient(ctx)
	defer cancel()
	begun := time.Now()
	answer, err := ask(bounded)
	if err != nil && ctx.Err() == nil && bounded.Err() != nil {
		err = errors.Join(ErrUnsure, err)
	}
	call := Call{Name: name, Took: time.Since(begun), Result: "ok"}
	var refused *RefusedError
	switch {
	case errors.As(err, &refused):
		call.Result, call.Code = "refused", refused.Code
	case err != nil:
		call.Result = "unsure"
	}
	if o.report != nil {
		o.report(call)
	}
	return answer, err
}

func (o observed) Begin(ctx context.Context, order Order) (Opened, error) {
	return observe(ctx, o, "begin", func(ctx context.Context) (Opened, error) { return o.Provider.Begin(ctx, order) })
}

func (o observed) Find(ctx context.Context, p Payment) (Report, error) {
	return observe(ctx, o, "find", func(ctx context.Context) (Report, error) { return o.Provider.Find(ctx, p) })
}

func (o observed) Capture(ctx context.Context, p Payment) (Report, error) {
	return observe(ctx, o, "capture", func(ctx context.Context) (Report, error) { return o.Provider.Capture(ctx, p) })
}

func (o observed) Cancel(ctx context.Context, p Payment) error {
	_, err := observe(ctx, o, "cancel", func(ctx context.Context) (struct{}, error) {
		return struct{}{}, o.Provider.Cancel(ctx, p)
	})
	return err
}

func (o observed) Refund(ctx context.Context, p Payment, refund Refund) (Report, error) {
	return observe(ctx, o, "refund", func(ctx context.Context) (Report, error) {
		return o.Provider.Refund(ctx, p, refund)
	})
}
