package against

import (
	_ "embed"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/rush"
)

// browserRetry is how often, and after which pause, the page presses again.
var browserRetry = rush.Retry{Times: 10, Least: 2 * time.Second, Most: 4 * time.Second}

// Times of the reservation queue.
const (
	userLockTTL = 5 * time.Second
	fairWait    = 2 * time.Second
	fairLease   = 30 * time.Second // the watchdog renews it
	fairRenewal = fairLease / 3
)

//go:embed fair_lock.lua
var fairLockLua string

//go:embed fair_release.lua
var fairReleaseLua string

var (
	fairLockScript    = redis.NewScript(fairLockLua)
	fairReleaseScript = redis.NewScript(fairReleaseLua)
)

// retry is the reservation queue: a lock for the diner, a fair lock for the slot, and the seat check under it. Who does
// not get the fair lock in time is refused, and the browser presses again later.
type retry struct{ tools }

func newRetry(t tools) design { return retry{t} }

// busyError is errBusy with how many wait.
type busyError struct{ waiting int64 }

func (busyError) Error() string { return errBusy.Error() }
func (busyError) Unwrap() error { return errBusy }

func (d retry) reserve(p press) (string, error) {
	user := d.lockOf(d.keys.ofUser(p.UserID), "")
	user.ttl = userLockTTL
	if !user.try() {
		return "", errDuplicate
	}
	defer user.release()
	count := d.keys.ofSlot(p, "waiting_count")
	waiting := d.redis.Incr(background, count).Val()
	defer d.redis.Decr(background, count)
	fair := fairLock{d.tools, d.keys.ofSlot(p, "fair"), user.token}
	defer fair.release()
	if !fair.await(fairWait) {
		return "", busyError{waiting}
	}
	defer fair.watch()()
	return d.seats.book(p, d.seats.lock, nil)
}

// fairLock is a lock that is given in the order in which it was asked for. Its end wakes the first who waits.
type fairLock struct {
	tools
	key, token string
}

// await takes the lock or a place in its queue, and says whether it has the lock within that time. Release it in either
// case.
func (l fairLock) await(within time.Duration) bool {
	until := time.Now().Add(within)
	channel := l.key + l.token
	for {
		waiting := l.wakeups.enter(channel)
		taken, err := fairLockScript.Run(background, l.redis, l.keysOf(), l.token, fairLease.Milliseconds(),
			time.Now().UnixMilli(), until.UnixMilli()).Int()
		if err == nil && taken == 1 {
			l.wakeups.leave(channel, waiting)
			return true
		}
		timer := time.NewTimer(time.Until(until))
		select {
		case <-waiting.woken:
			timer.Stop()
		case <-timer.C:
			l.wakeups.leave(channel, waiting)
			return false
		}
	}
}

// watch is the watchdog: until stop is called, the lock stays for as long as the process lives.
func (l fairLock) watch() (stop func()) {
	ended := make(chan struct{})
	timer := time.AfterFunc(fairRenewal, func() {
		for l.redis.PExpire(background, l.key, fairLease).Val() {
			select {
			case <-time.After(fairRenewal):
			case <-ended:
				return
			}
		}
	})
	return func() {
		timer.Stop()
		close(ended)
	}
}

func (l fairLock) release() {
	_ = fairReleaseScript.Run(background, l.redis, l.keysOf(), l.token, l.key).Err()
}

// keysOf are the lock, its queue, and when those in the queue have waited for long enough.
func (l fairLock) keysOf() []string { return []string{l.key, l.key + ":queue", l.key + ":deadlines"} }
