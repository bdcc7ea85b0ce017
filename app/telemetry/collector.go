package telemetry

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Collector is what takes the spans.
type Collector struct {
	URL     string // where they are posted, with its path
	Headers map[string]string
	Timeout time.Duration // of one post; 10 s
	Gzip    bool
	Log     *slog.Logger // hears when the collector does not take spans, and when it does again
}

const (
	postTime  = 10 * time.Second
	mostError = 1 << 10 // bytes that are read of a refusal
)

// client posts spans. The exporter that comes with OTLP over HTTP brings gRPC into the binary.
type client struct {
	Collector
	http *http.Client
}

func newClient(c Collector) *client {
	if c.Timeout == 0 {
		c.Timeout = postTime
	}
	// of its own: what the collector does must not touch other connections
	return &client{Collector: c, http: &http.Client{Timeout: c.Timeout, Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 1, IdleConnTimeout: time.Minute}}}
}

// Start implements otlptrace.Client.
func (c *client) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (c *client) Stop(context.Context) error {
	c.http.CloseIdleConnections()
	return nil
}

// UploadTraces implements otlptrace.Client. A batch that is not taken is lost: spans are not worth a second try.
func (c *client) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	// has the fields of ExportTraceServiceRequest, whose package brings gRPC along
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	if c.Gzip {
		if body, err = zipped(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	for name, value := range c.Headers {
		request.Header.Set(name, value)
	}
	request.Header.Set("Content-Type", "application/x-protobuf")
	if c.Gzip {
		request.Header.Set("Content-Encoding", "gzip")
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, mostError)) // so that the connection serves again
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("the collector answers %s", answer.Status)
	}
	return nil
}

func zipped(body []byte) ([]byte, error) {
	var small bytes.Buffer
	w := gzip.NewWriter(&small)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	err := w.Close()
	return small.Bytes(), err
}

// reporter logs once when spans are not taken, and once when they are again.
type reporter struct {
	sdktrace.SpanExporter
	log  *slog.Logger
	away atomic.Bool
}

// ExportSpans implements sdktrace.SpanExporter. It returns no error: the SDK would log each.
func (r *reporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	err := r.SpanExporter.ExportSpans(ctx, spans)
	switch {
	case err != nil && !r.away.Swap(true):
		r.log.WarnContext(ctx, "export traces failed; they are dropped until it succeeds", "error", err)
	case err == nil && r.away.Swap(false):
		r.log.InfoContext(ctx, "export traces succeeds again")
	}
	return nil
}
