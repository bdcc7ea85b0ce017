package toss

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"lunchgo/app/payments"
)

// Bounds of a call.
const (
	answerTime = 30 * time.Second // of a payment; a repeat is harmless, so that nobody waits for the 60 s that Toss names
	listTime   = 90 * time.Second // of a list, for which Toss asks for 60 s at least
	maxAnswer  = 16 << 20         // bytes
)

// call is a request to Toss.
type call struct {
	method, path string
	once         string // the idempotency key; empty: none
	body         any    // nil: none
	time         time.Duration
}

// failure is an answer that is no success.
type failure struct {
	status int
	Code   string `json:"code"` // empty if what answered is not Toss, such as a proxy
}

func (f *failure) Error() string { return fmt.Sprintf("toss: %d %s", f.status, f.Code) }

// answer does a call and decodes what Toss answers. Returns a *failure for what is no success, and an error that wraps
// payments.ErrUnsure where there is no answer.
func (p *Provider) answer(ctx context.Context, c call, to any) error {
	ctx, cancel := context.WithTimeout(ctx, c.time)
	defer cancel()
	request, err := p.request(ctx, c)
	if err != nil {
		return err
	}
	response, err := p.http.Do(request)
	if err != nil {
		return unsure(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return unsure(err)
	}
	if response.StatusCode != http.StatusOK {
		f := &failure{status: response.StatusCode}
		_ = json.Unmarshal(body, f) // without a code the status has to do
		return f
	}
	if err := json.Unmarshal(body, to); err != nil {
		return unsure(fmt.Errorf("toss: read an answer: %w", err))
	}
	return nil
}

func (p *Provider) request(ctx context.Context, c call) (*http.Request, error) {
	var body io.Reader
	if c.body != nil {
		encoded, err := json.Marshal(c.body)
		if err != nil {
			return nil, fmt.Errorf("toss: write a request: %w", err)
		}
		body = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, c.method, p.base+c.path, body)
	if err != nil {
		return nil, fmt.Errorf("toss: write a request: %w", err)
	}
	request.SetBasicAuth(p.secretKey, "")
	if c.body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.once != "" {
		request.Header.Set("Idempotency-Key", c.once)
	}
	return request, nil
}

// unsure wraps what decides nothing.
func unsure(err error) error {
	if errors.Is(err, payments.ErrUnsure) {
		return err
	}
	return fmt.Errorf("%w: %w", payments.ErrUnsure, err)
}

// saidCode returns the code of a failure; empty if there is none.
func saidCode(err error) string {
	if f, ok := errors.AsType[*failure](err); ok {
		return f.Code
	}
	return ""
}
