package redisclient

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
)

// Whoever calls it, in a pipeline too, the client finds the replica that has taken the place of a master.
func TestCluster_FollowsAMasterThatWasReplaced(t *testing.T) {
	t.Parallel()
	cluster := dbtest.RedisCluster(t)
	rdb, err := Open(cluster.URL())
	dbtest.Must(t, err)
	defer rdb.Close()
	const key = "{person}:tickets"
	write := func() error {
		_, err := rdb.Pipelined(t.Context(), func(pipe redis.Pipeliner) error {
			pipe.HSet(t.Context(), key, "ticket", "waits")
			return nil
		})
		return err
	}
	dbtest.Must(t, write())
	killed := cluster.KillMaster(key)
	if err := write(); err == nil {
		t.Error("a dead master takes writes")
	}
	cluster.AwaitMaster(key, killed)
	dbtest.Eventually(t, "calls go to the new master", func() bool { return write() == nil })
}
