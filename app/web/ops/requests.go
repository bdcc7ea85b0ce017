package ops

import (
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"

	"lunchgo/app/web/respond"
)

func newRequestMetrics() *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    MetricRequests,
		Help:    "Time to an answer by route, method and class of the status.",
		Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
	}, []string{"route", "method", "status"})
}

// statusClass is 2xx for 200 to 299.
func statusClass(status int) string { return strconv.Itoa(status/100) + "xx" }

// measure is middleware that times requests. An error that nobody answered yet is measured by the status it is going to
// become.
func (o *Ops) measure(c *fiber.Ctx) error {
	started := time.Now()
	o.inFlight.Inc()
	defer o.inFlight.Dec()
	err := c.Next()
	o.pool.sample()
	status := c.Response().StatusCode()
	if err != nil {
		status = respond.ProblemOf(err).Status
	}
	o.requests.WithLabelValues(o.Routes.Of(c), strings.Clone(c.Method()), statusClass(status)).
		Observe(time.Since(started).Seconds())
	return err
}
