package redisclient

import (
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

func TestOpen_ServerClusterAndSentinels(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		address string
		conns   int
	}{
		"one server": {dbtest.RedisURL(t), Conns},
		"cluster":    {dbtest.RedisCluster(t).URL(), 3*Conns + 3*connsOfReplica},
		"sentinels":  {dbtest.RedisSentinels(t).URL(), Conns},
	} {
		t.Run(name, func(t *testing.T) {
			rdb, err := Open(c.address)
			dbtest.Must(t, err)
			defer rdb.Close()
			if n := MaxConns(t.Context(), rdb); n != c.conns {
				t.Errorf("%d connections at most, want %d", n, c.conns)
			}
			key := dbtest.KeyPrefix(t) + "greeting"
			dbtest.Must(t, rdb.Set(t.Context(), key, "hello", 0).Err())
			if got := rdb.GetDel(t.Context(), key).Val(); got != "hello" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestOpen_WrongAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"redis://127.0.0.1:1/zero", "redis://a:1,mysql://b:2",
		"redis://a:1/zero?master_name=m"} {
		if _, err := Open(address); err == nil || !strings.HasPrefix(err.Error(), "REDIS_URL: ") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// A cluster that does not answer has a master at each address, for all that is known.
func TestMaxConns_OfAClusterThatIsAway(t *testing.T) {
	t.Parallel()
	rdb, err := Open("redis://127.0.0.1:1,redis://127.0.0.1:2")
	dbtest.Must(t, err)
	defer rdb.Close()
	if n := MaxConns(t.Context(), rdb); n != 2*Conns {
		t.Errorf("%d connections at most", n)
	}
}
