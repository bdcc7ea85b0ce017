package main

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/redis/go-redis/v9"
)

// redisConns is the size of the connection pool to Redis: a press makes two short calls, and thousands may come at once.
const redisConns = 64

// openRedis connects to one server; to a cluster where several addresses are given, separated by commas; or to the master
// that sentinels tell of, where the address of one has ?master_name=, and &addr=host:port for each further sentinel.
func openRedis(address string) (redis.UniversalClient, error) {
	open := openServer
	if strings.Contains(address, ",") {
		open = openCluster
	} else if u, err := url.Parse(address); err == nil && u.Query().Has("master_name") {
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
	options.PoolSize = redisConns
	return redis.NewClient(options), nil
}

func openMaster(address string) (redis.UniversalClient, error) {
	options, err := redis.ParseFailoverURL(address)
	if err != nil {
		return nil, err
	}
	options.PoolSize = redisConns
	return redis.NewFailoverClient(options), nil
}

func openCluster(addresses string) (redis.UniversalClient, error) {
	cluster := &redis.ClusterOptions{PoolSize: redisConns}
	for address := range strings.SplitSeq(addresses, ",") {
		options, err := redis.ParseURL(address)
		if err != nil {
			return nil, err
		}
		cluster.Addrs = append(cluster.Addrs, options.Addr)
		cluster.Username, cluster.Password, cluster.TLSConfig = options.Username, options.Password, options.TLSConfig
	}
	return redis.NewClusterClient(cluster), nil
}
