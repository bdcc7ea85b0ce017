package ratelimit

import (
	"bytes"
	"net/netip"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
)

// networkBits is how much of an IPv6 address names a customer's network; the rest its owner chooses as they like. (RFC
// 6177: a home may get a /56.)
const networkBits = 56

var comma = []byte(",")

// address names where a request comes from. What proxies of ours say is believed, each of the one before it; what comes
// before the first of others anybody may have made up.
func (g *Guard) address(c *fiber.Ctx) string {
	from, ok := netip.AddrFromSlice(c.Context().RemoteIP())
	if !ok {
		return ""
	}
	hops := bytes.Split(bytes.Join(c.Request().Header.PeekAll(fiber.HeaderXForwardedFor), comma), comma)
	if !g.isProxy(from) {
		g.warnOfProxy(c, from)
		return network(from.Unmap())
	}
	for _, hop := range slices.Backward(hops) {
		before, err := netip.ParseAddr(string(bytes.TrimSpace(hop)))
		if err != nil || !g.isProxy(from) {
			break
		}
		from = before
	}
	return network(from.Unmap())
}

// proxyWarningEvery is how often the log says that a proxy is not trusted.
const proxyWarningEvery = time.Hour

// warnOfProxy says in the log that a request came through a proxy that is not trusted: if it is ours, everybody behind
// it counts as one address.
func (g *Guard) warnOfProxy(c *fiber.Ctx, from netip.Addr) {
	header := &c.Request().Header
	if len(header.Peek(fiber.HeaderXForwardedFor)) == 0 && len(header.Peek("Forwarded")) == 0 {
		return
	}
	now, last := time.Now().UnixNano(), g.warned.Load()
	if last != 0 && now-last < int64(proxyWarningEvery) || !g.warned.CompareAndSwap(last, now) {
		return
	}
	g.log.WarnContext(c.UserContext(),
		"a request names another client, but its sender is no trusted proxy: if it is yours, add it to TRUSTED_PROXIES, or "+
			"all behind it count as one address", "from", from.Unmap().String())
}

func (g *Guard) isProxy(address netip.Addr) bool {
	address = address.Unmap()
	return slices.ContainsFunc(g.proxies, func(p netip.Prefix) bool { return p.Contains(address) })
}

func network(address netip.Addr) string {
	if !address.Is6() {
		return address.String()
	}
	return netip.PrefixFrom(address, networkBits).Masked().String()
}

// prefixes reads addresses and networks; what is neither is left out.
func prefixes(texts []string) []netip.Prefix {
	var all []netip.Prefix
	for _, text := range texts {
		if p, err := netip.ParsePrefix(text); err == nil {
			all = append(all, p.Masked())
		} else if a, err := netip.ParseAddr(text); err == nil {
			all = append(all, netip.PrefixFrom(a, a.BitLen()))
		}
	}
	return all
}
