package e2e_test

import (
	"io"
	"net"
	"strings"
	"sync"
)

// wire is what lies between a browser and the server, and can be cut.
type wire struct {
	product  *product // as it is reached over the wire
	listener net.Listener
	to       string

	mu    sync.Mutex
	down  bool
	conns []net.Conn
}

// newWire lays a wire to the server that lasts as long as the test.
func (p *product) newWire() *wire {
	p.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(p.t, err)
	far := *p
	far.url = "http://" + listener.Addr().String()
	w := &wire{product: &far, listener: listener, to: strings.TrimPrefix(p.url, "http://")}
	p.t.Cleanup(func() {
		_ = listener.Close()
		w.cut()
	})
	go w.accept()
	return w
}

func (w *wire) accept() {
	for {
		near, err := w.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", w.to)
		if err != nil || !w.keep(near, far) {
			_ = near.Close()
			continue
		}
		go carry(far, near)
		go carry(near, far)
	}
}

// keep remembers the ends of a connection; false, and they are closed, while the wire is cut.
func (w *wire) keep(ends ...net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.down {
		w.conns = append(w.conns, ends...)
		return true
	}
	for _, end := range ends {
		_ = end.Close()
	}
	return false
}

// carry copies until either side is gone.
func carry(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	_ = to.Close()
}

// cut breaks all connections and lets no new ones through.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = true
	for _, conn := range w.conns {
		_ = conn.Close()
	}
	w.conns = nil
}

// mend lets new connections through.
func (w *wire) mend() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = false
}
