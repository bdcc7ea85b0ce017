package redisclient

import (
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

// Redis is reached as one server, as a cluster and through sentinels.
func TestOpen_ServerClusterAndSentinels(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts a cluster and sentinels")
	}
	for name, address := range map[string]string{
		"one server": dbtest.RedisURL(t),
		"cluster":    dbtest.RedisCluster(t).URL(),
		"sentinels":  dbtest.RedisSentinels(t).URL(),
	} {
		t.Run(name, func(t *testing.T) {
			rdb, err := Open(address)
			if err != nil {
				t.Fatal(err)
			}
			defer rdb.Close()
			key := dbtest.KeyPrefix(t) + "greeting"
			if err := rdb.Set(t.Context(), key, "hello", 0).Err(); err != nil {
				t.Fatal(err)
			}
			if got := rdb.GetDel(t.Context(), key).Val(); got != "hello" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestOpen_WrongAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"redis://127.0.0.1:1/zero", "redis://a:1,mysql://b:2", "redis://a:1/zero?master_name=m"} {
		if _, err := Open(address); err == nil || !strings.HasPrefix(err.Error(), "REDIS_URL: ") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
