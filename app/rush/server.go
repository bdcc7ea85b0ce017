package rush

import (
	"fmt"
	"net"
	"net/url"
)

// server is one instance of the installation.
type server struct {
	base    string // scheme and authority, without a slash at the end
	address string // host:port to connect to
	name    string // for TLS; empty without
}

// parseServers reads the addresses of instances. Returns an error for the first that is none.
func parseServers(addresses []string) ([]server, error) {
	servers := make([]server, 0, len(addresses))
	for _, text := range addresses {
		u, err := url.Parse(text)
		if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") ||
			(u.Path != "" && u.Path != "/") || u.RawQuery != "" {
			return nil, fmt.Errorf("an address is http(s)://host:port, not %q", text)
		}
		s := server{base: u.Scheme + "://" + u.Host, address: u.Host}
		port := "80"
		if u.Scheme == "https" {
			port, s.name = "443", u.Hostname()
		}
		if u.Port() == "" {
			s.address = net.JoinHostPort(u.Hostname(), port)
		}
		servers = append(servers, s)
	}
	return servers, nil
}
