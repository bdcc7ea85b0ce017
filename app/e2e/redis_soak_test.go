//go:build unix

package e2e_test

import (
	"fmt"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// A trial's crowd comes at a steady pace, so that a stall shows as a gap between two reservations.
const (
	shakenCrowd  = 560
	shakenTables = 480 // for how many of them there are tables
	shakenPace   = 40  // that come in a second
	shakenAt     = 4 * time.Second
)

// replicas are Redis servers that stand in for each other. key is one whose master a fault is about.
type replicas struct {
	url      string
	failOver func(key string)
	kill     func(key string)
	freeze   func(key string) (thaw func())
	flush    func() // nil: not tried
	master   func(key string) string
}

// downTimes are how long a server may be silent before another takes its place.
var downTimes = []time.Duration{2 * time.Second, 5 * time.Second}

// TestSoak_RedisCluster runs rushes at two instances over a Redis Cluster that is changed and broken in the middle.
func TestSoak_RedisCluster(t *testing.T) {
	skipUnlessSoak(t)
	shakeAll(t, func(t *testing.T, down time.Duration) replicas {
		cluster := dbtest.RedisClusterOf(t, down)
		return replicas{url: cluster.URL(), failOver: cluster.FailOver, freeze: cluster.FreezeMaster,
			flush: cluster.Flush, master: cluster.Master, kill: func(key string) { cluster.KillMaster(key) }}
	})
}

// TestSoak_RedisSentinel is TestSoak_RedisCluster over a master, its replica and their Sentinels.
func TestSoak_RedisSentinel(t *testing.T) {
	skipUnlessSoak(t)
	shakeAll(t, func(t *testing.T, down time.Duration) replicas {
		sentinels := dbtest.RedisSentinelsOf(t, down)
		return replicas{url: sentinels.URL(), failOver: func(string) { sentinels.FailOver() },
			freeze: func(string) func() { return sentinels.FreezeMaster() },
			master: func(string) string { return "" }, kill: func(string) { sentinels.KillMaster() }}
	})
}

// shakeAll runs each trial.
func shakeAll(t *testing.T, start func(*testing.T, time.Duration) replicas) {
	for _, trial := range []struct {
		name   string
		faulty func(s *shaken)
		reset  bool // the data is lost for certain
	}{
		{"calm", func(*shaken) {}, false},
		{"failover by hand", func(s *shaken) { s.failOver(s.key) }, false},
		{"master killed", func(s *shaken) { s.kill(s.key) }, false},
		{"all data lost", func(s *shaken) { s.flush() }, true},
		{"master frozen and back", func(s *shaken) {
			thaw := s.freeze(s.key)
			time.AfterFunc(4*s.down, thaw)
		}, false},
	} {
		for _, down := range downTimes {
			t.Run(fmt.Sprintf("%s, %s", trial.name, down), func(t *testing.T) {
				servers := start(t, down)
				if trial.reset && servers.flush == nil {
					t.Skip("of the Cluster")
				}
				s := newShaken(t, servers, down)
				s.run(trial.faulty)
				s.audit()
			})
		}
	}
}
