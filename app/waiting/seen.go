package waiting

import (
	"context"
	"time"
)

// Storing what was seen is tried again after a pause, and given up when the database has been away for long: the holds
// last until Config.Seen's owner ends them, or their diners look again.
const (
	seenTries = 30
	seenPause = time.Second
	seenTime  = 10 * time.Second // for one try
)

// noteSeen notes that diners have got results for which nobody watched when their turn came. Those that come while a
// group is being stored go together in the next.
func (r *Room) noteSeen(results ...Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, result := range results {
		if result.Unseen && result.ReservationID != "" && r.cfg.Seen != nil {
			r.seen = append(r.seen, result.ReservationID)
		}
	}
	if len(r.seen) == 0 || r.storing {
		return
	}
	select {
	case <-r.closing: // Close stores the rest
		return
	default:
	}
	r.storing = true
	r.running.Go(r.storeSeenLoop)
}

// storeSeenLoop stores what was seen until nothing is left, or the room closes.
func (r *Room) storeSeenLoop() {
	for tries := 0; ; {
		r.mu.Lock()
		if len(r.seen) == 0 || tries == seenTries {
			r.storing = false
			r.mu.Unlock()
			return
		}
		r.mu.Unlock()
		if err := r.storeSeen(context.Background()); err == nil {
			tries = 0
			continue
		}
		tries++
		timer := time.NewTimer(seenPause)
		select {
		case <-timer.C:
		case <-r.closing:
			timer.Stop()
			return
		}
	}
}

// storeSeen stores what was seen by now.
func (r *Room) storeSeen(ctx context.Context) error {
	r.mu.Lock()
	ids := r.seen
	r.seen = nil
	r.mu.Unlock()
	if len(ids) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, seenTime)
	defer cancel()
	err := r.cfg.Seen(ctx, ids)
	if err != nil {
		r.cfg.Log.WarnContext(ctx, "store seen holds failed; will retry", "holds", len(ids), "error", err)
		r.mu.Lock()
		r.seen = append(ids, r.seen...)
		r.mu.Unlock()
	}
	return err
}
