package against

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/redis/go-redis/v9"
	"github.com/valyala/fasthttp"
	"golang.org/x/sync/errgroup"
)

// Config is what a server of a design needs.
type Config struct {
	Design        string                // one of rush.Designs
	Prefix        string                // of its keys in Redis
	Threads       int                   // requests that it works on at once; 0: as many as come
	DatabaseURL   string                // of a scratch database
	Redis, Tries  redis.UniversalClient // Tries: for tries of locks alone
	Addr, OpsAddr string                // where it listens, and shows its metrics
}

// Serve runs the server of a design until ctx ends.
func Serve(ctx context.Context, c Config) (err error) {
	build, ok := designs[c.Design]
	if !ok {
		return fmt.Errorf("no design is called %q", c.Design)
	}
	s, err := openSeats(ctx, c.DatabaseURL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.db.Close()) }()
	t := tools{seats: s, redis: c.Redis, tries: c.Tries, keys: keys(c.Prefix), wakeups: newWakeups()}
	d := build(t)
	if err := t.wakeups.listen(ctx, c.Redis, t.keys); err != nil {
		return err
	}
	site, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return err
	}
	metrics, err := net.Listen("tcp", c.OpsAddr)
	if err != nil {
		return errors.Join(err, site.Close())
	}
	return serve(ctx, handler{d, s, newThreads(c.Threads)}, site, metrics)
}

// serve answers presses at site, and shows metrics, until ctx ends.
func serve(ctx context.Context, h handler, site, metrics net.Listener) error {
	ops := &http.Server{Handler: metricsOf(h.seats), ReadHeaderTimeout: time.Second}
	server := &fasthttp.Server{Logger: discard{}, Handler: h.handle}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return server.Serve(site) })
	group.Go(func() error { return ops.Serve(metrics) })
	group.Go(func() error {
		<-ctx.Done()
		return errors.Join(site.Close(), ops.Close())
	})
	err := group.Wait()
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil // that is how they end
	}
	return err
}

// discard drops what the server says of connections that diners break off.
type discard struct{}

func (discard) Printf(string, ...any) {}

// handler answers the requests of a crowd.
type handler struct {
	design  design
	seats   *seats
	threads threads
}

// threads bounds how many requests are worked on at once. The others wait, in order. nil bounds nothing.
type threads chan struct{}

func newThreads(n int) threads {
	if n == 0 {
		return nil
	}
	return make(threads, n)
}

func (t threads) take() {
	if t != nil {
		t <- struct{}{}
	}
}

func (t threads) giveBack() {
	if t != nil {
		<-t
	}
}

// handle answers a press, a page that needs the database, and everything else with 200: the rush asks whether the
// server is there.
func (h handler) handle(request *fasthttp.RequestCtx) {
	h.threads.take()
	defer h.threads.giveBack()
	switch string(request.Path()) {
	case "/api/reservations":
		h.press(request)
	case "/api/wallet":
		if err := h.seats.readPage(); err != nil {
			request.SetStatusCode(fasthttp.StatusServiceUnavailable)
		}
	}
}

func (h handler) press(request *fasthttp.RequestCtx) {
	var p press
	if err := json.Unmarshal(request.PostBody(), &p); err != nil {
		answer(request, fasthttp.StatusUnprocessableEntity, map[string]any{"code": "malformed"})
		return
	}
	p.UserID = strings.TrimPrefix(string(request.Request.Header.Peek("Authorization")), "Bearer ")
	id, err := h.design.reserve(p)
	var busy busyError
	switch {
	case err == nil:
		answer(request, fasthttp.StatusCreated, map[string]any{"id": id})
	case errors.As(err, &busy):
		answer(request, fasthttp.StatusConflict, map[string]any{"code": err.Error(), "waitingCount": busy.waiting})
	case errors.Is(err, errSoldOut), errors.Is(err, errDuplicate), errors.Is(err, errBusy):
		answer(request, fasthttp.StatusConflict, map[string]any{"code": err.Error()})
	default:
		answer(request, fasthttp.StatusInternalServerError, map[string]any{"code": "internal", "detail": err.Error()})
	}
}

func answer(request *fasthttp.RequestCtx, status int, body map[string]any) {
	request.SetStatusCode(status)
	request.SetContentType("application/json")
	_ = json.NewEncoder(request).Encode(body) // into memory
}

// metricsOf shows what a rush reads of a server.
func metricsOf(s *seats) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "lunchgo_db_connections_in_use_max",
			Help: "Most connections to the database in use at once."},
			func() float64 { return float64(s.most.Load()) }))
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	return mux
}
