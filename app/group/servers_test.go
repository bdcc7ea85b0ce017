package group_test

import (
	"context"
	"testing"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/group"
)

// What waits for one server of a cluster holds up nothing that another one has. The control is a client of one server.
func TestServerQueues_ASilentServerHoldsUpItsOwn(t *testing.T) {
	t.Parallel()
	slots := func(context.Context) ([]redis.ClusterSlot, error) {
		return []redis.ClusterSlot{
			{Start: 0, End: 8191, Nodes: []redis.ClusterNode{{Addr: "127.0.0.1:1"}}},
			{Start: 8192, End: 16383, Nodes: []redis.ClusterNode{{Addr: "127.0.0.1:2"}}},
		}, nil
	}
	cluster := redis.NewClusterClient(&redis.ClusterOptions{ClusterSlots: slots})
	single := redis.NewClient(&redis.Options{})
	for name, c := range map[string]struct {
		rdb    redis.UniversalClient
		passes bool
	}{"a cluster": {cluster, true}, "one server": {single, false}} {
		t.Run(name, func(t *testing.T) {
			t.Cleanup(func() { _ = c.rdb.Close() })
			answer := make(chan struct{})
			sent := make(chan string, 2)
			queues := group.ServerQueues[string]{Redis: c.rdb, Key: func(key string) string { return key }, Most: 10,
				Calls: 1, Send: func(keys []string) {
					sent <- keys[0]
					<-answer
				}}
			queues.Add("foo") // slot 12182
			<-sent
			queues.Add("bar") // slot 5061
			if c.passes {
				<-sent
			} else if len(sent) > 0 {
				t.Error("two calls are under way")
			}
			close(answer)
		})
	}
}
