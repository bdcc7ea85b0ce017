package webtest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/booking"
	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/app/waiting"
	"lunchgo/db/dbtest"
)

// settledBytes is how much a settled ticket may take in Redis, whatever the diner wrote.
const settledBytes = 800

// bytesInRedis is the memory of the keys of a test's Redis whose names contain a part, and the longest of their lives.
func (r *harness) bytesInRedis(t *testing.T, part string) (bytes int64, longest time.Duration) {
	t.Helper()
	keys, err := r.Redis.Keys(t.Context(), r.Setup.Config.Prefix+"*"+part+"*").Result()
	dbtest.Must(t, err)
	for _, key := range keys {
		n, err := r.Redis.MemoryUsage(t.Context(), key, 0).Result()
		if errors.Is(err, redis.Nil) {
			continue // a limit's counter lives for a second or two, and has expired since
		}
		dbtest.Must(t, err)
		bytes += n
		longest = max(longest, r.Redis.PTTL(t.Context(), key).Val())
	}
	return bytes, longest
}

// fullNote is a request with all that a diner may write.
func (r *harness) fullNote(slot booking.SlotKey) map[string]any {
	body := r.requestFor(slot, 2)
	body["note"], body["allergies"] = strings.Repeat("창", booking.MaxNoteRunes),
		strings.Repeat("알", booking.MaxNoteRunes)
	return body
}

// A ticket with a full note shrinks to its result once it is settled, and lives as long as repeats need it; repeats,
// and another request under its key, are known by then too.
func TestTicket_ShrinksWhenItIsSettled(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, programtest.Setup{Redis: dbtest.PrivateRedisURL(t)})
	slot := r.slot("19:00")
	release := r.rival(t, slot)
	who, body := r.diner(t, 0), r.fullNote(slot)
	ticket := r.press(t, who, "key-1", "respond-async", body).want(t, 202, "").text(t, "ticket")
	waits, life := r.bytesInRedis(t, ":tickets")
	if waits < 3_000 || life < 30*time.Minute {
		t.Errorf("who waits has %d bytes for %v: the request is not there", waits, life)
	}
	release()
	made := r.press(t, who, "key-1", "wait=10", body).want(t, 201, "").text(t, "id")
	dbtest.Eventually(t, "the ticket has shrunk", func() bool {
		tickets, life := r.bytesInRedis(t, ":tickets")
		return tickets < settledBytes && life <= 15*time.Minute
	})
	settled, _ := r.bytesInRedis(t, ":tickets")
	t.Logf("%d bytes while it waits; settled %d", waits, settled)

	again := r.twin(t)
	if a := again.press(t, who, "key-1", "wait=10", body).want(t, 201, ""); a.text(t, "id") != made {
		t.Errorf("a repeat made %s", a.raw)
	}
	body["note"] = "another"
	again.press(t, who, "key-1", "wait=10", body).want(t, 422, "idempotency_key_reused")
	if a := again.get(t, who, "/api/tickets/"+ticket).want(t, 200, ""); a.json["reservationId"] != made {
		t.Errorf("the ticket: %s", a.raw)
	}
}

// A repeat that comes when the result is gone is a new press: the database knows what the first one made.
func TestTicket_ARepeatAfterItsTimeIsANewPress(t *testing.T) {
	t.Parallel()
	const repeats = 200 * time.Millisecond
	r := newHarnessWith(t, programtest.Setup{Config: program.Config{Room: waiting.Config{Repeats: repeats}}})
	slot, who := r.slot("19:00"), r.diner(t, 0)
	made := r.press(t, who, "key-1", "wait=10", r.requestFor(slot, 2)).want(t, 201, "").text(t, "id")
	r.press(t, who, "key-2", "wait=10", r.requestFor(slot, 3)).want(t, 409, "duplicate")
	dbtest.Eventually(t, "the results are gone", func() bool {
		tickets, _ := r.bytesInRedis(t, ":tickets")
		return tickets == 0
	})
	if a := r.press(t, who, "key-1", "wait=10", r.requestFor(slot, 2)).want(t, 201, ""); a.text(t, "id") != made {
		t.Errorf("the repeat made %s, not %s", a.raw, made)
	}
	r.press(t, who, "key-2", "wait=10", r.requestFor(slot, 3)).want(t, 409, "duplicate")
}

// README says how much memory Redis needs for each who waits with a full note.
func TestRedisMemory_OfWaiters(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, programtest.Setup{Redis: dbtest.PrivateRedisURL(t)})
	slot := r.slot("19:00")
	r.rival(t, slot)
	const waiters = 50
	before := r.usedMemory(t)
	for _, who := range r.crowd(t, waiters) {
		r.press(t, who, "key-1", "respond-async", r.fullNote(slot)).want(t, 202, "")
	}
	each := (r.usedMemory(t) - before) / waiters
	t.Logf("%d bytes each", each)
	if each > bytesPerWaiter {
		t.Errorf("each who waits takes %d bytes, README says that %d do", each, bytesPerWaiter)
	}
}

// bytesPerWaiter is what README reckons with.
const bytesPerWaiter = 10_000

// usedMemory is that of all keys.
func (r *harness) usedMemory(t *testing.T) int64 {
	t.Helper()
	bytes, _ := r.bytesInRedis(t, "")
	return bytes
}
