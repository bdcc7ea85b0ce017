// Package embedded runs private PostgreSQL and Redis servers as children of
// this process, from the binaries that are installed on the machine.
//
// A server keeps its data under the directory it is given and finds it again
// at the next start. It listens on a free port of the loopback, behind a
// password of its own, and ends when this process ends, however that happens.
// A server that dies on its own is started again on the same port.
package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	// startTimeout bounds one start, recovery after a crash included.
	startTimeout = 60 * time.Second
	// portAttempts bounds how often a port that another process took between
	// our choice and the server's bind is replaced.
	portAttempts = 5
	// restartPause is the pause before a server that died is started again; it
	// doubles with each failure up to restartPauseMax.
	restartPause    = 50 * time.Millisecond
	restartPauseMax = 5 * time.Second
)

// service is what sets PostgreSQL and Redis apart for the code that runs them.
type service struct {
	name     string   // names the folder, the lock and the URL file
	title    string   // names it in messages
	program  string   // path of the server's binary
	accounts []string // who runs it when we are root, by preference
	endings  []syscall.Signal

	prepare func(context.Context, *home) error
	command func(h *home, port int) command
	url     func(h *home, port int) (string, error)
	ping    func(ctx context.Context, url string) error
	ready   func(ctx context.Context, url string) error
}

// Server is a running private server. Its methods may be called from any
// goroutine.
type Server struct {
	// URL is where the server answers, with user, password and database. It
	// stays the same until Stop, over restarts too.
	URL string

	service service
	home    *home
	port    int
	log     *slog.Logger
	env     []string

	current  atomic.Pointer[child]
	held     atomic.Bool   // Kill was called: do not start it again
	revive   chan struct{} // Revive ends the hold
	stopping context.Context
	stop     context.CancelFunc
	finished chan struct{} // closed when the child is gone for good
	once     sync.Once
}

type environmentKey struct{}

// WithEnvironment returns a context in which servers are started with further
// variables, "NAME=value". It is for tests.
func WithEnvironment(ctx context.Context, variables ...string) context.Context {
	return context.WithValue(ctx, environmentKey{}, variables)
}

// start runs a service under dir until Stop. ctx bounds the start only.
func start(ctx context.Context, dir string, log *slog.Logger, svc service) (*Server, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	began := time.Now()

	h, err := openHome(ctx, dir, svc, log)
	if err != nil {
		return nil, err
	}
	env, _ := ctx.Value(environmentKey{}).([]string)
	s := &Server{service: svc, home: h, log: log, env: env, revive: make(chan struct{}, 1), finished: make(chan struct{})}
	first, err := s.begin(ctx)
	if err != nil {
		return nil, errors.Join(err, h.close())
	}
	s.stopping, s.stop = context.WithCancel(context.Background())
	go s.supervise(first)
	log.InfoContext(ctx, "private server started", "server", svc.title, "port", s.port, "dir", h.path, "took",
		time.Since(began).Round(time.Millisecond))
	return s, nil
}

// begin makes the data ready, launches the first child on a free port and
// records its URL.
func (s *Server) begin(ctx context.Context) (*child, error) {
	if s.service.prepare != nil {
		if err := s.service.prepare(ctx, s.home); err != nil {
			return nil, err
		}
	}
	first, err := s.launchOnFreePort(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.home.recordURL(s.URL); err != nil {
		first.end(s.service.endings)
		return nil, err
	}
	return first, nil
}

// launchOnFreePort launches the server on a port that nobody listens on. The
// port may be taken before the server binds it, in which case another is tried.
func (s *Server) launchOnFreePort(ctx context.Context) (*child, error) {
	for attempt := 1; ; attempt++ {
		port, err := freePort()
		if err != nil {
			return nil, err
		}
		if s.URL, err = s.service.url(s.home, port); err != nil {
			return nil, err
		}
		s.port = port
		c, err := s.launch(ctx)
		if err == nil || attempt == portAttempts || ctx.Err() != nil || !foundItsPortTaken(err) {
			return c, err
		}
	}
}

// launch starts the child on s.port and returns once it answers.
func (s *Server) launch(ctx context.Context) (*child, error) {
	how := s.service.command(s.home, s.port)
	how.env = s.env
	c, err := startChild(how)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", s.service.title, err)
	}
	s.current.Store(c)
	if err := s.awaitAnswer(ctx, c); err != nil {
		c.end(s.service.endings)
		return nil, err
	}
	if s.service.ready != nil {
		if err := s.service.ready(ctx, s.URL); err != nil {
			c.end(s.service.endings)
			return nil, fmt.Errorf("start %s: %w", s.service.title, err)
		}
	}
	return c, nil
}

