package events

import (
	"sync"
	"time"
)

// failed counts a failure to send, and logs the first of a row, and the first that has a reason.
func (r *Relay) failed(err error) {
	r.Meter.SendFailed()
	state := "away"
	if err == errNoAnswer {
		state = "silent"
	}
	r.note(state, "events wait: Kafka does not take them", "error", err)
}

// note logs in which state the relay is, once: warnings for those other than sending.
func (r *Relay) note(state, message string, args ...any) {
	was := r.state.Load()
	if was != nil && (*was == state || *was == "away" && state == "silent") {
		return
	}
	r.state.Store(&state)
	if state == "sending" {
		r.Log.Info(message, args...)
		return
	}
	r.Log.Warn(message, args...)
}

// watch counts a batch as failed again and again while Kafka has not answered for too long.
type watch struct {
	mu    sync.Mutex
	over  bool
	timer *time.Timer
}

func (r *Relay) watch(why *complaint) *watch {
	w := &watch{}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(r.Paces.Slow, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if !w.over {
			r.failed(why.why())
			w.timer.Reset(r.Paces.Slow)
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
