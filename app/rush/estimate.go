package rush

import "math"

// Names of the metrics by which instances judge the ranges that they show.
const (
	metricEstimatePeople = "lunchgo_estimate_people"
	metricEstimateInside = "lunchgo_estimate_in_range_people"
	metricEstimateWidth  = "lunchgo_estimate_width_ratio"
)

// rangesOf returns how many percent of those served were served inside the range that they were shown, over all
// instances, and the median width of the ranges in percent of the wait, of the instance with the most people. Both are
// NaN where no instance says so.
func rangesOf(instances []map[string]float64) (inPercent, widthPercent float64) {
	inside, people, most := 0.0, 0.0, 0.0
	widthPercent = math.NaN()
	for _, found := range instances {
		n := found[metricEstimatePeople]
		inside, people = inside+found[metricEstimateInside], people+n
		if width, ok := found[metricEstimateWidth]; ok && n > most {
			most, widthPercent = n, 100*width
		}
	}
	return 100 * inside / people, widthPercent
}
