package ops

import (
	"github.com/prometheus/client_golang/prometheus"

	"lunchgo/app/payments"
)

// PaymentMetrics tell how the payment provider answers this process.
type PaymentMetrics struct {
	calls    *prometheus.HistogramVec
	refusals *prometheus.CounterVec
}

// NewPaymentMetrics returns figures without a call. Those of calls that an alert counts are there as 0: Prometheus sees
// no increase to the first value that it sees.
func NewPaymentMetrics() *PaymentMetrics {
	m := &PaymentMetrics{
		calls: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: MetricPaymentCalls,
			Help: "Seconds that the payment provider took to answer a call, by the call (begin, find, capture, cancel, " +
				"refund) and what came of it: ok, refused, unsure.",
			Buckets: []float64{.05, .1, .2, .5, 1, 2, 5, 10}}, []string{"call", "result"}),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{Name: MetricPaymentRefusals,
			Help: "Calls that the payment provider refused for good, by the call and the provider's code."},
			[]string{"call", "code"}),
	}
	for _, call := range []string{"begin", "find", "capture", "cancel", "refund"} {
		for _, result := range []string{"ok", "refused", "unsure"} {
			m.calls.WithLabelValues(call, result)
		}
	}
	return m
}

// Called counts a call.
func (m *PaymentMetrics) Called(c payments.Call) {
	m.calls.WithLabelValues(c.Name, c.Result).Observe(c.Took.Seconds())
	if c.Code != "" {
		m.refusals.WithLabelValues(c.Name, c.Code).Inc()
	}
}

func (m *PaymentMetrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.calls, m.refusals}
}
