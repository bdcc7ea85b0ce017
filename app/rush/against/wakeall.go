package against

import "time"

// wakeAll is the shop's lock for each slot: its end is published, and everybody who waits tries to take it then.
type wakeAll struct{ tools }

func newWakeAll(t tools) design {
	t.wakeups.all = true
	return wakeAll{t}
}

func (d wakeAll) reserve(p press) (string, error) {
	l := d.lockOf(d.keys.ofSlot(p, "lock"), d.keys.ofSlot(p, "unlocked"))
	if !d.await(l, lockWait) {
		return "", errBusy
	}
	defer l.release()
	return d.seats.book(p, d.seats.find, nil)
}

// await takes a lock, and says whether it did within that time. It tries at the beginning, with each message, and when
// the time of a holder who says nothing must be over.
func (t tools) await(l lock, within time.Duration) bool {
	until := time.Now().Add(within)
	for {
		waiting := t.wakeups.enter(l.channel)
		if l.try() {
			t.wakeups.leave(l.channel, waiting)
			return true
		}
		timer := time.NewTimer(min(time.Until(until), l.ttl))
		select {
		case <-waiting.woken:
			timer.Stop()
		case <-timer.C:
			t.wakeups.leave(l.channel, waiting)
		}
		if time.Now().After(until) {
			return false
		}
	}
}
