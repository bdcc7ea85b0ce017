package dbtest

import (
	"net"
	"net/url"
	"sync"
	"testing"
)

// Relay stands before a server. Frozen, it is like a server that stands still, or a dead link: connections come about,
// and nothing is answered on them.
type Relay struct {
	URL string // of the server, as it is reached through the relay

	listener net.Listener
	target   string
	busy     sync.WaitGroup

	mu     sync.Mutex
	thawed *sync.Cond
	frozen bool
	ended  bool
	conns  []net.Conn
}

// NewRelay opens a relay before the server of an address until the test ends.
func NewRelay(t testing.TB, address string) *Relay {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	r := &Relay{target: u.Host}
	r.thawed = sync.NewCond(&r.mu)
	if r.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	u.Host = r.listener.Addr().String()
	r.URL = u.String()
	r.busy.Go(r.accept)
	t.Cleanup(r.close)
	return r
}

// Freeze lets nothing through any more.
func (r *Relay) Freeze() { r.set(true) }

// Thaw lets everything through again, what came meanwhile too.
func (r *Relay) Thaw() { r.set(false) }

func (r *Relay) set(frozen bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.frozen = frozen
	r.thawed.Broadcast()
}

func (r *Relay) close() {
	r.mu.Lock()
	r.ended = true
	r.thawed.Broadcast()
	conns := r.conns
	r.mu.Unlock()
	_ = r.listener.Close()
	for _, conn := range conns {
		_ = conn.Close()
	}
	r.busy.Wait()
}

// pass waits while the relay is frozen; false when it has ended.
func (r *Relay) pass() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.frozen && !r.ended {
		r.thawed.Wait()
	}
	return !r.ended
}

func (r *Relay) accept() {
	for {
		near, err := r.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", r.target)
		if err != nil {
			_ = near.Close()
			continue
		}
		r.mu.Lock()
		r.conns = append(r.conns, near, far)
		r.mu.Unlock()
		r.busy.Go(func() { r.carry(far, near) })
		r.busy.Go(func() { r.carry(near, far) })
	}
}

// carry passes on what comes from one side until either is gone.
func (r *Relay) carry(to, from net.Conn) {
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil || !r.pass() {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}
