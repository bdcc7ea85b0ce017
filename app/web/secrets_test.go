package web_test

import (
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"lunchgo/app/telemetry"
	"lunchgo/db/dbtest"
)

// Whoever has the token of an offer may answer it: what is in addresses does not get into the log, at any level.
func TestLog_HoldsNothingOfAddresses(t *testing.T) {
	t.Parallel()
	var log safeBuffer
	h := newHarness(t, func(h *harness) {
		h.setup.Log = slog.New(telemetry.Handler{Handler: slog.NewTextHandler(&log,
			&slog.HandlerOptions{Level: slog.LevelDebug})})
	})
	b := h.signedIn(0)
	const secret = "s3cretOfAnAddress"
	param, asked := regexp.MustCompile(`:\w+|\*`), 0
	for _, route := range h.Site.Routes() {
		method, pattern, _ := strings.Cut(route, " ")
		var form url.Values
		if method == "POST" {
			form = url.Values{"token": {secret}}
		}
		b.do(method, param.ReplaceAllString(pattern, secret)+"?token="+secret, form, "X-Request-ID", secret,
			"Traceparent", secret)
		b.do("GET", "/none/"+secret+"?next="+secret, nil)
		asked++
	}
	lines := log.String()
	if asked < 80 || strings.Count(lines, "msg=request ") < asked || !strings.Contains(lines, "route=/offers/:token ") {
		t.Fatalf("%d routes asked, %d lines in the log", asked, strings.Count(lines, "msg=request "))
	}
	for line := range strings.Lines(lines) {
		if strings.Contains(line, secret) {
			t.Errorf("the log says %s", line)
		}
	}
}

func TestCookies_AreForTLSOnly(t *testing.T) {
	t.Parallel()
	h := newHarness(t, func(h *harness) { h.setup.Config.Web.Secure = true })
	b := h.browser()
	up := b.post("/signup", url.Values{"email": {"kim@example.com"}, "name": {"Kim"}, "phone": {"010-1234-5678"},
		"password": {password}})
	session := strings.Split(up.header.Get("Set-Cookie"), ";")[0]
	seen := map[string]bool{}
	for _, p := range []page{
		up,
		b.post("/language", url.Values{"language": {"en"}}),
		b.get("/", "Cookie", "flash=success:flash.signed_out"),
		b.post("/signout", url.Values{}, "Cookie", session),
	} {
		for _, cookie := range p.header.Values("Set-Cookie") {
			name, _, _ := strings.Cut(cookie, "=")
			seen[name] = true
			for _, want := range []string{"; secure", "; HttpOnly", "; SameSite=Lax", "; path=/"} {
				if !strings.Contains(cookie, want) {
					t.Errorf("%q is set without %q", cookie, want)
				}
			}
		}
	}
	for _, name := range []string{"__Host-session", "flash", "lang"} {
		if !seen[name] {
			t.Errorf("the cookie %s was not seen, only %v", name, seen)
		}
	}
}

// One function makes all cookies, so that none lacks what they have in common.
func TestCookies_AreMadeInOnePlace(t *testing.T) {
	t.Parallel()
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		made := strings.Contains(string(text), "fiber.Cookie{") || strings.Contains(string(text), "http.Cookie{")
		if made != (path == filepath.Join("..", "web", "respond", "cookies.go")) {
			t.Errorf("%s makes cookies: %t", path, made)
		}
		return err
	})
	dbtest.Must(t, err)
}

// safeBuffer keeps what several goroutines write.
type safeBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
