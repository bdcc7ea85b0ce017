package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"lunchgo/app/rush"
)

// front is a load balancer as docs/haproxy.cfg describes one, with what that leaves to it: each request goes to any
// instance that is ready, to one that is not if none is. What an instance did not answer goes to the next one if it is
// safe to send again; else the client is asked to come back.
type front struct {
	url       string
	instances []*upstream
	transport *http.Transport
	server    *http.Server
	stop      context.CancelFunc
	running   sync.WaitGroup
}

// upstream is an instance as the load balancer sees it.
type upstream struct {
	base  string
	host  string
	ready atomic.Bool
}

const (
	// probeEvery is how often the instances are asked whether they are ready, and how long they have to say so.
	probeEvery = time.Second
	// frontIdle is how many connections to an instance are kept that carry nothing.
	frontIdle = 256
	// frontBuffer is the size of what carries an answer: thousands of streams have one each.
	frontBuffer = 4 << 10
)

// openFront serves before the instances, at a free port of the loopback. Close it.
func openFront(instances rush.Instances) (*front, error) {
	f := &front{transport: &http.Transport{MaxIdleConnsPerHost: frontIdle, DisableCompression: true}}
	for _, instance := range instances {
		u, err := url.Parse(instance.URL)
		if err != nil {
			return nil, err
		}
		f.instances = append(f.instances, &upstream{base: instance.URL, host: u.Host})
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	quiet := log.New(io.Discard, "", 0) // instances are killed on purpose
	f.url = "http://" + listener.Addr().String()
	f.server = &http.Server{ErrorLog: quiet, ReadHeaderTimeout: time.Minute, Handler: &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.Out.URL.Scheme = "http" }, Transport: f, ErrorLog: quiet,
		BufferPool: buffers{}, ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
		}}}
	ctx, stop := context.WithCancel(context.Background())
	f.stop = stop
	f.running.Go(func() { _ = f.server.Serve(listener) }) // until Close
	for _, u := range f.instances {
		f.running.Go(func() { u.watch(ctx) })
	}
	return f, nil
}

// Close ends all connections.
func (f *front) Close() error {
	f.stop()
	err := f.server.Close()
	f.running.Wait()
	f.transport.CloseIdleConnections()
	return err
}

// watch asks again and again whether the instance is ready, until ctx ends.
func (u *upstream) watch(ctx context.Context) {
	client := http.Client{Timeout: probeEvery}
	defer client.CloseIdleConnections()
	ticker := time.NewTicker(probeEvery)
	defer ticker.Stop()
	for {
		response, err := client.Get(u.base + "/readyz")
		if err == nil {
			_ = response.Body.Close()
		}
		u.ready.Store(err == nil && response.StatusCode == http.StatusOK)
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// RoundTrip implements http.RoundTripper: it sends a request on.
func (f *front) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	var faults []error
	for _, to := range f.shuffled() {
		again := r.Clone(r.Context())
		again.URL.Host = to.host
		if r.Body != nil {
			again.Body = io.NopCloser(bytes.NewReader(body))
		}
		response, err := f.transport.RoundTrip(again)
		if err == nil {
			return response, nil
		}
		if faults = append(faults, err); !isSafe(r) && !isRefused(err) {
			break
		}
	}
	return nil, errors.Join(faults...)
}

// isSafe says whether a request may be sent again though an instance may have taken it.
func isSafe(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Header.Get("Idempotency-Key") != ""
}

// isRefused says whether no instance has taken the request.
func isRefused(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// shuffled are all instances in the order in which they get a request: those first that are ready.
func (f *front) shuffled() (all []*upstream) {
	var others []*upstream
	for _, i := range rand.Perm(len(f.instances)) {
		if u := f.instances[i]; u.ready.Load() {
			all = append(all, u)
		} else {
			others = append(others, u)
		}
	}
	return append(all, others...)
}

// buffers implements httputil.BufferPool.
type buffers struct{}

func (buffers) Get() []byte { return make([]byte, frontBuffer) }
func (buffers) Put([]byte)  {}
