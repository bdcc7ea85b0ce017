//go:build unix

package dbtest_test

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
)

func TestAClusterKeepsItsDataOverAMovedSlotAFailOverAndAKill(t *testing.T) {
	t.Parallel()
	cluster := dbtest.RedisCluster(t)
	client := redis.NewClusterClient(cluster.Options())
	defer client.Close()
	const key = "{kept}"
	if err := client.Set(t.Context(), key, 42, 0).Err(); err != nil {
		t.Fatal(err)
	}
	owners := map[string]bool{cluster.Master(key): true}
	move := func(key string) { cluster.MoveSlot(key, nil) }
	for _, step := range []func(string){move, cluster.FailOver} {
		step(key)
		owners[cluster.Master(key)] = true
		if n, err := client.Get(t.Context(), key).Int(); n != 42 || err != nil {
			t.Fatalf("%d, %v", n, err)
		}
	}
	killed := cluster.KillMaster(key)
	cluster.AwaitMaster(key, killed)
	owners[cluster.Master(key)] = true
	client.ReloadState(t.Context())
	if n, err := client.Get(t.Context(), key).Int(); n != 42 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	if len(owners) != 3 { // the killed one had been the first of its pair, and got its place back
		t.Errorf("owned in turn by %v", owners)
	}
}
