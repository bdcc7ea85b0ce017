package ops

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// AuditMetrics tell what the last audit found. They have no values until there was one. It implements
// prometheus.Collector.
type AuditMetrics struct {
	mu      sync.Mutex
	at      time.Time
	whole   time.Time
	took    float64
	byCheck map[string]int

	findings, lastRun, lastWhole, duration *prometheus.Desc
}

// NewAuditMetrics returns figures without values.
func NewAuditMetrics() *AuditMetrics {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	return &AuditMetrics{
		findings: desc(MetricAuditFindings, "Things that the last audit found wrong, by check.", "check"),
		lastRun:  desc(MetricAuditLastRun, "When the last audit began, at whichever instance."),
		lastWhole: desc(MetricAuditLastWhole,
			"When the last audit of everything began that came to its end; 0: none did."),
		duration: desc(MetricAuditDuration, "How long the last audit took."),
	}
}

// Audited takes the result of an audit: when it and the last one of everything began, how many seconds it took, and how
// much each check found.
func (m *AuditMetrics) Audited(at, whole time.Time, seconds float64, found map[string]int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.at, m.whole, m.took, m.byCheck = at, whole, seconds, found
}

// Describe implements prometheus.Collector.
func (m *AuditMetrics) Describe(ch chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{m.findings, m.lastRun, m.lastWhole, m.duration} {
		ch <- desc
	}
}

// Collect implements prometheus.Collector.
func (m *AuditMetrics) Collect(ch chan<- prometheus.Metric) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.at.IsZero() {
		return
	}
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	gauge(m.lastRun, float64(m.at.UnixMilli())/1e3)
	gauge(m.lastWhole, max(0, float64(m.whole.UnixMilli())/1e3))
	gauge(m.duration, m.took)
	for check, found := range m.byCheck {
		gauge(m.findings, float64(found), check)
	}
}
