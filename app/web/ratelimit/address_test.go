package ratelimit

import (
	"bytes"
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

func TestAddress_BelievesOnlyOurProxies(t *testing.T) {
	t.Parallel()
	g := New(Config{Proxies: []string{"10.0.0.0/8", "192.0.2.1", "nonsense"}, Log: slog.New(slog.DiscardHandler)})
	for name, c := range map[string]struct {
		from string
		said []string
		want string
	}{
		"nobody between":        {"198.51.100.7", nil, "198.51.100.7"},
		"a stranger's word":     {"198.51.100.7", []string{"203.0.113.9"}, "198.51.100.7"},
		"our proxy's word":      {"10.1.2.3", []string{"203.0.113.9"}, "203.0.113.9"},
		"two proxies":           {"192.0.2.1", []string{"203.0.113.9, 10.9.9.9"}, "203.0.113.9"},
		"a made-up beginning":   {"10.1.2.3", []string{"1.1.1.1, 203.0.113.9"}, "203.0.113.9"},
		"a line of its own":     {"10.1.2.3", []string{"1.1.1.1", "203.0.113.9"}, "203.0.113.9"},
		"nonsense":              {"10.1.2.3", []string{"203.0.113.9, <script>"}, "10.1.2.3"},
		"a whole IPv6 network":  {"2001:db8:1:2f3:4:5:6:7", nil, "2001:db8:1:200::/56"},
		"IPv4 in the other one": {"::ffff:198.51.100.7", nil, "198.51.100.7"},
	} {
		if got := g.address(requestFrom(t, c.from, c.said...)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// requestFrom is a request from an address, with X-Forwarded-For lines.
func requestFrom(t *testing.T, address string, forwarded ...string) *fiber.Ctx {
	t.Helper()
	raw := &fasthttp.RequestCtx{}
	raw.SetRemoteAddr(&net.TCPAddr{IP: net.ParseIP(address), Port: 4711})
	for _, line := range forwarded {
		raw.Request.Header.Add(fiber.HeaderXForwardedFor, line)
	}
	app := fiber.New()
	c := app.AcquireCtx(raw)
	t.Cleanup(func() { app.ReleaseCtx(c) })
	return c
}

// The log says once, and not at every request, that a proxy is not trusted; and nothing of a trusted one.
func TestAddress_WarnsOfAProxyThatIsNotTrusted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		proxies, forwarded []string
		warnings           int
	}{
		{nil, []string{"203.0.113.9"}, 1},
		{[]string{"10.1.2.3"}, []string{"203.0.113.9"}, 0},
		{nil, nil, 0},
	} {
		var written bytes.Buffer
		g := New(Config{Proxies: c.proxies, Log: slog.New(slog.NewTextHandler(&written, nil))})
		for range 100 {
			g.address(requestFrom(t, "10.1.2.3", c.forwarded...))
		}
		if got := strings.Count(written.String(), "TRUSTED_PROXIES"); got != c.warnings {
			t.Errorf("%+v: %d warnings: %s", c, got, written.String())
		}
	}
}
