// Package web is the site: pages for diners by templ, the JSON API, the staff's pages and what operators ask, over
// Fiber. Every route is in routes.go; every error ends in fail.go; each file besides is one page or one action.
package web

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/redis/go-redis/v9"

	"lunchgo/app/mail"
	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/app/telemetry"
	"lunchgo/app/token"
	"lunchgo/app/web/diner"
	"lunchgo/app/web/ops"
	"lunchgo/app/web/ratelimit"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/usecases"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
)

// Limits of a request.
const (
	readTimeout  = 10 * time.Second // of a request, head and body, if Config does not say
	workTimeout  = 10 * time.Second // of the work for it, if Config does not say
	writeTimeout = 15 * time.Second // of the answer; event streams set their own
	idleTimeout  = 60 * time.Second // between two requests on a connection
	idleWorker   = 2 * time.Second  // of a goroutine without a connection
	maxBody      = 64 << 10         // bytes
	maxHead      = 8 << 10          // bytes; room for the cookies
)

// Config is how the site is served.
type Config struct {
	Secure         bool     // over TLS, which a proxy ends
	TrustedProxies []string // addresses or networks whose X-Forwarded-… headers are believed
	// what addresses in QR codes and calendars begin with; empty: where a request was received
	BaseURL        string
	Limits         ratelimit.Limits    // of requests; zeros mean the defaults
	Ping           time.Duration       // the longest silence of an event stream; 0: the usual one
	Zone           *time.Location      // in which dates without a restaurant are read
	Demo           []diner.DemoAccount // offered on the sign-in page
	PlayMoney      bool                // wallets are charged without a payment, as in a demo; else not at all
	Mailbox        *mail.Mailbox       // shown at /mailbox: a demo's without a mail server; else nil
	NoLetters      bool                // letters are neither sent nor shown
	Texts          bool                // what cannot wait goes to phones as well
	ReadTimeout    time.Duration       // of a request, head and body; 10 s
	WorkTimeout    time.Duration       // of the work for a request; 10 s
	UploadTimeout  time.Duration       // of both for a request with a large body; 60 s
	MaxConnections int                 // open at a time; others are asked to come back; 0: any number
	Slow           time.Duration       // from when on a request gets a line in the log; 2 s
	Company        views.Company       // who runs the site, at the foot of every page
	// how long a form waits for its turn before it shows the line; nil: as long as people do not mind
	FormPatience func() time.Duration
}

// Deps is what the site works with.
type Deps struct {
	Config
	usecases.All
	Restaurants workplace.Restaurants // as their staff see them
	Payments    *payments.Service     // nil where no payment provider was ever set
	Bank        *practice.Bank        // of demos; nil where they pay otherwise

	Redis   redis.UniversalClient // counts what is limited
	Prefix  string                // of every key in Redis
	Secrets token.Secrets         // sign the cookies of known devices
	Log     *slog.Logger
	Tracer  *telemetry.Tracer // nil: no traces

	Watched ops.Deps // for operators; New adds what the site itself tells of
}

// Server serves the site.
type Server struct {
	watched    *atomic.Int64 // event streams that are open
	app        *fiber.App
	ops        *ops.Ops
	endStreams context.CancelFunc
	streams    *sync.WaitGroup // that are open
	most       int             // connections at a time
	draining   *atomic.Bool
	log        *slog.Logger
}