// awaitAnswer pings until the server answers, ctx ends, or the child exits, where it is known.
func (s *Server) awaitAnswer(ctx context.Context, c *child) error {
	var exited <-chan struct{}
	if c != nil {
		exited = c.done
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		err := s.service.ping(ctx, s.URL)
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-exited:
			return fmt.Errorf("%s ended while starting (%v); the end of its log %s: %s",
				s.service.title, c.err, s.home.logPath(), s.home.logTail())
		case <-ctx.Done():
			return fmt.Errorf("%s does not answer (%w): %w", s.service.title, ctx.Err(), err)
		}
	}
}

// supervise owns the child: it starts it again when it dies and ends it when
// Stop is called.
func (s *Server) supervise(c *child) {
	defer close(s.finished)
	for c != nil {
		select {
		case <-s.stopping.Done():
			c.end(s.service.endings)
			return
		case <-c.done:
		}
		if s.held.Load() {
			select {
			case <-s.revive:
			case <-s.stopping.Done():
				return
			}
		} else {
			s.log.Error("private server died, starting it again", "server", s.service.title, "err", c.err)
		}
		c = s.relaunch()
	}
}

// relaunch starts the server on its old port until it answers. Returns nil
// when Stop is called first.
func (s *Server) relaunch() *child {
	pause := restartPause
	for {
		ctx, cancel := context.WithTimeout(s.stopping, startTimeout)
		err := s.home.endOrphans(ctx)
		var c *child
		if err == nil {
			c, err = s.launch(ctx)
		}
		cancel()
		if err == nil {
			return c
		}
		if s.stopping.Err() != nil {
			return nil
		}
		s.log.Error("private server does not start", "server", s.service.title, "err", err)
		select {
		case <-time.After(pause):
		case <-s.stopping.Done():
			return nil
		}
		pause = min(2*pause, restartPauseMax)
	}
}

// Stop ends the server in order and keeps its data. A server that does not
// end in four seconds, or within ctx, is killed, which it recovers from at the
// next start. Calls after the first wait for the first.
func (s *Server) Stop(ctx context.Context) error {
	var err error
	s.once.Do(func() {
		err = s.home.forgetURL()
		s.stop()
	})
	select {
	case <-s.finished:
	case <-ctx.Done():
		s.current.Load().kill()
		<-s.finished
		err = errors.Join(err, fmt.Errorf("%s was killed: %w", s.service.title, ctx.Err()))
	}
	return errors.Join(err, s.home.close())
}

// Kill ends the server at once, as a crash would, and leaves it down until
// Revive. It is for tests of what happens then.
func (s *Server) Kill() {
	s.held.Store(true)
	c := s.current.Load()
	c.kill()
	<-c.done
}

// Revive starts a server again that Kill ended, on the same port and data, and
// returns when it answers.
func (s *Server) Revive(ctx context.Context) error {
	if !s.held.CompareAndSwap(true, false) {
		return fmt.Errorf("%s was not killed", s.service.title)
	}
	s.revive <- struct{}{}
	return s.awaitAnswer(ctx, nil)
}

// freePort returns a loopback TCP port on which nobody listens now.
func freePort() (int, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	return port, l.Close()
}

// foundItsPortTaken reports whether a server ended because another socket had
// its port: it says so at the end of its log. To look at the port afterwards
// would not do, for an outgoing connection may have it for a moment only.
func foundItsPortTaken(err error) bool {
	return err != nil && strings.Contains(err.Error(), "Address already in use")
}
