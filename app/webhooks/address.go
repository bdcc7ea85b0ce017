package webhooks

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
)

// maxDialled is to how many addresses of a host one try connects at most: a name may have thousands, of other people's
// machines.
const maxDialled = 4

// ErrPrivateAddress says that an endpoint's host is inside a network that is not for everybody: the server's own, among
// others.
var ErrPrivateAddress = errors.New("webhooks: the host has an address that is not public")

// unicast6 is all of IPv6 that is for everybody; mapped, NAT64, local, site and multicast addresses are outside of it.
var unicast6 = netip.MustParsePrefix("2000::/3")

// notPublic returns the networks that are not for everybody, or that stand for others, by IANA's registries of
// special-purpose addresses.
func notPublic() []netip.Prefix {
	return []netip.Prefix{
		netip.MustParsePrefix("0.0.0.0/8"),     // this network
		netip.MustParsePrefix("10.0.0.0/8"),    // private
		netip.MustParsePrefix("100.64.0.0/10"), // of carriers
		netip.MustParsePrefix("127.0.0.0/8"),   // loopback
		// the host of a machine at Azure: a public address, answered inside only
		netip.MustParsePrefix("168.63.129.16/32"),
		netip.MustParsePrefix("169.254.0.0/16"),  // link-local, metadata of clouds
		netip.MustParsePrefix("172.16.0.0/12"),   // private
		netip.MustParsePrefix("192.0.0.0/24"),    // of protocols
		netip.MustParsePrefix("192.0.2.0/24"),    // documentation
		netip.MustParsePrefix("192.88.99.0/24"),  // 6to4 relays
		netip.MustParsePrefix("192.168.0.0/16"),  // private
		netip.MustParsePrefix("198.18.0.0/15"),   // benchmarks
		netip.MustParsePrefix("198.51.100.0/24"), // documentation
		netip.MustParsePrefix("203.0.113.0/24"),  // documentation
		netip.MustParsePrefix("224.0.0.0/4"),     // multicast
		netip.MustParsePrefix("240.0.0.0/4"),     // reserved, broadcast
		netip.MustParsePrefix("2001::/23"),       // of protocols, Teredo
		netip.MustParsePrefix("2001:db8::/32"),   // documentation
		netip.MustParsePrefix("2002::/16"),       // 6to4
		netip.MustParsePrefix("3fff::/20"),       // documentation
	}
}

// IsPublic says whether an address is one that everybody on the internet reaches.
func IsPublic(ip netip.Addr) bool {
	if !ip.IsValid() || ip.Zone() != "" || !ip.Is4() && !unicast6.Contains(ip) {
		return false
	}
	return !slices.ContainsFunc(notPublic(), func(p netip.Prefix) bool { return p.Contains(ip) })
}

// Resolver finds the addresses of a host; *net.Resolver does.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// dialer opens the connection of one try. It resolves the host once and dials an address that it has checked, never the
// name: a name server that answers differently the second time changes nothing.
type dialer struct {
	resolver Resolver
	private  bool // addresses that are not public may be dialled
	dial     func(ctx context.Context, network, address string) (net.Conn, error)
}

func (d dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	ips, err := d.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	for _, ip := range ips[:min(len(ips), maxDialled)] {
		var conn net.Conn
		conn, err = d.dial(ctx, network, net.JoinHostPort(ip.String(), port))
		if err == nil || ctx.Err() != nil {
			return conn, err
		}
	}
	return nil, err
}

// resolve returns the addresses of a host. One of them that is not public refuses all.
func (d dialer) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	ips := []netip.Addr{}
	if ip, err := netip.ParseAddr(host); err == nil {
		ips = append(ips, ip)
	} else {
		found, err := d.resolver.LookupNetIP(ctx, "ip", host)
		if err != nil {
			return nil, err
		}
		for _, ip := range found {
			ips = append(ips, ip.Unmap()) // the resolver writes addresses of IPv4 as mapped ones
		}
	}
	if len(ips) == 0 {
		return nil, fmt.Errorf("webhooks: %s has no address", host)
	}
	for _, ip := range ips {
		if !d.private && !IsPublic(ip) {
			return nil, ErrPrivateAddress
		}
	}
	return ips, nil
}
