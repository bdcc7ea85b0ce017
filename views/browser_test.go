package views_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"lunchgo/static"
	"lunchgo/views/browsertest"
)

// policyHeader is the content security policy that the product serves its pages under; violations come back to us.
const policyHeader = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; report-uri /csp"

// site serves every sample at /ko/name and /en/name, under the product's policy.
type site struct {
	*httptest.Server
	mux        *http.ServeMux
	mu         sync.Mutex
	violations []string
	routes     map[string]string
}

// route serves another path in a path's place.
func (s *site) route(path, instead string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.routes[path] = instead
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", policyHeader)
	s.mu.Lock()
	if instead, ok := s.routes[r.URL.Path]; ok {
		r.URL.Path = instead
	}
	s.mu.Unlock()
	s.mux.ServeHTTP(w, r)
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{mux: http.NewServeMux(), routes: map[string]string{}}
	for _, lang := range []string{"ko", "en"} {
		for name, page := range samples(lang) {
			s.mux.HandleFunc("GET /"+lang+"/"+name, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				if err := page.Render(r.Context(), w); err != nil {
					t.Error(err)
				}
			})
		}
	}
	s.mux.HandleFunc("GET "+static.Prefix, serveStatic)
	s.mux.HandleFunc("GET /sw.js", serveWorker)
	s.mux.HandleFunc("POST /csp", s.report)
	// The streams of the samples stay open and silent.
	silent := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	s.mux.HandleFunc("GET /tickets/T.s/events", silent)
	s.mux.HandleFunc("GET /staff/restaurants/1/tickets/T/events", silent)
	s.mux.HandleFunc("GET /waits/events", silent)
	s.mux.HandleFunc("GET /waitlist/w1/events", silent)
	s.mux.HandleFunc("GET /door/T/events", silent)
	s.mux.HandleFunc("GET /staff/restaurants/1/events", silent)
	s.mux.HandleFunc("GET /staff/restaurants/7/rehearsal/events", silent)
	s.mux.HandleFunc("GET /staff/restaurants/1/slots/2026-11-21/19:00/line/events", silent)
	s.mux.HandleFunc("GET /restaurants/sol-bap/seats/events", silent)
	// A page that stays open for longer than it takes to look again finds nothing new.
	s.mux.HandleFunc("GET /staff/restaurants/1/days/2026-12-25/closing", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	})
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func serveStatic(w http.ResponseWriter, r *http.Request) {
	content, contentType, ok := static.Open(strings.TrimPrefix(r.URL.Path, static.Prefix))
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "max-age=3600")
	_, _ = w.Write(content)
}

func serveWorker(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	http.ServeFileFS(w, r, static.FS, "js/sw.js")
}

func (s *site) report(_ http.ResponseWriter, r *http.Request) {
	var body struct {
		Report struct {
			Page      string `json:"document-uri"`
			Blocked   string `json:"blocked-uri"`
			Directive string `json:"violated-directive"`
		} `json:"csp-report"`
	}
	_ = json.NewDecoder(r.Body).Decode(&body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.violations = append(s.violations, fmt.Sprintf("%+v", body.Report))
}

// violated returns the violations of the security policy so far.
func (s *site) violated() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// process is a browser of this test process; it starts with the first test that asks for it.
type process struct {
	start func() (context.Context, func(), error)
	once  sync.Once
	ctx   context.Context
	end   func()
	err   error
}

var (
	headless = process{start: browsertest.Start}
	still    = process{start: browsertest.StartStill}
	whole    = process{start: browsertest.StartWhole}
)

func TestMain(m *testing.M) {
	code := m.Run()
	for _, p := range []*process{&headless, &still, &whole} {
		if p.end != nil {
			p.end()
		}
	}
	os.Exit(code)
}

// browser opens a tab with a profile of its own. With -short the test is skipped.
func browser(t *testing.T) context.Context {
	t.Helper()
	return headless.open(t)
}

func (p *process) open(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("browser tests are not short")
	}
	p.once.Do(func() { p.ctx, p.end, p.err = p.start() })
	must(t, p.err)
	ctx, cancel := chromedp.NewContext(p.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	must(t, chromedp.Do(ctx, chromedp.Navigate("about:blank")))
	return ctx
}

// failures collects the errors of the browser's console.
func failures(ctx context.Context) func() []string {
	var mu sync.Mutex
	var all []string
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleError || m.IsException() {
				mu.Lock()
				all = append(all, m.URL+": "+m.Text)
				mu.Unlock()
			}
		}
	}()
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

// evaluate returns the value of an expression in the page.
func evaluate[T any](ctx context.Context, t *testing.T, expression string) T {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	must(t, err)
	return value
}

// send is the step of sending a protocol command.
func send[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}
