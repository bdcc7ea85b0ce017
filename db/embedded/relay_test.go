package embedded

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"
)

// While a relay is frozen nothing comes through, neither what is said nor the end; afterwards all of it does.
func TestRelay_FrozenIsSilent(t *testing.T) {
	t.Parallel()
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	relay, err := NewRelay("tcp://" + server.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer relay.Close()
	client, err := net.Dial("tcp", relay.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	behind, err := server.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer behind.Close()
	says := func(text string) {
		t.Helper()
		if _, err := client.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	hears := func(within time.Duration) (string, error) {
		t.Helper()
		buffer := make([]byte, 8)
		if err := behind.SetReadDeadline(time.Now().Add(within)); err != nil {
			t.Fatal(err)
		}
		n, err := behind.Read(buffer)
		return string(buffer[:n]), err
	}
	says("one")
	if got, err := hears(time.Minute); got != "one" || err != nil {
		t.Fatalf("heard %q, %v", got, err)
	}
	relay.Freeze()
	says("two")
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := hears(50 * time.Millisecond); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("frozen, heard %q, %v", got, err)
	}
	relay.Thaw()
	if got, err := hears(time.Minute); got != "two" || err != nil {
		t.Errorf("thawed, heard %q, %v", got, err)
	}
	if _, err := hears(time.Minute); err != io.EOF {
		t.Errorf("the end came as %v", err)
	}
}

// A relay that is cut has no connection; mended it has new ones.
func TestRelay_CutEndsConnections(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	relay, err := NewRelay(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer relay.Close()
	client := &http.Client{Transport: &http.Transport{}} // it keeps its connection
	defer client.CloseIdleConnections()
	for _, step := range []struct {
		what string
		do   func()
		ok   bool
	}{{"whole", func() {}, true}, {"cut", relay.Cut, false}, {"cut still", func() {}, false}, {"mended", relay.Mend, true}} {
		step.do()
		response, err := client.Head(relay.URL)
		if err == nil {
			_ = response.Body.Close()
		}
		if (err == nil) != step.ok {
			t.Errorf("%s: %v", step.what, err)
		}
	}
}
