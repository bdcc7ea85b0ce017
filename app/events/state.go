package events

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
