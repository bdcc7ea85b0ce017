package webhooks

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestIsPublic_RefusesEverythingThatIsNot(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"93.184.216.34": true, "8.8.8.8": true, "172.15.255.255": true, "172.32.0.1": true, "100.63.255.255": true,
		"100.128.0.1": true, "2606:2800:220:1:248:1893:25c8:1946": true, "2a00:1450::1": true, "223.255.255.255": true,
		"0.0.0.0": false, "0.1.2.3": false, "10.0.0.1": false, "10.255.255.255": false, "100.64.0.1": false,
		"100.127.255.255": false, "127.0.0.1": false, "127.9.9.9": false, "169.254.169.254": false, "172.16.0.1": false,
		"172.31.255.255": false, "192.0.0.8": false, "192.0.2.1": false, "192.88.99.1": false, "192.168.1.1": false,
		"198.18.0.1": false, "198.19.255.255": false, "198.51.100.7": false, "203.0.113.7": false, "224.0.0.1": false,
		"239.255.255.255": false, "240.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "::ffff:127.0.0.1": false, "::ffff:8.8.8.8": false, "::8.8.8.8": false,
		"64:ff9b::7f00:1": false, "64:ff9b:1::1": false, "100::1": false, "2001::1": false, "2001:db8::1": false,
		"2002:7f00:1::": false, "3fff::1": false, "5f00::1": false, "fc00::1": false, "fd12::1": false, "fe80::1": false,
		"fe80::1%eth0": false, "fec0::1": false, "ff02::1": false, "2606:2800::1%eth0": false,
	} {
		if got := IsPublic(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s is public: %v", address, got)
		}
	}
	if IsPublic(netip.Addr{}) {
		t.Error("no address is public")
	}
}

// scripted answers with its addresses in turn; the last one stays.
type scripted struct {
	answers []string
	asked   atomic.Int64
}

func (s *scripted) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	at := min(int(s.asked.Add(1))-1, len(s.answers)-1)
	var all []netip.Addr
	for one := range strings.SplitSeq(s.answers[at], " ") {
		all = append(all, netip.MustParseAddr(one))
	}
	return all, nil
}

// inside is a server on the loopback that nobody may reach.
func inside(t *testing.T) (url string, reached *atomic.Int64) {
	t.Helper()
	reached = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	t.Cleanup(server.Close)
	return "http://rebinding.example:" + server.URL[strings.LastIndex(server.URL, ":")+1:], reached
}

var anyMessage = Message{ID: "evt_1", Type: TypeTest, At: time.Unix(1, 0), Data: []byte(`{}`)}

// A name server that answers a public address when it is checked, and the loopback when it is asked again, reaches
// nothing: the name is resolved once, and the checked address is dialled. The negative control dials the name and is
// led inside.
func TestClient_IsNotRebound(t *testing.T) {
	t.Parallel()
	url, reached := inside(t)
	names := &scripted{answers: []string{"93.184.216.34", "127.0.0.1"}}
	var dialled string
	guarded := dialer{resolver: names, dial: func(_ context.Context, _, address string) (net.Conn, error) {
		dialled = address
		return nil, errors.New("the test reaches no public address")
	}}
	host := strings.TrimPrefix(url, "http://")
	if _, err := guarded.DialContext(t.Context(), "tcp", host); err == nil {
		t.Error("connected")
	}
	if names.asked.Load() != 1 || !strings.HasPrefix(dialled, "93.184.216.34:") {
		t.Errorf("asked %d times, dialled %q", names.asked.Load(), dialled)
	}

	// Without the guard the check and the connection resolve each for itself.
	names.asked.Store(0)
	naive := &http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			again, err := names.LookupNetIP(ctx, "ip", "")
			if err != nil {
				return nil, err
			}
			return new(net.Dialer).DialContext(ctx, network,
				again[0].String()+address[strings.LastIndex(address, ":"):])
		}}}
	checked, err := names.LookupNetIP(t.Context(), "ip", "rebinding.example")
	if err != nil || !IsPublic(checked[0]) {
		t.Fatalf("the control's check: %v, %v", checked, err)
	}
	response, err := naive.Get(url)
	if err != nil || reached.Load() != 1 {
		t.Fatalf("the control did not reach the inside: %v, %d", err, reached.Load())
	}
	_ = response.Body.Close()
}

// One address that is not public refuses the host, literals and redirects among them; the setting for tests allows
// them.
func TestClient_RefusesWhatIsInside(t *testing.T) {
	t.Parallel()
	url, reached := inside(t)
	port := url[strings.LastIndex(url, ":"):]
	for name, test := range map[string]struct{ url, answer string }{
		"loopback":         {url, "127.0.0.1"},
		"mapped":           {url, "::ffff:127.0.0.1"},
		"one of two":       {url, "93.184.216.34 127.0.0.1"},
		"a literal":        {"http://127.0.0.1" + port, "93.184.216.34"},
		"a mapped literal": {"http://[::ffff:127.0.0.1]" + port, "93.184.216.34"},
		"a short literal":  {"http://127.1" + port, "127.0.0.1"},
	} {
		client := NewClient(ClientConfig{Resolver: &scripted{answers: []string{test.answer}}})
		if try := client.Send(t.Context(), test.url, []Secret{NewSecret()}, anyMessage); try.Failure != FailurePrivate {
			t.Errorf("%s: %+v", name, try)
		}
	}
	if reached.Load() != 0 {
		t.Errorf("the inside was reached %d times", reached.Load())
	}
	open := NewClient(ClientConfig{PrivateNetworks: true, Resolver: &scripted{answers: []string{"::ffff:127.0.0.1"}}})
	if try := open.Send(t.Context(), url, []Secret{NewSecret()}, anyMessage); !try.Delivered() || reached.Load() != 1 {
		t.Errorf("with the setting for tests: %+v", try)
	}
}

// A name with very many addresses makes one try connect to few of them.
func TestClient_DialsFewAddresses(t *testing.T) {
	t.Parallel()
	names := &scripted{answers: []string{strings.TrimSpace(strings.Repeat("93.184.216.34 ", 500))}}
	dialled := 0
	d := dialer{resolver: names, dial: func(context.Context, string, string) (net.Conn, error) {
		dialled++
		return nil, errors.New("refused")
	}}
	if _, err := d.DialContext(t.Context(), "tcp", "many.example:443"); err == nil || dialled != maxDialled {
		t.Errorf("%d addresses, %v", dialled, err)
	}
}
