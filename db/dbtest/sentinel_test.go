//go:build unix

package dbtest_test

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
)

func TestSentinelsReplaceAKilledMaster(t *testing.T) {
	t.Parallel()
	sentinels := dbtest.RedisSentinels(t)
	client := redis.NewFailoverClient(sentinels.Options())
	defer client.Close()
	if err := client.Set(t.Context(), "kept", 42, 0).Err(); err != nil {
		t.Fatal(err)
	}
	if n, err := client.Wait(t.Context(), 1, 0).Result(); n != 1 || err != nil {
		t.Fatalf("%d replicas have it, %v", n, err)
	}
	before := sentinels.Master()
	sentinels.KillMaster()
	if after := sentinels.Master(); after == before {
		t.Errorf("%s is still the master", after)
	}
	if n, err := client.Get(t.Context(), "kept").Int(); n != 42 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}
