package events

import (
	"errors"
	"sync"
	"time"
)

// failed counts a failure to send, and logs the first of a row.
func (r *Relay) failed(err error) {
	r.Meter.SendFailed()
	r.note("away", "events wait: Kafka does not take them", "error", err)
}

// note logs in which state the relay is, once: warnings for those other than sending.
func (r *Relay) note(state, message string, args ...any) {
	if was := r.state.Swap(&state); was != nil && *was == state {
		return
	}
	if state == "sending" {
		r.Log.Info(message, args...)
		return
	}
	r.Log.Warn(message, args...)
}

// watch counts a batch as failed while Kafka has not answered for too long.
type watch struct {
	mu    sync.Mutex
	over  bool
	timer *time.Timer
}

func (r *Relay) watch() *watch {
	w := &watch{}
	w.timer = time.AfterFunc(r.Paces.Slow, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if !w.over {
			r.failed(errors.New("no answer"))
		}
	})
	return w
}

// end ends the watch: what it says comes before what the batch's end says.
func (w *watch) end() {
	w.timer.Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
}
