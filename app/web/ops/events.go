package ops

import (
	"github.com/prometheus/client_golang/prometheus"

	"lunchgo/app/events"
)

// EventMetrics tell what waits to be sent to Kafka, while this process sends. It implements kafka.Meter.
type EventMetrics struct {
	waiting, oldest *prometheus.GaugeVec
	failed          *prometheus.CounterVec
}

// NewEventMetrics returns figures of a process that does not send yet.
func NewEventMetrics() *EventMetrics {
	gauge := func(name, help string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, []string{"topic"})
	}
	m := &EventMetrics{
		waiting: gauge(MetricEventsWaiting, "Events that wait to be sent to Kafka."),
		oldest:  gauge(MetricEventsOldest, "How long the first event that waits has waited."),
		failed: prometheus.NewCounterVec(prometheus.CounterOpts{Name: MetricEventFailures,
			Help: "How often Kafka did not take events."}, []string{"topic"}),
	}
	for _, topic := range events.Topics() {
		m.failed.WithLabelValues(topic)
	}
	return m
}

// Backlog takes what waits; nil when another process sends from now on.
func (m *EventMetrics) Backlog(byTopic map[string]events.Backlog) {
	if byTopic == nil {
		m.waiting.Reset()
		m.oldest.Reset()
	}
	for topic, b := range byTopic {
		m.waiting.WithLabelValues(topic).Set(float64(b.Waiting))
		m.oldest.WithLabelValues(topic).Set(b.Oldest.Seconds())
	}
}

// SendFailed counts a failure.
func (m *EventMetrics) SendFailed(topic string) { m.failed.WithLabelValues(topic).Inc() }

func (m *EventMetrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.waiting, m.oldest, m.failed}
}
