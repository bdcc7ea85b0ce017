package providertest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"
)

// Fault is what goes wrong with a call of a provider.
type Fault int

// The faults of a call.
const (
	Busy    Fault = iota + 1 // 503, without effect
	Limited                  // 429, without effect
	Lost                     // it takes effect, and the connection breaks before the answer
	Silent                   // no answer, and no effect
)

// String names the fault in the names of tests.
func (f Fault) String() string {
	return [...]string{"none", "busy", "limited", "lost", "silent"}[f]
}

// Faults stands between an adapter and the fake of its provider. It is safe for concurrent use.
type Faults struct {
	Handler http.Handler
	Latency time.Duration // of every call
	// Choose, if it is there, says what goes wrong with a call for which Next has nothing.
	Choose func(*http.Request) Fault

	mu   sync.Mutex
	next Fault
}

// Next has a fault strike the next call that changes something.
func (f *Faults) Next(fault Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next = fault
}

func (f *Faults) of(r *http.Request) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.Method != http.MethodGet && f.next != 0 {
		fault := f.next
		f.next = 0
		return fault
	}
	if f.Choose != nil {
		return f.Choose(r)
	}
	return 0
}

// ServeHTTP passes a call on, unless something goes wrong.
func (f *Faults) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fault := f.of(r)
	if f.Latency > 0 {
		time.Sleep(f.Latency)
	}
	switch fault {
	case Busy:
		http.Error(w, "busy", http.StatusServiceUnavailable)
	case Limited:
		w.Header().Set("Retry-After", "1")
		http.Error(w, "too many requests", http.StatusTooManyRequests)
	case Lost:
		f.Handler.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	case Silent:
		_, _ = io.Copy(io.Discard, r.Body) // until then the server does not notice that the client has left
		<-r.Context().Done()
	default:
		f.Handler.ServeHTTP(w, r)
	}
}
