package ops

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Backlog is what waits in the tables of the installation. Every instance shows the same: take the largest.
type Backlog struct {
	Holds int // reservations that wait for payment
	// of them, those whose time ended more than a minute ago: a sweep should have freed their seats
	HoldsLate   int
	Mails       int           // letters that the mail server did not take, and that are tried again
	MailsOldest time.Duration // how long ago the first of them was noted

	Payments       int           // captures, refunds and releases that the payment provider has not decided
	PaymentsOldest time.Duration // how long the first of them waits
	Differences    int           // between the provider's list and the payments
}

const (
	backlogTime = time.Second      // for reading it
	backlogLife = 10 * time.Second // between two readings
)

// backlogMetrics read the tables when they are asked for, at most every 10 s. Where that fails, they have no values.
type backlogMetrics struct {
	unchecked
	read func(ctx context.Context) (Backlog, error)
	log  *slog.Logger

	mu    sync.Mutex
	at    time.Time
	last  Backlog
	known bool
}

// Collect implements prometheus.Collector.
func (m *backlogMetrics) Collect(ch chan<- prometheus.Metric) {
	now, known := m.now()
	if !known {
		return
	}
	ch <- gauge(MetricHolds, "Reservations that wait for payment, of the installation.", float64(now.Holds))
	ch <- gauge(MetricHoldsLate, "Of them, those that no sweep has ended a minute after their time.",
		float64(now.HoldsLate))
	ch <- gauge(MetricMails,
		"Letters that the mail server did not take yet, and that are tried again, of the installation.",
		float64(now.Mails))
	ch <- gauge(MetricMailsOldest, "How long ago the first of them was noted.", now.MailsOldest.Seconds())
	ch <- gauge(MetricPaymentsWaiting,
		"Captures, refunds and releases that the payment provider has not decided, of the installation.",
		float64(now.Payments))
	ch <- gauge(MetricPaymentsOldest, "How long the first of them waits, in seconds.", now.PaymentsOldest.Seconds())
	ch <- gauge(MetricPaymentDifferences,
		"Movements that only the payment provider's list has, or only the payments, of the last seven days.",
		float64(now.Differences))
}

func (m *backlogMetrics) now() (Backlog, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if time.Since(m.at) < backlogLife {
		return m.last, m.known
	}
	ctx, cancel := context.WithTimeout(context.Background(), backlogTime)
	defer cancel()
	last, err := m.read(ctx)
	if err != nil {
		m.log.WarnContext(ctx, "read backlog failed", "error", err)
	}
	m.at, m.last, m.known = time.Now(), last, err == nil
	return last, m.known
}
