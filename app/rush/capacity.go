package rush

import (
	"net"
	"net/netip"
)

const (
	// spareFiles is how many open files a process needs besides its diners' connections.
	spareFiles = 256
	// perSource is how many connections come from one address to one server. Linux has 28,232 ports for them by
	// default.
	perSource = 20_000
)

// processes is how many processes the diners need so that each process has an open file for each of its diners.
func (o Options) processes(servers []server) int {
	each := o.PerProcess
	if each == 0 {
		each = max(openFiles()-spareFiles-len(servers), 1)
	}
	return (o.Diners + each - 1) / each
}

// sourceOf is the address from which the i-th diner of a server connects; empty: any. A machine with Linux has the
// whole network 127.0.0.0/8 for its loopback, and so as many ports as a crowd needs.
func sourceOf(s server, i int) string {
	host, _, err := net.SplitHostPort(s.address)
	if err != nil || i < perSource {
		return ""
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	at, err := netip.ParseAddr(host)
	if err != nil || !at.Is4() || !at.IsLoopback() {
		return ""
	}
	return netip.AddrFrom4([4]byte{127, 0, 0, byte(1 + i/perSource)}).String()
}
