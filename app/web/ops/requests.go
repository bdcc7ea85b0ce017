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
		Help:    "Time to an answer by route, method and status.",
		Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
	}, []string{"route", "method", "status"})
}

// measure is middleware that times requests. An error that nobody answered yet is measured by the status it is going to
// become.
func (o *Ops) measure(c *fiber.Ctx) error {
	started := time.Now()
	err := c.Next()
	o.pool.sample()
	status := c.Response().StatusCode()
	if err != nil {
		status = respond.ProblemOf(err).Status
	}
	o.requests.WithLabelValues(o.Routes.Of(c), strings.Clone(c.Method()), strconv.Itoa(status)).
		Observe(time.Since(started).Seconds())
	return err
}
