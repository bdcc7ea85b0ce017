package group_test

import (
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/group"
	"lunchgo/db/dbtest"
)

func open(t *testing.T, address string) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(address)
	dbtest.Must(t, err)
	options.MaxRetries, options.DialerRetries = -1, 1
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// A server that has never seen a script runs it all the same, and each call has its own answer or error.
func TestRunScripts_EachCallHasItsOwnAnswer(t *testing.T) {
	t.Parallel()
	rdb, key := open(t, dbtest.RedisURL(t)), dbtest.KeyPrefix(t)+"k"
	script := redis.NewScript("-- " + key + "\nif ARGV[1] == '0' then return redis.error_reply('ZERO is none') end\n" +
		"return ARGV[1] * 2")
	call := func(n int) group.Call { return group.Call{Script: script, Keys: []string{key}, Args: []any{n}} }
	for range 2 { // the second time it is known
		answers := group.RunScripts(t.Context(), rdb, []group.Call{call(1), call(0), call(3)})
		for i, want := range []int{2, 0, 6} {
			got, err := answers[i].Int()
			if refused := err != nil && strings.HasPrefix(err.Error(), "ZERO"); got != want || refused != (want == 0) {
				t.Errorf("answer %d: %d, %v", i, got, err)
			}
		}
	}
}

func TestPipeline_ARefusedConnectionIsEachCommandsError(t *testing.T) {
	t.Parallel()
	server := dbtest.PrivateRedis(t)
	for _, fault := range dbtest.RedisFaults() {
		if fault.Reply != "WRONGPASS" {
			continue
		}
		defer fault.Begin(t, server)()
		rdb := open(t, server.URL)
		var commands []redis.Cmder
		group.Pipeline(t.Context(), rdb, func(pipe redis.Pipeliner) {
			commands = []redis.Cmder{pipe.HGetAll(t.Context(), "a"), pipe.HGetAll(t.Context(), "b")}
		})
		for _, c := range commands {
			if c.Err() == nil {
				t.Errorf("%v has no error", c)
			}
		}
		return
	}
	t.Fatal("there is no such fault")
}
