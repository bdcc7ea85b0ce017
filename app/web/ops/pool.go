package ops

import (
	"database/sql"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
)

// poolMetrics are the figures of the database's connections, read when they are asked for.
type poolMetrics struct {
	unchecked
	stats func() sql.DBStats
	most  atomic.Int64
}

// sample reads the pool, and remembers the most connections at work: database/sql does not. Every request samples
// when it ends, so under load hardly a moment is missed.
func (p *poolMetrics) sample() sql.DBStats {
	stats := p.stats()
	now := int64(stats.InUse)
	for most := p.most.Load(); now > most && !p.most.CompareAndSwap(most, now); most = p.most.Load() {
	}
	return stats
}

// Collect implements prometheus.Collector.
func (p *poolMetrics) Collect(ch chan<- prometheus.Metric) {
	stats := p.sample()
	ch <- gauge(MetricConnectionsMax, "Connections the pool may have.", float64(stats.MaxOpenConnections))
	ch <- gauge(MetricConnectionsOpen, "Connections the pool has.", float64(stats.OpenConnections))
	ch <- gauge(MetricConnectionsInUse, "Connections at work.", float64(stats.InUse))
	ch <- gauge(MetricConnectionsInUseMax, "Most connections seen at work at once since the start.",
		float64(p.most.Load()))
	ch <- counter(MetricConnectionWaits, "Calls that had to wait for a connection.", float64(stats.WaitCount))
	ch <- counter(MetricConnectionWaitTime, "Time spent waiting for a connection.", stats.WaitDuration.Seconds())
}
