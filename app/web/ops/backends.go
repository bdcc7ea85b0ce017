package ops

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"lunchgo/app/refusal"
	"lunchgo/locks"
)

// What came of a call to PostgreSQL or Redis. An answer that refuses is an answer.
const (
	callAnswered = "answered"
	callAway     = "away"
)

// callBuckets are in seconds.
var callBuckets = prometheus.ExponentialBuckets(.0005, 2.5, 12)

// BackendMetrics time the calls to PostgreSQL and Redis. It implements redis.Hook, and its Database is for
// pg.Pool.Observe.
type BackendMetrics struct {
	database, redis *prometheus.HistogramVec
}

// NewBackendMetrics returns figures that are all zero.
func NewBackendMetrics() *BackendMetrics {
	calls := func(name, help string) *prometheus.HistogramVec {
		made := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: callBuckets},
			[]string{"result"})
		for _, result := range []string{callAnswered, callAway} {
			made.WithLabelValues(result) // 0 is a figure too
		}
		return made
	}
	return &BackendMetrics{
		database: calls(MetricDatabaseCalls,
			"Time of transactions and single statements, with the wait for a connection, by result."),
		redis: calls(MetricRedisCalls, "Time of calls to Redis, by result."),
	}
}

// Database counts a transaction, or a statement without one.
func (m *BackendMetrics) Database(took time.Duration, err error) {
	m.database.WithLabelValues(resultOf(errors.Is(err, refusal.ErrUnavailable))).Observe(took.Seconds())
}

func resultOf(away bool) string {
	if away {
		return callAway
	}
	return callAnswered
}

// DialHook implements redis.Hook.
func (m *BackendMetrics) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		return next(ctx, network, address)
	}
}

// ProcessHook implements redis.Hook.
func (m *BackendMetrics) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		begun := time.Now()
		err := next(ctx, cmd)
		m.noteRedis(begun, err)
		return err
	}
}

// ProcessPipelineHook implements redis.Hook.
func (m *BackendMetrics) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		begun := time.Now()
		err := next(ctx, cmds)
		m.noteRedis(begun, err)
		return err
	}
}

func (m *BackendMetrics) noteRedis(begun time.Time, err error) {
	if !errors.Is(err, context.Canceled) { // who gave up says nothing about the server
		m.redis.WithLabelValues(resultOf(locks.IsAway(err))).Observe(time.Since(begun).Seconds())
	}
}

// redisPool are the figures of the connections to Redis, read when they are asked for.
func redisPool(stats func() *redis.PoolStats) []prometheus.Collector {
	gauge := func(name, help string, value func(*redis.PoolStats) uint32) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			return float64(value(stats()))
		})
	}
	return []prometheus.Collector{
		gauge(MetricRedisConnections, "Connections to Redis.", func(s *redis.PoolStats) uint32 { return s.TotalConns }),
		gauge(MetricRedisIdle, "Connections to Redis that do nothing.", func(s *redis.PoolStats) uint32 {
			return s.IdleConns
		}),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: MetricRedisTimeouts,
			Help: "Calls that got no connection to Redis in time."},
			func() float64 { return float64(stats().Timeouts) }),
	}
}
