package rush

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"time"
)

//go:embed trial_page.html
var trialPage string

// pageTemplate is the page of trials: one file, without scripts and without anything that it loads.
var pageTemplate = template.Must(template.New("trials").Parse(trialPage))

// Sizes of a chart, in units of its view box.
const (
	chartWidth  = 1000
	chartHeight = 160
)

// chart draws a trial's timeline.
type chart struct {
	Trial
	Bars        []bar
	Most        int     // answers of the highest bar
	Seconds     int     // of the whole width
	From, Until float64 // of the fault, from the left
	Says        string
	Notes       []string
}

type bar struct{ X, Y, Width, Height float64 }

// newChart draws the timeline over so many steps, which are those of the longest one on the page.
func newChart(t Trial, steps int) chart {
	unit := chartWidth / float64(steps)
	x := func(seconds float64) float64 { return seconds / TimelineStep.Seconds() * unit }
	c := chart{Trial: t, Most: 1, Seconds: int(time.Duration(steps) * TimelineStep / time.Second),
		From: x(t.FaultSeconds), Until: x(t.FaultSeconds + t.DownSeconds), Says: t.describe(), Notes: t.notesIfBad()}
	if len(t.Timeline) > 0 {
		c.Most = max(slices.Max(t.Timeline), 1)
	}
	for i, n := range t.Timeline {
		if height := chartHeight * float64(n) / float64(c.Most); n > 0 {
			c.Bars = append(c.Bars, bar{float64(i) * unit, chartHeight - height, max(unit-1, 1), height})
		}
	}
	return c
}

// Width is how wide the time is in which the fault lasted.
func (c chart) Width() float64 { return max(c.Until-c.From, 2) }

// pageRow is a row of the page's table.
type pageRow struct {
	Name  string
	Inner bool // it is a part of the row above
	Cells []pageCell
}

// pageCell is a figure; one of a promise is kept or broken.
type pageCell struct {
	Text         string
	Kept, Broken bool
}

// WritePage writes the trials as a page of HTML that stands for itself. at is when they were made.
func (all Trials) WritePage(w io.Writer, at time.Time) error {
	steps := 1
	for _, t := range all.Trials {
		steps = max(steps, len(t.Timeline), int((t.FaultSeconds+t.DownSeconds)/TimelineStep.Seconds())+1)
	}
	steps = (steps + 3) / 4 * 4 // whole seconds
	view := struct {
		At     string
		Good   bool
		Charts []chart
		Rows   []pageRow
	}{At: at.Format(time.DateTime), Good: all.Good()}
	for _, t := range all.Trials {
		view.Charts = append(view.Charts, newChart(t, steps))
	}
	for _, row := range trialRows {
		line := pageRow{Name: row.Name, Inner: row.Name[0] == ' '}
		for _, t := range all.Trials {
			text, wrong := row.Show(t), row.Wrong != nil && row.Wrong(t)
			line.Cells = append(line.Cells, pageCell{text, row.Wrong != nil && !wrong && text[0] == '0', wrong})
		}
		view.Rows = append(view.Rows, line)
	}
	if err := pageTemplate.Execute(w, view); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}
