// Growthplot draws how costs grow, as it was measured: growthplot results.json growth.svg.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

const (
	width, height = 26 * vg.Centimeter, 30 * vg.Centimeter
	columns       = 2
	legendLine    = 0.055 // share of a plot's height
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: growthplot results.json growth.svg")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "growthplot:", err)
		os.Exit(1)
	}
}

func run(results, image string) error {
	text, err := os.ReadFile(results)
	if err != nil {
		return err
	}
	all, err := read(text)
	if err != nil {
		return err
	}
	var drawn strings.Builder
	if err := drawTo(&drawn, all); err != nil {
		return err
	}
	return os.WriteFile(image, []byte(drawn.String()), 0o644)
}

// A growth is one thing that grows, and what each work costs meanwhile.
type growth struct {
	What  string // such as "diners"
	Works []work
}

// A work has a cost at each size, in times of the cost at the smallest.
type work struct {
	Name   string
	Points plotter.XYs
}

// read returns what grows, in the order of the results.
func read(text []byte) (all []growth, err error) {
	var runs []struct {
		Blocks []struct {
			Name string
			Rows []struct {
				Name    string
				Sizes   map[string]float64
				Results map[string][]float64
			}
		}
	}
	if err := json.Unmarshal(text, &runs); err != nil {
		return nil, err
	}
	for _, run := range runs {
		for _, block := range run.Blocks {
			if block.Name != "growth" {
				continue
			}
			for _, row := range block.Rows {
				for what, size := range row.Sizes { // of which each row has one
					_, name, _ := strings.Cut(row.Name, "/")
					at := plotter.XY{X: size, Y: row.Results["times the smallest"][0]}
					all = add(all, what, name, at)
				}
			}
		}
	}
	if len(all) == 0 {
		return nil, errors.New("the results have no block growth")
	}
	return all, nil
}

func add(all []growth, what, name string, at plotter.XY) []growth {
	i := slices.IndexFunc(all, func(g growth) bool { return g.What == what })
	if i < 0 {
		i, all = len(all), append(all, growth{What: what})
	}
	works := all[i].Works
	k := slices.IndexFunc(works, func(w work) bool { return w.Name == name })
	if k < 0 {
		k, works = len(works), append(works, work{Name: name})
	}
	works[k].Points = append(works[k].Points, at)
	all[i].Works = works
	return all
}

// drawTo draws a plot for each thing that grows.
func drawTo(w io.Writer, all []growth) error {
	rows := (len(all) + columns - 1) / columns
	plots := make([][]*plot.Plot, rows)
	for i, g := range all {
		p, err := g.plot()
		if err != nil {
			return err
		}
		plots[i/columns] = append(plots[i/columns], p)
	}
	for len(plots[rows-1]) < columns {
		plots[rows-1] = append(plots[rows-1], nil)
	}
	image := vgsvg.New(width, height)
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: vg.Centimeter, PadY: vg.Centimeter, PadTop: vg.Centimeter / 2,
		PadBottom: vg.Centimeter / 2, PadLeft: vg.Centimeter / 2, PadRight: vg.Centimeter / 2}
	canvases := plot.Align(plots, tiles, draw.New(image))
	for i := range plots {
		for k, p := range plots[i] {
			if p != nil {
				p.Draw(canvases[i][k])
			}
		}
	}
	_, err := image.WriteTo(w)
	return err
}

func (g growth) plot() (*plot.Plot, error) {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = g.What, "times the smallest"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, g.sizes()
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	for i, work := range g.Works {
		line, points, err := plotter.NewLinePoints(work.Points)
		if err != nil {
			return nil, err
		}
		line.Color, points.Color = plotutil.Color(i), plotutil.Color(i)
		line.Width, points.Shape = vg.Points(1.5), plotutil.Shape(i)
		p.Add(line, points)
		p.Legend.Add(work.Name, line, points)
	}
	p.Y.Min, p.Y.Max = 0, max(p.Y.Max, 2)/(1-legendLine*float64(len(g.Works)))
	return p, nil
}

// sizes are the marks of the axis of a growth: the sizes that were measured.
func (g growth) sizes() plot.ConstantTicks {
	var marks plot.ConstantTicks
	for _, work := range g.Works {
		for _, at := range work.Points {
			marks = append(marks, plot.Tick{Value: at.X, Label: fmt.Sprintf("%.0f", at.X)})
		}
	}
	slices.SortFunc(marks, func(a, b plot.Tick) int { return cmp.Compare(a.Value, b.Value) })
	return slices.CompactFunc(marks, func(a, b plot.Tick) bool { return a.Value == b.Value })
}
