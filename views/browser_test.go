package views_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"lunchgo/static"
)

// policyHeader is the content security policy that the product serves its pages under; violations come back to us.
const policyHeader = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; report-uri /csp"

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
	s.mux.HandleFunc("POST /csp", s.report)
	// The streams of the samples stay open and silent.
	silent := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	s.mux.HandleFunc("GET /tickets/T.s/events", silent)
	s.mux.HandleFunc("GET /waitlist/w1/events", silent)
	s.mux.HandleFunc("GET /staff/restaurants/1/events", silent)
	s.mux.HandleFunc("GET /restaurants/sol-bap/seats/events", silent)
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

// browser starts a headless Chromium. With -short the test is skipped.
func browser(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("browser tests are not short")
	}
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Fatal("no chromium on this machine: .ci/setup test installs it")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-sync", true), chromedp.Flag("hide-scrollbars", true),
		// Pages that it keeps to go back to would keep their streams open, until no connection is left.
		chromedp.Flag("disable-back-forward-cache", true))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// failures collects what the browser's console complains about.
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

// look is one way of looking at the pages.
type look struct {
	lang   string
	width  int64
	scheme string
}

// looks are two that together see each language, width and scheme; all eight when screenshots are asked for.
func looks() []look {
	if os.Getenv("SHOTS") == "" {
		return []look{{"ko", 390, "light"}, {"en", 1280, "dark"}}
	}
	var all []look
	for _, lang := range []string{"ko", "en"} {
		for _, width := range []int64{390, 1280} {
			all = append(all, look{lang, width, "light"}, look{lang, width, "dark"})
		}
	}
	return all
}

func (l look) apply(ctx context.Context, t *chromedp.Target) error {
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.scheme}}
	_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
	return err
}

// TestPagesInBrowser loads every page in a browser: no violation of axe-core's rules or of the security policy, no
// script error, nothing wider than the screen. With SHOTS=folder it leaves pictures there.
func TestPagesInBrowser(t *testing.T) {
	ctx := browser(t)
	s := newSite(t)
	axe, err := os.ReadFile("../static/testdata/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	errors := failures(ctx)
	for _, l := range looks() {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(l.width, 900), chromedp.Func(l.apply)); err != nil {
			t.Fatal(err)
		}
		for name := range samples(l.lang) {
			if only := os.Getenv("PAGE"); only != "" && !strings.HasPrefix(name, only) {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s-%d-%s", name, l.lang, l.width, l.scheme), func(t *testing.T) {
				checkPage(ctx, t, s.URL+"/"+l.lang+"/"+name, string(axe))
			})
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.violations) > 0 {
		t.Errorf("content security policy violated:\n%s", strings.Join(s.violations, "\n"))
	}
	if found := errors(); len(found) > 0 {
		t.Errorf("script errors:\n%s", strings.Join(found, "\n"))
	}
}

// axeRun gives one line for each element that breaks a rule.
const axeRun = `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
	.then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ": " + n.target.join(" ") + ": " + n.failureSummary)))`

// tooWide gives the elements that reach over the right edge of the screen.
const tooWide = `document.documentElement.scrollWidth <= innerWidth ? [] :
	[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1)
		.map(e => e.tagName + "." + e.className)`

func checkPage(ctx context.Context, t *testing.T, url, axe string) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("SHOTS"); dir != "" {
		shoot(ctx, t, filepath.Join(dir, strings.ReplaceAll(strings.TrimPrefix(t.Name(), "TestPagesInBrowser/"), "/", "-")+".png"))
	}
	if wide, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](tooWide)); err != nil || len(wide) > 0 {
		t.Errorf("wider than the screen: %v %v", wide, err)
	}
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](axe+";true")); err != nil {
		t.Fatal(err)
	}
	found, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](axeRun, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	for _, violation := range found {
		t.Error(violation)
	}
}

func shoot(ctx context.Context, t *testing.T, file string) {
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, picture, 0o600); err != nil {
		t.Fatal(err)
	}
}
