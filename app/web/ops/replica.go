package ops

import "github.com/prometheus/client_golang/prometheus"

// replicaMetrics are the figures of a replica; none where there is none.
func replicaMetrics(stats ReplicaStats) []prometheus.Collector {
	if stats == nil {
		return nil
	}
	return []prometheus.Collector{
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: MetricReplicaRead,
			Help: "1 while the replica is read from; 0 while it is away or more than a second behind."},
			func() float64 {
				if _, read := stats(); read {
					return 1
				}
				return 0
			}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: MetricReplicaInUse,
			Help: "Connections to the replica at work."},
			func() float64 { s, _ := stats(); return float64(s.InUse) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: MetricReplicaWaits,
			Help: "Calls that had to wait for a connection to the replica."},
			func() float64 { s, _ := stats(); return float64(s.WaitCount) }),
	}
}
