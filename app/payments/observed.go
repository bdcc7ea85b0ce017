package payments

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// patience is how long a provider may take for an answer. What takes longer is undecided.
const patience = 10 * time.Second

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

func (o observed) call(ctx context.Context, name string, ask func(ctx context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	begun := time.Now()
	err := ask(bounded)
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
	return err
}

func (o observed) Begin(ctx context.Context, order Order) (opened Opened, err error) {
	err = o.call(ctx, "begin", func(ctx context.Context) (err error) {
		opened, err = o.Provider.Begin(ctx, order)
		return err
	})
	return opened, err
}

func (o observed) Find(ctx context.Context, p Payment) (r Report, err error) {
	err = o.call(ctx, "find", func(ctx context.Context) (err error) {
		r, err = o.Provider.Find(ctx, p)
		return err
	})
	return r, err
}

func (o observed) Capture(ctx context.Context, p Payment) (r Report, err error) {
	err = o.call(ctx, "capture", func(ctx context.Context) (err error) {
		r, err = o.Provider.Capture(ctx, p)
		return err
	})
	return r, err
}

func (o observed) Cancel(ctx context.Context, p Payment) error {
	return o.call(ctx, "cancel", func(ctx context.Context) error { return o.Provider.Cancel(ctx, p) })
}

func (o observed) Refund(ctx context.Context, p Payment, refund Refund) (r Report, err error) {
	err = o.call(ctx, "refund", func(ctx context.Context) (err error) {
		r, err = o.Provider.Refund(ctx, p, refund)
		return err
	})
	return r, err
}
