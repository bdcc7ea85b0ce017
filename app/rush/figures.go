package rush

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// percentile is the nearest-rank percentile p (0 < p ≤ 100) of sorted values: the least of them that at least p percent
// do not exceed. It is 0 for none.
func percentile[T cmp.Ordered](sorted []T, p float64) T {
	if len(sorted) == 0 {
		var none T
		return none
	}
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[max(rank, 1)-1]
}

// oversold is how many seats are held beyond capacity, over all slots.
func oversold(slots []Seats) int {
	over := 0
	for _, s := range slots {
		over += max(0, s.Held-s.Capacity)
	}
	return over
}

// inversions counts the neighbours in the order of decision of which the later decided one stood further ahead in line.
func inversions(decided []Decision) int {
	count := 0
	for i := 1; i < len(decided); i++ {
		if decided[i].Arrival <= decided[i-1].Arrival {
			count++
		}
	}
	return count
}

// passedOver counts the diners who got the answer "sold out" although somebody who came to the same slot later, for a
// party of the same size, got seats. Each of them had a ticket with the given number.
func passedOver(refused []int64, decided []Decision) int {
	latest := int64(math.MinInt64)
	for _, d := range decided {
		latest = max(latest, d.Arrival)
	}
	count := 0
	for _, arrival := range refused {
		if arrival < latest {
			count++
		}
	}
	return count
}

// estimateUnit is the precision in which the server states times of waiting. The error of an estimate for a shorter
// wait is that of rounding only.
const estimateUnit = time.Second

// firstRanges returns, of the diners to whom a time was named, how many percent had a range with it at once, how many
// percent of those got their answer inside it, and the median width in percent of the wait, of waits of a second or
// longer. What there is none of is NaN.
func firstRanges(answers []answer) (shown, in, width float64) {
	waited, ranged, held := 0, 0, 0
	var widths []float64
	for _, a := range answers {
		if !a.Estimated || a.Outcome == unanswered {
			continue
		}
		if waited++; a.High == 0 {
			continue
		}
		if ranged++; a.Low <= a.Waited && a.Waited <= a.High {
			held++
		}
		if a.Waited >= estimateUnit {
			widths = append(widths, 100*float64(a.High-a.Low)/float64(a.Waited))
		}
	}
	if width = math.NaN(); len(widths) > 0 {
		slices.Sort(widths)
		width = percentile(widths, 50)
	}
	return 100 * float64(ranged) / float64(waited), 100 * float64(held) / float64(ranged), width
}

// estimateErrors returns, sorted, by how many percent the first estimate was off for each diner who waited.
func estimateErrors(answers []answer) []float64 {
	var off []float64
	for _, a := range answers {
		if a.Estimated && a.Outcome != unanswered && a.Waited >= estimateUnit {
			off = append(off, 100*math.Abs(float64(a.Estimate-a.Waited))/float64(a.Waited))
		}
	}
	slices.Sort(off)
	return off
}
