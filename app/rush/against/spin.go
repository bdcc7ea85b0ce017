package against

import "time"

// spinEvery is the pause between two tries.
const spinEvery = 50 * time.Millisecond

// spin is a lock for each slot that everybody who waits tries to take again and again.
type spin struct{ tools }

func newSpin(t tools) design { return spin{t} }

func (d spin) reserve(p press) (string, error) {
	l := d.lockOf(d.keys.ofSlot(p, "lock"), "")
	for until := time.Now().Add(lockWait); !l.try(); time.Sleep(spinEvery) {
		if time.Now().After(until) {
			return "", errBusy
		}
	}
	defer l.release()
	return d.seats.book(p, d.seats.find, nil)
}
