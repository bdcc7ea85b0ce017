package kafka

import (
	"sync"
	"time"
)

// failed counts a failure to send, and logs the first of a row, and the first that has a reason.
func (s *sender) failed(err error) {
	s.Meter.SendFailed(s.topic)
	state := "away"
	if err == errNoAnswer {
		state = "silent"
	}
	s.note(state, "events wait: Kafka does not take them", "error", err)
}

// note logs in which state the relay is, once: warnings for those other than sending.
func (s *sender) note(state, message string, args ...any) {
	if s.state == state || s.state == "away" && state == "silent" {
		return
	}
	s.state = state
	args = append(args, "topic", s.topic)
	if state == "sending" {
		s.Log.Info(message, args...)
		return
	}
	s.Log.Warn(message, args...)
}

// watch counts a batch as failed again and again while Kafka has not answered for too long.
type watch struct {
	mu    sync.Mutex
	over  bool
	timer *time.Timer
}

func (s *sender) watch() *watch {
	w := &watch{}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(s.Paces.Slow, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if !w.over {
			s.failed(s.complaint.why())
			w.timer.Reset(s.Paces.Slow)
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
