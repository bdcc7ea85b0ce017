package dbtest

import (
	"context"
	"crypto/rand"
	"net"
	"os"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/embedded"
)

// RedisFault is a way in which a Redis goes on to answer, but with errors.
type RedisFault struct {
	Reply string // what begins the replies to writes
	Loses bool   // the data too
	// Begin breaks the server. Returns what mends it.
	begin func(f *faultyRedis) (mend func())
}

// RedisFaults lists them.
func RedisFaults() []RedisFault {
	set := func(broken, sound string, parameters ...string) func(*faultyRedis) func() {
		return func(f *faultyRedis) func() {
			for _, parameter := range parameters {
				f.do("CONFIG", "SET", parameter, broken)
			}
			return func() {
				for _, parameter := range parameters {
					f.do("CONFIG", "SET", parameter, sound)
				}
			}
		}
	}
	return []RedisFault{
		{Reply: "OOM", begin: set("1", "0", "maxmemory")},
		{Reply: "NOREPLICAS", begin: set("1", "0", "min-replicas-to-write")},
		{Reply: "READONLY", begin: (*faultyRedis).demote},
		{Reply: "MASTERDOWN", begin: (*faultyRedis).demoteSilently},
		{Reply: "LOADING", Loses: true, begin: (*faultyRedis).load},
		{Reply: "MISCONF", begin: (*faultyRedis).fillDisk},
		{Reply: "BUSY", begin: (*faultyRedis).occupy},
		{Reply: "WRONGPASS", begin: (*faultyRedis).changePassword},
		{Reply: "NOPERM", begin: (*faultyRedis).forbid},
		{Reply: "ERR max number of clients", begin: (*faultyRedis).crowd},
	}
}

// Begin breaks a server for one test alone, and returns what mends it, once. The test's end does too.
func (f RedisFault) Begin(t testing.TB, server *embedded.Server) (mend func()) {
	t.Helper()
	broken := &faultyRedis{t: t, server: server}
	broken.admit()
	undo, done := f.begin(broken), false
	mend = func() {
		if !done {
			done = true
			undo()
			_ = broken.admin.Close()
		}
	}
	t.Cleanup(mend)
	return mend
}

// faultyRedis is a server that is broken, with a connection of somebody who may do everything.
type faultyRedis struct {
	t      testing.TB
	server *embedded.Server
	admin  *redis.Conn
}

const operator = "operator"

// admit makes a user for the connection that breaks and mends the server, so that it keeps its rights.
func (f *faultyRedis) admit() {
	f.t.Helper()
	options, err := redis.ParseURL(f.server.URL)
	if err != nil {
		f.t.Fatal(err)
	}
	rdb := redisClient(f.t, f.server.URL)
	password := rand.Text()
	if err := rdb.Do(context.Background(), "ACL", "SETUSER", operator, "on", ">"+password, "~*", "&*",
		"+@all").Err(); err != nil {
		f.t.Fatal(err)
	}
	options.Username, options.Password, options.MaxRetries = operator, password, -1
	client := redis.NewClient(options)
	f.t.Cleanup(func() { _ = client.Close() })
	f.admin = client.Conn()
	f.do("PING")
}

func (f *faultyRedis) do(command ...any) {
	f.t.Helper()
	if err := f.admin.Do(context.Background(), command...).Err(); err != nil {
		f.t.Fatalf("%v: %v", command, err)
	}
}

func (f *faultyRedis) setting(parameter string) string {
	f.t.Helper()
	values, err := f.admin.ConfigGet(context.Background(), parameter).Result()
	if err != nil {
		f.t.Fatal(err)
	}
	return values[parameter]
}

// disconnect closes the connections of everybody else.
func (f *faultyRedis) disconnect() { f.do("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes") }

// demote makes the server the replica of nobody.
func (f *faultyRedis) demote() func() {
	f.do("REPLICAOF", "127.0.0.1", "1")
	return func() { f.do("REPLICAOF", "NO", "ONE") }
}

