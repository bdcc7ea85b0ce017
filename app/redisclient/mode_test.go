package redisclient

import (
	"net/url"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// One address of a cluster is enough, and an address that is not what REDIS_URL makes of it is an error that says what
// to write.
func TestConnect_FindsOutWhatAnswers(t *testing.T) {
	t.Parallel()
	server := dbtest.RedisURL(t)
	cluster := dbtest.RedisCluster(t).URL()
	sentinels := dbtest.RedisSentinels(t).URL()
	node, _, _ := strings.Cut(cluster, ",")
	sentinel, _, _ := strings.Cut(sentinels, "?")
	away := dbtest.PrivateRedis(t)
	away.Kill()
	for name, c := range map[string]struct{ address, fault string }{
		"a server":                {server, ""},
		"a cluster":               {cluster, ""},
		"a cluster, a node away":  {away.URL + "," + cluster, ""},
		"a node":                  {node, ""},
		"sentinels":               {sentinels, ""},
		"several servers":         {server + "," + server, "write its address alone"},
		"a sentinel alone":        {sentinel, "add ?master_name="},
		"a server as a sentinel":  {server + "?master_name=line", "leave it out"},
		"a database of a cluster": {node + "/2", "leave the number out"},
	} {
		t.Run(name, func(t *testing.T) {
			rdb, err := Connect(t.Context(), c.address)
			if c.fault != "" {
				if err == nil || !strings.HasPrefix(err.Error(), "REDIS_URL: ") ||
					!strings.Contains(err.Error(), c.fault) {
					t.Errorf("%v, want %q", err, c.fault)
				}
				return
			}
			dbtest.Must(t, err)
			defer rdb.Close()
			for _, key := range []string{"foo", "hello", "c"} { // of three masters
				if err := rdb.Set(t.Context(), dbtest.KeyPrefix(t)+key, key, 0).Err(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// Nobody answers, or not to us: the caller gets the client all the same, and decides.
func TestConnect_NobodyAnswers(t *testing.T) {
	t.Parallel()
	away := dbtest.PrivateRedis(t)
	u, err := url.Parse(away.URL)
	dbtest.Must(t, err)
	u.User = url.UserPassword("default", "wrong")
	rdb, err := Connect(t.Context(), u.String())
	if rdb == nil || !locks.IsDenied(err) {
		t.Errorf("a wrong password: %v", err)
	}
	defer rdb.Close()
	away.Kill()
	if rdb, err = Connect(t.Context(), away.URL); rdb == nil || !locks.IsAway(err) || locks.IsDenied(err) {
		t.Errorf("a server that is away: %v", err)
	}
	defer rdb.Close()
}

// A client of one server that turns out to be a node of a cluster, once it answers, takes it for one that is away, and
// says why.
func TestOneServer_ThatIsANodeOfAClusterIsAway(t *testing.T) {
	t.Parallel()
	node, _, _ := strings.Cut(dbtest.RedisCluster(t).URL(), ",")
	rdb, err := Open(node)
	dbtest.Must(t, err)
	defer rdb.Close()
	moved := 0
	for _, key := range []string{"foo", "hello", "c"} { // of three masters
		var inPipeline *redis.StatusCmd
		_, err := rdb.Pipelined(t.Context(), func(pipe redis.Pipeliner) error {
			inPipeline = pipe.Set(t.Context(), key, 1, 0)
			return nil
		})
		if err == nil {
			continue
		}
		moved++
		for _, err := range []error{err, inPipeline.Err(), rdb.Set(t.Context(), key, 1, 0).Err()} {
			if !locks.IsAway(err) || !strings.Contains(err.Error(), "start LunchGo again") {
				t.Errorf("%s: %v", key, err)
			}
		}
	}
	if moved != 2 {
		t.Errorf("%d of three keys are at other masters", moved)
	}
}
