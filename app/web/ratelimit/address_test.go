package ratelimit

import (
	"net"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

func TestAddressBelievesOnlyOurProxies(t *testing.T) {
	t.Parallel()
	app := fiber.New()
	g := NewGuard(nil, []string{"10.0.0.0/8", "192.0.2.1", "nonsense"})
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
		"a whole IPv6 network":  {"2001:db8:1:2:3:4:5:6", nil, "2001:db8:1:2::/64"},
		"IPv4 in the other one": {"::ffff:198.51.100.7", nil, "198.51.100.7"},
	} {
		raw := &fasthttp.RequestCtx{}
		raw.SetRemoteAddr(&net.TCPAddr{IP: net.ParseIP(c.from), Port: 4711})
		for _, line := range c.said {
			raw.Request.Header.Add(fiber.HeaderXForwardedFor, line)
		}
		ctx := app.AcquireCtx(raw)
		if got := g.address(ctx); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		app.ReleaseCtx(ctx)
	}
}
