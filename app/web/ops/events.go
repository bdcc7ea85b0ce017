package ops

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"lunchgo/app/events"
)

// EventMetrics tell what waits to be sent to Kafka, while this process sends. It implements events.Meter and prometheus.Collector.
type EventMetrics struct {
	mu       sync.Mutex
	backlog  *events.Backlog // nil while another process sends
	failures float64

	waiting, oldest, failed *prometheus.Desc
}

var _ events.Meter = (*EventMetrics)(nil)

// NewEventMetrics returns figures of a process that does not send yet.
func NewEventMetrics() *EventMetrics {
	return &EventMetrics{
		waiting: prometheus.NewDesc(MetricEventsWaiting, "Events that wait to be sent to Kafka.", nil, nil),
		oldest:  prometheus.NewDesc(MetricEventsOldest, "How long the first event that waits has waited.", nil, nil),
		failed:  prometheus.NewDesc(MetricEventFailures, "How often Kafka did not take events.", nil, nil),
	}
}

// Backlog takes what waits; nil when another process sends from now on.
func (m *EventMetrics) Backlog(b *events.Backlog) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.backlog = b
}

// SendFailed counts a failure.
func (m *EventMetrics) SendFailed() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failures++
}

// Describe implements prometheus.Collector.
func (m *EventMetrics) Describe(ch chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{m.waiting, m.oldest, m.failed} {
		ch <- desc
	}
}

// Collect implements prometheus.Collector.
func (m *EventMetrics) Collect(ch chan<- prometheus.Metric) {
	m.mu.Lock()
	defer m.mu.Unlock()
	ch <- prometheus.MustNewConstMetric(m.failed, prometheus.CounterValue, m.failures)
	if m.backlog == nil {
		return
	}
	ch <- prometheus.MustNewConstMetric(m.waiting, prometheus.GaugeValue, float64(m.backlog.Waiting))
	ch <- prometheus.MustNewConstMetric(m.oldest, prometheus.GaugeValue, m.backlog.Oldest.Seconds())
}
