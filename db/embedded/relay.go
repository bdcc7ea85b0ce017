package embedded

import (
	"net"
	"net/url"
	"sync"
)

// Relay stands between clients and a server, as a network does. Frozen, it is a network that has fallen silent:
// connections come about, and nothing gets through on them, not even their end. Cut, it has no connections.
type Relay struct {
	URL     string // of the server, as it is reached through the relay
	Address string // host:port of that

	listener net.Listener
	target   string
	busy     sync.WaitGroup

	mu     sync.Mutex
	thawed *sync.Cond
	frozen bool
	cut    bool
	ended  bool
	conns  []net.Conn
}

// NewRelay opens a relay on a free port of the loopback before the server of an address. Close it.
func NewRelay(address string) (*Relay, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &Relay{Address: listener.Addr().String(), listener: listener, target: u.Host}
	u.Host = r.Address
	r.URL = u.String()
	r.thawed = sync.NewCond(&r.mu)
	r.busy.Go(r.accept)
	return r, nil
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

// Cut ends all connections, and lets no new ones come about.
func (r *Relay) Cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cut = true
	for _, conn := range r.conns {
		_ = conn.Close()
	}
	r.conns = nil
}

// Mend lets new connections come about.
func (r *Relay) Mend() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cut = false
}

// Close ends all connections.
func (r *Relay) Close() error {
	r.mu.Lock()
	r.ended = true
	r.thawed.Broadcast()
	r.mu.Unlock()
	r.Cut()
	err := r.listener.Close()
	r.busy.Wait()
	return err
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
			_ = near.(*net.TCPConn).SetLinger(0) // a reset comes closest to a refusal
			_ = near.Close()
			continue
		}
		if r.keep(near, far) {
			r.busy.Go(func() { r.carry(far, near) })
			r.busy.Go(func() { r.carry(near, far) })
		}
	}
}

// keep remembers the ends of a connection; false, and they are closed, while the relay is cut.
func (r *Relay) keep(ends ...net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.cut {
		r.conns = append(r.conns, ends...)
		return true
	}
	for _, end := range ends {
		_ = end.Close()
	}
	return false
}

// carry passes on what comes from one side, and its end.
func (r *Relay) carry(to, from net.Conn) {
	defer to.Close()
	buffer := make([]byte, 4<<10) // two for each of thousands of connections
	for {
		n, err := from.Read(buffer)
		if !r.pass() || err != nil {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}
