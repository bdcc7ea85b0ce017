// Package ops is what operators and their tools see of a process: whether it lives, whether it can serve, and its
// figures. It knows the parts it watches only as functions.
package ops

import (
	"context"
	"database/sql"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"sync/atomic"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/redis/go-redis/v9"

	"lunchgo/app/build"
	"lunchgo/app/estimate"
	"lunchgo/app/web/respond"
)

// Check says whether something that the process depends on answers.
type Check func(ctx context.Context) error

// PoolStats tells how the pool of the database's connections is used.
type PoolStats func() sql.DBStats

// ReplicaStats tells how the pool of a replica's connections is used, and whether the replica is read from.
type ReplicaStats func() (sql.DBStats, bool)

// Deps is what is watched.
type Deps struct {
	Checks           map[string]Check // by name, such as "postgres"; all must pass for the process to be ready
	OptionalChecks   map[string]Check // likewise, of what the process can do without for a while
	Pool             PoolStats
	Replica          ReplicaStats // nil without one
	Waiting          func() int   // tickets that wait in this process
	SuspendedTickets func() int   // of them, those in lines that staff keep still
	Away             func() int   // evenings and campaigns whose lines this process keeps by itself
	Streams          func() int64 // open event streams
	Accuracy         func() estimate.Figures
	Line             *LineMetrics    // what the line reports
	Backends         *BackendMetrics // calls to PostgreSQL and Redis
	RedisPool        func() *redis.PoolStats
	Backlog          func(context.Context) (Backlog, error) // what waits in the tables
	Jobs             *JobMetrics                            // what the process does by itself
	Audit            *AuditMetrics                          // what the auditor found
	// what waits to be sent to Kafka; nil where no events are sent
	Outgoing *EventMetrics
	Webhooks *WebhookMetrics // how deliveries go
	Payments *PaymentMetrics // how the payment provider answers
	Routes   *respond.Routes // what the figures of requests are named by
	Log      *slog.Logger
}

// Ops answers operators.
type Ops struct {
	Deps
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	inFlight prometheus.Gauge
	pool     *poolMetrics
	sitePort atomic.Int64
	stopping atomic.Bool
	build    build.Info
}

// New returns the operators' view of deps, with a registry of its own.
func New(deps Deps) *Ops {
	o := &Ops{Deps: deps, registry: prometheus.NewRegistry(), requests: newRequestMetrics(),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: MetricInFlight,
			Help: "Requests that have no answer yet."}),
		pool: &poolMetrics{stats: deps.Pool}, build: build.Read()}
	o.register()
	return o
}

// ServesAt notes the TCP port at which the site is served: a figure that says whose figures these are.
func (o *Ops) ServesAt(port int) { o.sitePort.Store(int64(port)) }

// Stop has /readyz answer 503 from now on.
func (o *Ops) Stop() { o.stopping.Store(true) }

// Mount adds the probes, which everybody may ask, and in front of whatever is mounted after it the measuring of
// requests. Mount it first.
func (o *Ops) Mount(r fiber.Router) {
	r.Use(o.measure)
	r.Get("/healthz", o.alive)
	r.Get("/readyz", o.ready)
}

// Handler answers what only operators may ask, at an address of their own: /metrics in the text format of Prometheus,
// and the profiles below /debug/pprof/.
func (o *Ops) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(o.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}
