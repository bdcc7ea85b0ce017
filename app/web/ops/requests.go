package ops

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"

	"lunchgo/app/web/fault"
)

// routeUnknown stands for every address without a route: addresses that people make up must not become labels.
const routeUnknown = "unknown"

func newRequestMetrics() *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    MetricRequests,
		Help:    "Time to an answer by route, method and status.",
		Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
	}, []string{"route", "method", "status"})
}

// measure is middleware that times requests. An error is measured by the status that it is going to become.
func (o *Ops) measure(c *fiber.Ctx) error {
	started := time.Now()
	err := c.Next()
	route, status := c.Route().Path, c.Response().StatusCode()
	if err != nil {
		status = fault.Of(err).Status
		var router *fiber.Error
		if errors.As(err, &router) && (router.Code == fiber.StatusNotFound || router.Code == fiber.StatusMethodNotAllowed) {
			route = routeUnknown
		}
	}
	o.requests.WithLabelValues(strings.Clone(route), strings.Clone(c.Method()), strconv.Itoa(status)).
		Observe(time.Since(started).Seconds())
	return err
}
