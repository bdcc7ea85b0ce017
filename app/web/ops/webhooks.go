package ops

import (
	"github.com/prometheus/client_golang/prometheus"
)

// WebhookMetrics tell how deliveries of webhooks go. What waits is counted over the whole installation, tries in this
// process.
type WebhookMetrics struct {
	tries                    *prometheus.CounterVec
	waiting, retries, oldest prometheus.Gauge
}

// NewWebhookMetrics returns figures that are all 0.
func NewWebhookMetrics() *WebhookMetrics {
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	}
	m := &WebhookMetrics{
		tries: prometheus.NewCounterVec(prometheus.CounterOpts{Name: MetricWebhookTries,
			Help: "Tries to deliver a webhook by this process, by what came of the delivery: delivered, waiting, failed."},
			[]string{"result"}),
		waiting: gauge(MetricWebhookWaiting, "Deliveries of webhooks that wait, of all instances."),
		retries: gauge(MetricWebhookRetries, "Of them, those that have failed at least once."),
		oldest:  gauge(MetricWebhookOldest, "Age of the oldest event that was not tried yet."),
	}
	for _, result := range []string{"delivered", "waiting", "failed"} {
		m.tries.WithLabelValues(result)
	}
	return m
}

// Tried counts a try, by what the delivery is after it.
func (m *WebhookMetrics) Tried(result string) { m.tries.WithLabelValues(result).Inc() }

// Waits takes how many deliveries wait, how many of them have failed before, and the age of the oldest one in seconds.
func (m *WebhookMetrics) Waits(waiting, retries int, oldest float64) {
	m.waiting.Set(float64(waiting))
	m.retries.Set(float64(retries))
	m.oldest.Set(oldest)
}

func (m *WebhookMetrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.tries, m.waiting, m.retries, m.oldest}
}
