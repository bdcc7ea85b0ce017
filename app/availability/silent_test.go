//go:build unix

package availability

import (
	"testing"
	"time"

	"lunchgo/app/redisclient"
	"lunchgo/db/dbtest"
)

// A Redis that is silent, without being gone, costs a list of slots less than anybody's patience: the database answers.
// What changed meanwhile is stored once Redis goes on, long before what it had stored ends by itself.
func TestSilentRedis_DatabaseAnswersAndChangesAreStoredLater(t *testing.T) {
	t.Parallel()
	server := dbtest.PrivateRedis(t)
	h := newHarness(t)
	rdb, err := redisclient.Open(server.URL)
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = rdb.Close() })
	slot := h.source.set(at19, 2)
	writer, reader := Open(rdb, h.prefix, h.source, discard, nil), Open(rdb, h.prefix, h.source, discard, nil)
	t.Cleanup(writer.Close)
	t.Cleanup(reader.Close)
	writer.Changed(slot)
	dbtest.Eventually(t, "it is stored",
		func() bool { return rdb.Exists(t.Context(), writer.key(day{1, xmas})).Val() == 1 })

	server.Freeze()
	t.Cleanup(server.Thaw)
	begun := time.Now()
	if got := held(t, reader, at19); got != 2 || time.Since(begun) > redisTimeout+2*time.Second {
		t.Errorf("a silent Redis: %d held after %s", got, time.Since(begun))
	}
	h.source.set(at19, 4)
	writer.Changed(slot)
	dbtest.Eventually(t, "the writer knows", func() bool { return held(t, writer, at19) == 4 })
	server.Thaw()
	dbtest.Eventually(t, "another process knows", func() bool {
		slots, err := reader.read(t.Context(), day{1, xmas})
		if err != nil {
			return false
		}
		stored, err := decode(slots)
		return err == nil && stored[at19].Held == 4
	})
}
