package redisclient

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/redis/go-redis/v9"

	"lunchgo/locks"
)

// What a server says it is, as redis_mode of INFO. One that says nothing of it is taken for what REDIS_URL says.
const (
	modeServer   = "standalone"
	modeCluster  = "cluster"
	modeSentinel = "sentinel"
)

// Connect opens a client as Open does, after a look at what answers there: the address of one node of a cluster opens
// the cluster. Returns an error that says what REDIS_URL has to be where a server is not what it says. Where nothing
// answers, the client is the one that Open returns, with an error for which locks.IsAway holds or, where Redis refuses
// to answer, locks.IsDenied; the caller closes it.
func Connect(ctx context.Context, address string) (redis.UniversalClient, error) {
	client, err := Open(address)
	if err != nil {
		return nil, err
	}
	mode, database, err := askMode(ctx, address)
	if err != nil {
		return client, err
	}
	_, isCluster := client.(*redis.ClusterClient)
	fault := ""
	switch {
	case isCluster && mode == modeServer:
		fault = "several addresses are nodes of a Redis Cluster, and this server is none: write its address alone"
	case isSentinels(address) && mode != modeSentinel && mode != "":
		fault = "?master_name= goes with the address of a Sentinel, and this server is none: leave it out"
	case !isSentinels(address) && mode == modeSentinel:
		fault = "this server is a Sentinel: add ?master_name=NAME, and &addr=host:port for each further one"
	case mode == modeCluster && database != 0:
		fault = "this server is a node of a Redis Cluster, which has no databases: leave the number out"
	case mode == modeCluster && !isCluster:
		_ = client.Close() // it has no connections
		return openCluster(address)
	}
	if fault != "" {
		_ = client.Close()
		return nil, fmt.Errorf("REDIS_URL: %s", fault)
	}
	return client, nil
}

func isSentinels(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Query().Has("master_name")
}

// askMode asks the servers of an address, one after the other, what they are; the first that answers counts. It returns
// the number of the database too that the address names.
func askMode(ctx context.Context, address string) (mode string, database int, err error) {
	for part := range strings.SplitSeq(address, ",") {
		options, fault := redis.ParseURL(withoutMaster(part))
		if fault != nil {
			return "", 0, fmt.Errorf("REDIS_URL: %w", fault)
		}
		database, options.DB = max(database, options.DB), 0
		if mode, err = askServer(ctx, options); err == nil {
			return mode, database, nil
		}
	}
	return "", database, err
}

// withoutMaster is the address of a Sentinel as that of a server.
func withoutMaster(address string) string {
	u, err := url.Parse(address)
	if err != nil || !u.Query().Has("master_name") {
		return address
	}
	u.RawQuery, u.Path = "", ""
	return u.String()
}

// askServer asks one server. One that does not say what it is, or not to this user, is of no mode.
func askServer(ctx context.Context, options *redis.Options) (string, error) {
	options.MaxRetries, options.DialerRetries, options.ContextTimeoutEnabled = -1, 1, true
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = timeout, timeout, timeout
	server := redis.NewClient(options)
	defer server.Close()
	info, err := server.Info(ctx, "server").Result()
	if isReply(err) && !locks.IsAway(err) || redis.HasErrorPrefix(err, "NOPERM") {
		return "", nil
	}
	_, rest, _ := strings.Cut(info, "redis_mode:")
	mode, _, _ := strings.Cut(rest, "\r\n")
	return mode, err
}
