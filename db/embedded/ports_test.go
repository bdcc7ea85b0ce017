package embedded

import (
	"log/slog"
	"net"
	"testing"
	"time"
)

// A server that could not have its port is started again on another one, also when the port is free again by then.
func TestAPortThatIsTakenIsNoticed(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	group := Group{Password: "p", DownTime: time.Second, Log: slog.New(slog.DiscardHandler)}
	server, err := group.startClusterNode(t.Context(), t.TempDir(), l.Addr().(*net.TCPAddr).Port)
	if err == nil {
		server.Kill()
		t.Fatal("it has started on a port that another one has")
	}
	if !foundItsPortTaken(err) {
		t.Errorf("the port is not named as the reason: %v", err)
	}
}
