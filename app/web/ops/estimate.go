package ops

import (
	"github.com/prometheus/client_golang/prometheus"

	"lunchgo/app/estimate"
)

// estimateMetrics are how good the ranges were that diners were shown. Of several processes, the sum of
// MetricEstimateInside over the sum of MetricEstimatePeople is their common share.
func estimateMetrics(read func() estimate.Figures) []prometheus.Collector {
	gauge := func(name, help string, value func(estimate.Figures) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			return value(read())
		})
	}
	return []prometheus.Collector{
		gauge(MetricEstimatePeople, "Diners with a result, the last thousand, who were shown how long they wait.",
			func(f estimate.Figures) float64 { return float64(f.People) }),
		gauge(MetricEstimateInside, "Of those, how many were served inside the range they were shown.",
			func(f estimate.Figures) float64 { return f.Inside }),
		gauge(MetricEstimateWidth, "Of those, the median width of the range after 2 s in line, as a share of the wait.",
			func(f estimate.Figures) float64 { return f.Width }),
	}
}
