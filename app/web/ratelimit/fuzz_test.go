package ratelimit

import (
	"log/slog"
	"net"
	"net/netip"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// An address is that of the connection, unless a proxy of ours says otherwise: then it is one that can be counted.
func FuzzForwardedFor(f *testing.F) {
	for _, seed := range []string{"203.0.113.7", "203.0.113.7, 10.0.0.1", "2001:db8::1%eth0", "::ffff:10.0.0.1",
		"unknown, _hidden", ",,", "", "1.2.3.4:80"} {
		f.Add(seed, "10.0.0.9")
	}
	f.Add("9.9.9.9", "192.0.2.1")
	app, guard := fiber.New(), New(Config{Proxies: []string{"10.0.0.0/8", "::1"}, Log: slog.New(slog.DiscardHandler)})
	f.Fuzz(func(t *testing.T, header, remote string) {
		from, err := netip.ParseAddr(remote)
		if err != nil || from.Zone() != "" {
			return
		}
		request := &fasthttp.RequestCtx{}
		request.SetRemoteAddr(&net.TCPAddr{IP: from.AsSlice(), Port: 1})
		c := app.AcquireCtx(request)
		defer app.ReleaseCtx(c)
		c.Request().Header.Set(fiber.HeaderXForwardedFor, header)
		address := guard.address(c)
		if !guard.isProxy(from) && address != network(from.Unmap()) {
			t.Errorf("%s says %q and counts as %s", remote, header, address)
		}
		if _, err := netip.ParseAddr(address); err != nil {
			if _, err := netip.ParsePrefix(address); err != nil {
				t.Errorf("%s says %q and counts as %q", remote, header, address)
			}
		}
	})
}
