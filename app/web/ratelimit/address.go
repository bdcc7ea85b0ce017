package ratelimit

import (
	"bytes"
	"net/netip"
	"slices"

	"github.com/gofiber/fiber/v2"
)

// networkBits is how much of an IPv6 address names a network; the rest its owner chooses as they like.
const networkBits = 64

var comma = []byte(",")

// address names where a request comes from. What proxies of ours say is believed, each of the one before it; what comes
// before the first of others anybody may have made up.
func (g *Guard) address(c *fiber.Ctx) string {
	from, ok := netip.AddrFromSlice(c.Context().RemoteIP())
	if !ok {
		return ""
	}
	hops := bytes.Split(bytes.Join(c.Request().Header.PeekAll(fiber.HeaderXForwardedFor), comma), comma)
	for _, hop := range slices.Backward(hops) {
		before, err := netip.ParseAddr(string(bytes.TrimSpace(hop)))
		if err != nil || !g.isProxy(from) {
			break
		}
		from = before
	}
	return network(from.Unmap())
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
