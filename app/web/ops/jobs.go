package ops

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// JobMetrics tell how what the product does by itself goes, in this process, by job.
type JobMetrics struct {
	runs *prometheus.CounterVec
	took *prometheus.CounterVec
	last *prometheus.GaugeVec
}

// NewJobMetrics returns figures of no job yet.
func NewJobMetrics() *JobMetrics {
	return &JobMetrics{
		runs: prometheus.NewCounterVec(prometheus.CounterOpts{Name: MetricJobRuns,
			Help: "Runs of what this process does by itself, by job and result: done, failed."},
			[]string{"job", "result"}),
		took: prometheus.NewCounterVec(prometheus.CounterOpts{Name: MetricJobTime,
			Help: "Time that those runs took."}, []string{"job"}),
		last: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: MetricJobLast,
			Help: "When a run was last done."}, []string{"job"}),
	}
}

// Ran counts a run that has just ended.
func (m *JobMetrics) Ran(job string, took time.Duration, err error) {
	m.took.WithLabelValues(job).Add(took.Seconds())
	if err != nil {
		m.runs.WithLabelValues(job, "failed").Inc()
		return
	}
	m.runs.WithLabelValues(job, "done").Inc()
	m.last.WithLabelValues(job).SetToCurrentTime()
}

func (m *JobMetrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.runs, m.took, m.last}
}
