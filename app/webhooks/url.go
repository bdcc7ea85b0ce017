package webhooks

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// CheckURL returns why an address of at most so many bytes is no endpoint's; empty for a good one. Names are resolved
// when something is sent. private allows addresses inside the server's network, and without TLS.
func CheckURL(text string, most int, private bool) (reason string) {
	u, err := url.Parse(text)
	switch {
	case text == "":
		return "required"
	case len(text) > most:
		return "too_long"
	case err != nil || u.User != nil || u.Fragment != "" || u.Opaque != "" || !isHost(u.Hostname()) ||
		!isPort(u.Port()) ||
		strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "invalid_url"
	case private && (u.Scheme == "http" || u.Scheme == "https"):
		return ""
	case u.Scheme != "https":
		return "https_only"
	case isSystemPort(u.Port()):
		return "invalid_port"
	case isInside(u.Hostname()):
		return "private_address"
	}
	return ""
}

// isHost says whether a host is an address or a name of the DNS. Names that some resolvers read as addresses, such as
// 127.1 and 0x7f000001, are none: their last label begins with a digit.
func isHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") ||
			strings.ContainsFunc(label, func(r rune) bool {
				return !isLetter(r) && !isDigit(r) && r != '-' && r != '_'
			}) {
			return false
		}
	}
	return len(host) <= 253 && !isDigit(rune(labels[len(labels)-1][0]))
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// isPort says whether a text is a port, or empty for the scheme's own.
func isPort(text string) bool {
	port, err := strconv.ParseUint(text, 10, 16)
	return text == "" || err == nil && port > 0
}

// isSystemPort says whether a port is one of those below 1024 that are not for HTTPS. Other services listen there, and
// what they answer is nothing that a stranger should learn through this server.
func isSystemPort(text string) bool {
	port, err := strconv.Atoi(text)
	return err == nil && port < 1024 && port != 443
}

// isInside says whether a host cannot be public, whatever it resolves to.
func isInside(host string) bool {
	ip, err := netip.ParseAddr(host)
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	return err == nil && !IsPublic(ip) || name == "localhost" || strings.HasSuffix(name, ".localhost")
}
