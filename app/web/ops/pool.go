package ops

import (
	"database/sql"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
)

// poolMetrics are the figures of the database's connections, read when they are asked for.
type poolMetrics struct {
	stats func() sql.DBStats
	most  atomic.Int64

	max, open, inUse, inUseMax, waits, waitTime *prometheus.Desc
}

func newPoolMetrics(stats func() sql.DBStats) *poolMetrics {
	desc := func(name, help string) *prometheus.Desc { return prometheus.NewDesc(name, help, nil, nil) }
	return &poolMetrics{
		stats:    stats,
		max:      desc(MetricConnectionsMax, "Connections the pool may have."),
		open:     desc(MetricConnectionsOpen, "Connections the pool has."),
		inUse:    desc(MetricConnectionsInUse, "Connections at work."),
		inUseMax: desc(MetricConnectionsInUseMax, "Most connections seen at work at once since the start."),
		waits:    desc(MetricConnectionWaits, "Calls that had to wait for a connection."),
		waitTime: desc(MetricConnectionWaitTime, "Time spent waiting for a connection."),
	}
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

// Describe implements prometheus.Collector.
func (p *poolMetrics) Describe(ch chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{p.max, p.open, p.inUse, p.inUseMax, p.waits, p.waitTime} {
		ch <- desc
	}
}

// Collect implements prometheus.Collector.
func (p *poolMetrics) Collect(ch chan<- prometheus.Metric) {
	stats := p.sample()
	gauge := func(desc *prometheus.Desc, value float64) {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value)
	}
	counter := func(desc *prometheus.Desc, value float64) {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, value)
	}
	gauge(p.max, float64(stats.MaxOpenConnections))
	gauge(p.open, float64(stats.OpenConnections))
	gauge(p.inUse, float64(stats.InUse))
	gauge(p.inUseMax, float64(p.most.Load()))
	counter(p.waits, float64(stats.WaitCount))
	counter(p.waitTime, stats.WaitDuration.Seconds())
}
