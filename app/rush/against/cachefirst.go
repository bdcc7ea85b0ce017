package against

// cacheFirst is the sale of a performance: whether a slot has seats is asked of Redis first, and one lock serves all
// slots. The end of the lock is published; each process wakes the first who waits there.
type cacheFirst struct{ tools }

func newCacheFirst(t tools) design { return cacheFirst{t} }

func (d cacheFirst) reserve(p press) (string, error) {
	available := d.keys.ofSlot(p, "available")
	if d.redis.Get(background, available).Val() == "false" {
		return "", errSoldOut
	}
	l := d.lockOf(d.keys.global("lock"), d.keys.global("unlocked"))
	if !d.await(l, lockWait) {
		return "", errBusy
	}
	defer l.release()
	return d.seats.book(p, d.seats.find, func(left int) {
		if left < p.PartySize { // before the commit, as it was
			_ = d.redis.Set(background, available, "false", 0).Err()
		}
	})
}