// New builds the site. Serve it, then Shutdown.
func New(deps Deps) *Server {
	until, endStreams := context.WithCancel(context.Background())
	layouts := respond.NewLayouts(deps.Identity.Store, deps.Wallets, deps.Company, deps.Log)
	routes := new(respond.Routes)
	guard := respond.Authenticator{Sessions: deps.Identity.Sessions, Secure: deps.Secure}
	uploads := newUploads(guard, deps.Bookings.Staff, cmp.Or(deps.WorkTimeout, workTimeout),
		cmp.Or(deps.UploadTimeout, uploadTimeout))
	failures := &failures{layouts: layouts, routes: routes, uploads: uploads, log: deps.Log}
	app := fiber.New(fiber.Config{
		Immutable:      true, // strings of a request end up in tickets, caches and logs
		CaseSensitive:  true,
		RequestMethods: methods(),
		ReadTimeout:    cmp.Or(deps.ReadTimeout, readTimeout),
		WriteTimeout:   writeTimeout,
		IdleTimeout:    idleTimeout,
		BodyLimit:      maxBody,
		ReadBufferSize: maxHead,
		// a connection between two requests has no buffers: thousands wait for a rush to begin
		ReduceMemoryUsage:       true,
		Network:                 fiber.NetworkTCP,
		DisableStartupMessage:   true,
		EnableTrustedProxyCheck: true,
		TrustedProxies:          deps.TrustedProxies,
		ErrorHandler:            failures.answerUnread,
	})
	renameUnknown(app)
	app.Server().HeaderReceived = uploads.admit
	app.Server().KeepHijackedConns = true // event streams close theirs
	// a crowd's goroutines with their grown stacks go when it has pressed
	app.Server().MaxIdleWorkerDuration = idleWorker
	open, running := new(atomic.Int64), new(sync.WaitGroup)
	watched := deps.Watched
	watched.RedisPool, watched.Routes, watched.Log = deps.Redis.PoolStats, routes, deps.Log
	watched.Waiting, watched.SuspendedTickets = deps.Room.Waiting, deps.Room.SuspendedTickets
	watched.Away, watched.Accuracy, watched.Streams = deps.Room.Away, deps.Room.Accuracy, open.Load
	operators := ops.New(watched)
	draining := new(atomic.Bool)
	app.Use(uploads.release, refuseAmbiguous, closeConnections(draining))
	operators.Mount(app) // before the rest: it measures what comes after
	limits := deps.newLimits()
	for _, handler := range append(middleware(deps, failures, guard), limits.Read) {
		app.Use(handler)
	}
	mount(app, deps, parts{layouts: layouts, sessions: guard, limits: limits,
		streams: respond.Streams{Until: until, Log: deps.Log, Open: open, Running: running, Buffers: new(sync.Pool),
			Sessions: deps.Identity.Sessions, Ping: deps.Ping, ForPages: true},
		downloads: respond.NewDownloads(until, deps.Log, respond.MaxDownloads)})
	return &Server{app: app, ops: operators, endStreams: endStreams, streams: running, most: deps.MaxConnections,
		watched: open, draining: draining, log: deps.Log}
}

func (d Deps) newLimits() *ratelimit.Guard {
	return ratelimit.New(ratelimit.Config{People: d.Identity, Redis: d.Redis, Prefix: d.Prefix, Secrets: d.Secrets,
		Secure: d.Secure, Proxies: d.TrustedProxies, Limits: d.Limits, Log: d.Log})
}

// parts are what the handlers share besides Deps.
type parts struct {
	layouts   *respond.Layouts
	streams   respond.Streams
	downloads *respond.Downloads
	sessions  respond.Authenticator
	limits    *ratelimit.Guard
}

// Serve serves on a listener, which it closes in the end. It returns as soon as a Shutdown begins: wait for that one.
func (s *Server) Serve(at net.Listener) error {
	if address, ok := at.Addr().(*net.TCPAddr); ok {
		s.ops.ServesAt(address.Port)
	}
	return s.app.Listener(newListener(at, s.most, s.connections, s.log))
}

// connections is how many are open. Those of event streams are no longer the router's.
func (s *Server) connections() int {
	return int(s.app.Server().GetOpenConnectionsCount()) + int(s.watched.Load())
}

// Operators answers /metrics and the profiles, for an address that only operators reach.
func (s *Server) Operators() http.Handler { return s.ops.Handler() }

// Shutdown takes no more requests, ends the event streams, whose browsers come back by themselves, and waits until what
// is under way is answered or ctx ends.
func (s *Server) Shutdown(ctx context.Context) error {
	s.endStreams()
	if err := s.app.ShutdownWithContext(ctx); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		s.streams.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Routes lists what is mounted, each address once, as "GET /path".
func (s *Server) Routes() []string {
	var routes []string
	for _, route := range s.app.GetRoutes(true) {
		address := route.Method + " " + route.Path
		if route.Method != fiber.MethodHead && !slices.Contains(routes, address) { // Fiber adds HEAD to every GET
			routes = append(routes, address)
		}
	}
	return routes
}
