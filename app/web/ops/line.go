package ops

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"lunchgo/locks"
)

// LineMetrics counts what the line reports of itself. It implements locks.Observer.
type LineMetrics struct {
	handoff *prometheus.HistogramVec
	wait    prometheus.Histogram
	hold    prometheus.Histogram
	run     prometheus.Histogram
	events  *prometheus.CounterVec
}

// NewLineMetrics returns figures that are all zero.
func NewLineMetrics() *LineMetrics {
	m := &LineMetrics{
		handoff: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: MetricHandoff,
			Help:    "Time from the end of a turn to the begin of the next, by how the grant was learnt.",
			Buckets: prometheus.ExponentialBuckets(.00005, 1.6, 26)}, []string{"path"}),
		wait: prometheus.NewHistogram(prometheus.HistogramOpts{Name: MetricWait,
			Help:    "Time from arrival to the begin of the turn.",
			Buckets: prometheus.ExponentialBuckets(.005, 2.5, 14)}),
		hold: prometheus.NewHistogram(prometheus.HistogramOpts{Name: MetricHold,
			Help: "How long turns last.", Buckets: prometheus.ExponentialBuckets(.001, 2, 14)}),
		run: prometheus.NewHistogram(prometheus.HistogramOpts{Name: MetricRun,
			Help: "How many tickets a turn serves.", Buckets: []float64{1, 2, 4, 8, 16, 32, 64}}),
		events: prometheus.NewCounterVec(prometheus.CounterOpts{Name: MetricLineEvents,
			Help: "What happened in the lines, by event."}, []string{"event"}),
	}
	for _, event := range []locks.Event{locks.DeadReaped, locks.LeaseLapsed, locks.ClaimTimeout, locks.Abandoned,
		locks.StaleFence, locks.LeaseLost, locks.WentAway, locks.CameBack} {
		m.events.WithLabelValues(string(event)) // 0 is a figure too
	}
	return m
}

// Granted implements locks.Observer. A grant that is learnt by a beat is a push that was lost.
func (m *LineMetrics) Granted(_ locks.Name, by locks.Path, wait, handoff time.Duration) {
	m.wait.Observe(wait.Seconds())
	m.handoff.WithLabelValues(string(by)).Observe(handoff.Seconds())
}

// Released implements locks.Observer.
func (m *LineMetrics) Released(_ locks.Name, hold time.Duration, served int) {
	m.hold.Observe(hold.Seconds())
	m.run.Observe(float64(served))
}

// Happened implements locks.Observer.
func (m *LineMetrics) Happened(_ locks.Name, event locks.Event, n int) {
	m.events.WithLabelValues(string(event)).Add(float64(n))
}

func (m *LineMetrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.handoff, m.wait, m.hold, m.run, m.events}
}