func (f *faultyRedis) demoteSilently() func() {
	f.do("CONFIG", "SET", "replica-serve-stale-data", "no")
	return f.demote()
}

// load makes the server load another one's data, slowly.
func (f *faultyRedis) load() func() {
	source := PrivateRedis(f.t)
	options, err := redis.ParseURL(source.URL)
	if err != nil {
		f.t.Fatal(err)
	}
	other := redisClient(f.t, source.URL)
	const fill = `for i = 1, 5000 do redis.call('SET', 'key' .. i, string.rep('x', 100)) end`
	if err := other.Eval(context.Background(), fill, nil).Err(); err != nil && err != redis.Nil {
		f.t.Fatal(err)
	}
	for parameter, value := range map[string]string{"masterauth": options.Password,
		"key-load-delay": "2000", "loading-process-events-interval-bytes": "1024"} {
		f.do("CONFIG", "SET", parameter, value)
	}
	host, port, err := net.SplitHostPort(options.Addr)
	if err != nil {
		f.t.Fatal(err)
	}
	f.do("REPLICAOF", host, port)
	Eventually(f.t, "the server loads", func() bool {
		return redis.HasErrorPrefix(f.admin.Get(context.Background(), "key1").Err(), "LOADING")
	})
	return func() {
		f.do("CONFIG", "SET", "key-load-delay", "0")
		Eventually(f.t, "the server has loaded", func() bool {
			return f.admin.Do(context.Background(), "REPLICAOF", "NO", "ONE").Err() == nil &&
				f.admin.Get(context.Background(), "key5000").Err() == nil
		})
	}
}

// fillDisk lets the server fail to store its data.
func (f *faultyRedis) fillDisk() func() {
	dir := f.setting("dir")
	if err := os.Chmod(dir, 0o500); err != nil {
		f.t.Fatal(err)
	}
	f.do("CONFIG", "SET", "save", "3600 1000000")
	f.do("BGSAVE")
	Eventually(f.t, "storing has failed", func() bool {
		return redis.HasErrorPrefix(f.admin.Set(context.Background(), "probe", 1, time.Second).Err(), "MISCONF")
	})
	return func() {
		if err := os.Chmod(dir, 0o700); err != nil {
			f.t.Error(err)
		}
		f.do("CONFIG", "SET", "save", "")
		f.do("CONFIG", "SET", "stop-writes-on-bgsave-error", "no")
	}
}

// occupy runs a script without end.
func (f *faultyRedis) occupy() func() {
	f.do("CONFIG", "SET", "busy-reply-threshold", "50")
	options := *redisClient(f.t, f.server.URL).Options()
	options.MaxRetries, options.ReadTimeout = -1, -1
	endless := redis.NewClient(&options)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer endless.Close()
		_ = endless.Eval(context.Background(), `while true do end`, nil).Err()
	}()
	Eventually(f.t, "the server is busy", func() bool {
		return redis.HasErrorPrefix(f.admin.Get(context.Background(), "probe").Err(), "BUSY")
	})
	return func() {
		f.do("SCRIPT", "KILL")
		<-ended
	}
}

// changePassword makes that of everybody else wrong.
func (f *faultyRedis) changePassword() func() {
	old := f.setting("requirepass")
	f.do("CONFIG", "SET", "requirepass", rand.Text())
	f.disconnect()
	return func() { f.do("CONFIG", "SET", "requirepass", old) }
}

// forbid takes the right to write from everybody else.
func (f *faultyRedis) forbid() func() {
	f.do("ACL", "SETUSER", "default", "-@write")
	return func() { f.do("ACL", "SETUSER", "default", "+@write") }
}

// crowd lets nobody else in.
func (f *faultyRedis) crowd() func() {
	sound := f.setting("maxclients")
	f.do("CONFIG", "SET", "maxclients", "1")
	f.disconnect()
	return func() { f.do("CONFIG", "SET", "maxclients", sound) }
}
