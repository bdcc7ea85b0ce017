package webhooks

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Bounds of one try.
const (
	tryTimeout  = 10 * time.Second // from resolving the host to the end of the answer
	bodyTimeout = time.Second      // from the head of the answer to its end
	maxResponse = 4 << 10          // bytes of an answer that are read
	maxHeaders  = 16 << 10         // bytes of its head
	maxExcerpt  = 300              // runes of it that are stored
)

// Headers of the specification.
const (
	HeaderID        = "webhook-id"
	HeaderTimestamp = "webhook-timestamp"
	HeaderSignature = "webhook-signature"
)

// Try is how one attempt ended. Exactly one of Status and Failure is set.
type Try struct {
	Status  int    // of the answer
	Excerpt string // the first characters of its body
	Failure string // why there is no answer, as Failure… say
	Took    time.Duration
}

// Why a try has no answer.
const (
	FailurePrivate = "private_address"
	FailureResolve = "not_resolved"
	FailureTimeout = "timeout"
	FailureConnect = "not_connected"
	FailureTLS     = "tls"
	FailureSecret  = "secret"
)

// Delivered says whether the endpoint has taken the message.
func (t Try) Delivered() bool { return t.Status >= 200 && t.Status < 300 }

// ClientConfig is what a Client is made of. Its zero value is what the product runs with.
type ClientConfig struct {
	PrivateNetworks bool          // also to addresses that are not public: for tests
	Resolver        Resolver      // nil: the system's
	Timeout         time.Duration // of one try; 0: 10 s
}

// Client sends messages. It is safe for concurrent use.
type Client struct {
	http    *http.Client
	timeout time.Duration
}

// NewClient returns a client that takes no proxy, follows no redirect, and keeps no connection: each try resolves anew.
func NewClient(c ClientConfig) *Client {
	var resolver Resolver = net.DefaultResolver
	if c.Resolver != nil {
		resolver = c.Resolver
	}
	d := dialer{resolver: resolver, private: c.PrivateNetworks, dial: new(net.Dialer).DialContext}
	return &Client{timeout: cmp.Or(c.Timeout, tryTimeout), http: &http.Client{
		Transport: &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true, DisableCompression: true,
			MaxResponseHeaderBytes: maxHeaders},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Send sends a message once, signed with each of the secrets.
func (c *Client) Send(ctx context.Context, url string, secrets []Secret, m Message) Try {
	request, err := newRequest(ctx, url, secrets, m)
	if err != nil {
		return Try{Failure: failureOf(err)}
	}
	return c.Do(request)
}

// Do sends a request once.
func (c *Client) Do(request *http.Request) Try {
	begun := time.Now()
	ctx, cancel := context.WithTimeout(request.Context(), c.timeout)
	defer cancel()
	try, err := c.do(request.WithContext(ctx), cancel)
	if err != nil {
		try = Try{Failure: failureOf(err)}
	}
	try.Took = time.Since(begun)
	return try
}

func (c *Client) do(request *http.Request, cancel context.CancelFunc) (Try, error) {
	request.GetBody = nil // a body is sent once
	response, err := c.http.Do(request)
	if err != nil {
		return Try{}, err
	}
	defer func() { _ = response.Body.Close() }()
	defer time.AfterFunc(bodyTimeout, cancel).Stop()
	start, _ := io.ReadAll(io.LimitReader(response.Body, maxResponse)) // the status counts, whatever comes after it
	return Try{Status: response.StatusCode, Excerpt: excerpt(start)}, nil
}

// newRequest returns a message as it is sent now.
func newRequest(ctx context.Context, url string, secrets []Secret, m Message) (*http.Request, error) {
	body, err := m.Body()
	if err != nil {
		return nil, err
	}
	now := time.Now()
	signatures, err := Signatures(secrets, m.ID, now, body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("webhooks: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "LunchGo-Webhooks/1")
	request.Header.Set(HeaderID, m.ID)
	request.Header.Set(HeaderTimestamp, strconv.FormatInt(now.Unix(), 10))
	request.Header.Set(HeaderSignature, signatures)
	return request, nil
}

// excerpt is the beginning of an answer as people read it, on one line.
func excerpt(body []byte) string {
	text := strings.ToValidUTF8(string(body), "\uFFFD")
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > maxExcerpt {
		text = string([]rune(text)[:maxExcerpt]) + "…"
	}
	return text
}

func failureOf(err error) string {
	var dns *net.DNSError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, ErrPrivateAddress):
		return FailurePrivate
	case errors.Is(err, ErrSecret):
		return FailureSecret
	case errors.As(err, &timeout) && timeout.Timeout():
		return FailureTimeout
	case errors.As(err, &dns):
		return FailureResolve
	case isTLS(err):
		return FailureTLS
	}
	return FailureConnect
}

// isTLS says whether there was a connection, and TLS did not come about: a wrong certificate, or a server that does not
// speak it.
func isTLS(err error) bool {
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	return errors.As(err, &certificate) || errors.As(err, &record) || errors.As(err, &alert) ||
		errors.Is(err, http.ErrSchemeMismatch)
}
