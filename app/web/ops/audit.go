package ops

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// AuditMetrics tell what the last audit found. They have no values until there was one. It implements
// prometheus.Collector.
type AuditMetrics struct {
	unchecked
	mu      sync.Mutex
	at      time.Time
	whole   time.Time
	took    float64
	byCheck map[string]int
}

// Audited takes the result of an audit: when it and the last one of everything began, how many seconds it took, and how
// much each check found.
func (m *AuditMetrics) Audited(at, whole time.Time, seconds float64, found map[string]int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.at, m.whole, m.took, m.byCheck = at, whole, seconds, found
}

// Collect implements prometheus.Collector.
func (m *AuditMetrics) Collect(ch chan<- prometheus.Metric) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.at.IsZero() {
		return
	}
	ch <- gauge(MetricAuditLastRun, "When the last audit began, at whichever instance.", float64(m.at.UnixMilli())/1e3)
	ch <- gauge(MetricAuditLastWhole, "When the last audit of everything began that came to its end; 0: none did.",
		max(0, float64(m.whole.UnixMilli())/1e3))
	ch <- gauge(MetricAuditDuration, "How long the last audit took.", m.took)
	findings := prometheus.NewDesc(MetricAuditFindings, "Things that the last audit found wrong, by check.",
		[]string{"check"}, nil)
	for check, found := range m.byCheck { // in any order
		ch <- prometheus.MustNewConstMetric(findings, prometheus.GaugeValue, float64(found), check)
	}
}
