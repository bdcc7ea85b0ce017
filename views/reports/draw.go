// Package reports draws the look back of a restaurant: its pages, and charts as SVG that the server works out.
package reports

import (
	"fmt"
	"strconv"
	"strings"

	"lunchgo/views"
)

// A chart has this size in units of its own. It is as wide as a phone, so that its letters stay readable there.
const (
	chartWidth  = 340
	chartHeight = 168
	plotLeft    = 34
	plotRight   = chartWidth - 6
	plotTop     = 10
	plotBottom  = chartHeight - 24
	ticksShown  = 6 // below an axis, at most
)

// number writes a coordinate with one digit.
func number(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }

func viewBox(width, height int) string { return fmt.Sprintf("0 0 %d %d", width, height) }

// top is the round number at the end of a value axis: 1, 2 or 5 times a power of ten, even so that half of it is whole.
func top(largest int) int {
	for power := 1; ; power *= 10 {
		for _, step := range []int{2, 4, 6, 8, 10, 20} {
			if largest <= step*power {
				return step * power
			}
		}
	}
}

// column is where a value of a chart is drawn.
type column struct {
	views.Bar
	X, Y, Width, Height float64
	Tick                string // empty where there is no room for it
}

// middle is the column's centre.
func (c column) middle() float64 { return c.X + c.Width/2 }

// columns works out where values are drawn.
func columns(chart views.BarChart) []column {
	n := max(len(chart.Bars), 1)
	step := float64(plotRight-plotLeft) / float64(n)
	width := min(step*0.72, 36)
	end := float64(top(largest(chart)))
	every := (n + ticksShown - 1) / ticksShown
	all := make([]column, len(chart.Bars))
	for i, bar := range chart.Bars {
		height := float64(bar.Value) / end * (plotBottom - plotTop)
		if bar.Value > 0 {
			height = max(height, 1)
		}
		all[i] = column{Bar: bar, X: plotLeft + step*float64(i) + (step-width)/2, Y: plotBottom - height, Width: width,
			Height: height}
		if i%every == 0 && (i == 0 || i+every/2 < n) {
			all[i].Tick = bar.Tick
		}
	}
	return all
}

func largest(chart views.BarChart) int {
	most := 0
	for _, bar := range chart.Bars {
		most = max(most, bar.Value)
	}
	return most
}

// gridLine is a value on the axis.
type gridLine struct {
	Value int
	Y     float64
}

func grid(chart views.BarChart) []gridLine {
	end := top(largest(chart))
	var lines []gridLine
	for _, value := range []int{0, end / 2, end} {
		lines = append(lines, gridLine{value, plotBottom - float64(value)/float64(end)*(plotBottom-plotTop)})
	}
	return lines
}

// paths are the lines through neighbours that have a value.
func paths(all []column) []string {
	var lines []string
	var line []string
	end := func() {
		if len(line) > 1 {
			lines = append(lines, strings.Join(line, " "))
		}
		line = nil
	}
	for _, c := range all {
		if c.Missing {
			end()
			continue
		}
		line = append(line, number(c.middle())+","+number(c.Y))
	}
	end()
	return lines
}

// part is a share of a bar.
type part struct {
	views.Share
	X, Width float64
	Tone     string
}

// shareHeight and shareGap are of a bar of shares.
const (
	shareHeight = 26
	shareGap    = 2
)

// parts works out where the shares of a whole are drawn, next to each other.
func parts(bar views.ShareBar) []part {
	whole := 0
	for _, s := range bar.Shares {
		whole += s.Count
	}
	x := 0.0
	var all []part
	for i, s := range bar.Shares {
		width := float64(s.Count) / float64(max(whole, 1)) * chartWidth
		all = append(all, part{s, x, max(width-shareGap, min(width, 1)), "share-" + strconv.Itoa(i+1)})
		x += width
	}
	return all
}
