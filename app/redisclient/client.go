// Package redisclient opens the product's connections to Redis: one server, a cluster, or the master that sentinels
// tell of. In front of each server stands a circuit breaker, so that nobody waits long for one that is away.
package redisclient

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// Conns is the size of the connection pool to a Redis server: a press makes two short calls, and thousands may come at
// once.
const Conns = 64

// How long Redis is waited for. Calls are short, and nearly all can be done without: who waits for a server that does
// not answer waits in vain.
const (
	timeout = 2 * time.Second // to connect, and to answer
	retries = 1               // of a call whose connection broke
	// clusterRetries is how often a call to a cluster is sent again, be it because another node has its slot by now.
	// The clients of its servers send nothing again by themselves: a silent one would be found so only after twice the
	// time.
	clusterRetries = 3
)

// Open connects to one server; to a cluster where several addresses are given, separated by commas; or to the master
// that sentinels tell of, where the address of one has ?master_name=, and &addr=host:port for each further sentinel.
func Open(address string) (redis.UniversalClient, error) {
	open := openServer
	if strings.Contains(address, ",") {
		open = openCluster
	} else if isSentinels(address) {
		open = openMaster
	}
	client, err := open(address)
	if err != nil {
		return nil, fmt.Errorf("REDIS_URL: %w", err)
	}
	return client, nil
}

func openServer(address string) (redis.UniversalClient, error) {
	options, err := redis.ParseURL(address)
	if err != nil {
		return nil, err
	}
	options.PoolSize, options.MaxRetries, options.DialerRetries = Conns, retries, 1
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = timeout, timeout, timeout
	options.ContextTimeoutEnabled = true
	return withBreaker(redis.NewClient(options), nil), nil
}

func openMaster(address string) (redis.UniversalClient, error) {
	options, err := redis.ParseFailoverURL(address)
	if err != nil {
		return nil, err
	}
	options.PoolSize, options.MaxRetries, options.DialerRetries = Conns, retries, 1
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = timeout, timeout, timeout
	options.ContextTimeoutEnabled = true
	return withBreaker(redis.NewFailoverClient(options), nil), nil
}

func openCluster(addresses string) (redis.UniversalClient, error) {
	var client *redis.ClusterClient
	// Left to itself the client sends calls to a dead master for up to a minute. A look at who leads now costs one
	// call; many at a time are one.
	lookAgain := func() { client.ReloadState(context.Background()) }
	cluster := &redis.ClusterOptions{
		PoolSize: Conns, MaxRetries: -1, MaxRedirects: clusterRetries, DialerRetries: 1, ContextTimeoutEnabled: true,
		DialTimeout: timeout, ReadTimeout: timeout, WriteTimeout: timeout,
		// a circuit breaker for each server
		NewClient: func(options *redis.Options) *redis.Client {
			return withBreaker(redis.NewClient(options), lookAgain)
		},
	}
	for address := range strings.SplitSeq(addresses, ",") {
		options, err := redis.ParseURL(address)
		if err != nil {
			return nil, err
		}
		cluster.Addrs = append(cluster.Addrs, options.Addr)
		cluster.Username, cluster.Password, cluster.TLSConfig = options.Username, options.Password, options.TLSConfig
	}
	client = redis.NewClusterClient(cluster)
	return client, nil
}

// connsOfReplica is how many connections there are to a replica of a cluster, which is asked for the cluster's state
// only.
const connsOfReplica = 4

// MaxConns is how many connections a client that Open or Connect returned has at a time, at most: in a cluster each
// master has a pool of its own. It asks the cluster who they are; one that does not answer has as many masters as it
// was opened with nodes.
func MaxConns(ctx context.Context, rdb redis.UniversalClient) int {
	cluster, ok := rdb.(*redis.ClusterClient)
	if !ok {
		return Conns
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var masters, replicas atomic.Int64
	count := func(n *atomic.Int64) func(context.Context, *redis.Client) error {
		return func(context.Context, *redis.Client) error {
			n.Add(1)
			return nil
		}
	}
	if errors.Join(cluster.ForEachMaster(ctx, count(&masters)), cluster.ForEachSlave(ctx, count(&replicas))) != nil {
		return Conns * len(cluster.Options().Addrs)
	}
	return Conns*int(masters.Load()) + connsOfReplica*int(replicas.Load())
}
