package group

import (
	"context"
	"sync"

	"github.com/redis/go-redis/v9"
)

// ServerQueues are queues of what is sent to Redis, one for each server of a cluster: what has to wait for a server
// that is silent holds up nothing that another one has. For one server it is one queue. Its methods may be called at
// once from many goroutines.
type ServerQueues[T any] struct {
	Redis redis.Cmdable
	Key   func(item T) string // in whose slot the item's keys are
	Send  func(items []T)     // as of Queue, like Most and Calls
	Most  int
	Calls int // under way at once, to each server

	mu     sync.Mutex
	queues map[string]*Queue[T] // by address
}

// Add has an item sent, and does not wait for that.
func (q *ServerQueues[T]) Add(item T) {
	q.queue(ServerOf(q.Redis, q.Key(item))).Add(item)
}

// Do is Add for a caller who waits for the item anyway, as of Queue.
func (q *ServerQueues[T]) Do(item T) {
	q.queue(ServerOf(q.Redis, q.Key(item))).Do(item)
}

func (q *ServerQueues[T]) queue(server string) *Queue[T] {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.queues == nil {
		q.queues = map[string]*Queue[T]{}
	}
	if q.queues[server] == nil {
		q.queues[server] = &Queue[T]{Send: q.Send, Most: q.Most, Calls: q.Calls}
	}
	return q.queues[server]
}

// ServerOf returns the address of the master that has a key's slot, as far as the client knows: where it is wrong, the
// item goes with others, and is led to its server all the same. It is empty where there is one server only.
func ServerOf(rdb redis.Cmdable, key string) string {
	cluster, ok := rdb.(*redis.ClusterClient)
	if !ok {
		return ""
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // what is not known yet is not waited for
	master, err := cluster.MasterForKey(ctx, key)
	if err != nil {
		return ""
	}
	return master.Options().Addr
}
