package main

import (
	"errors"
	"math"

	"lunchgo/app/rush"
)

// unknowns is how many prices the model has: those of a load's fields, in their order.
const unknowns = 4

// load is what a rush asks of an installation: turns of lines, presses with the repeated ones, places in a line, and
// reservations. How long people stand in line is no part of it: prices of a second from short lines are far too high
// for long ones, whose positions are sent less often.
type load struct{ Turns, Presses, Tickets, Served float64 }

func (l load) vector() [unknowns]float64 {
	return [unknowns]float64{l.Turns, l.Presses, l.Tickets, l.Served}
}

func loadOf(r rush.Report) load {
	l := load{Turns: math.NaN(), Presses: float64(r.Diners + r.LaterAnswers), Tickets: float64(r.Tickets),
		Served: float64(r.Reserved)}
	if r.Turns != nil {
		l.Turns = *r.Turns
	}
	return l
}

// figure is something that a rush uses up.
type figure struct {
	name string
	free [unknowns]bool             // which of a load may cost something of it
	of   func(rush.Report) *float64 // a diner; nil: not known
}

// figures are those of the model. Pressing and waiting ask PostgreSQL nothing: go test -run TestLine_AsksNoDatabase
// ./app/web.
func figures() []figure {
	all, stored := [unknowns]bool{true, true, true, true}, [unknowns]bool{0: true, 2: true, 3: true}
	return []figure{
		{"server, ms", all, func(r rush.Report) *float64 { return r.ServerCPUMsPerDiner }},
		{"Redis, ms", all, func(r rush.Report) *float64 { return r.RedisCPUMsPerDiner }},
		{"PostgreSQL, ms", stored, func(r rush.Report) *float64 { return r.PostgresCPUMsPerDiner }},
		{"Redis commands", all, func(r rush.Report) *float64 { return r.RedisCommandsPerDiner }},
		{"Redis network, bytes", all, func(r rush.Report) *float64 { return r.RedisNetworkBytesPerDiner }},
		{"Redis memory, bytes", all, func(r rush.Report) *float64 { return r.RedisMemoryBytesPerDiner }},
		{"WAL, bytes", stored, func(r rush.Report) *float64 { return r.WALBytesPerDiner }},
		{"database, bytes", stored, func(r rush.Report) *float64 { return r.DatabaseBytesPerDiner }},
	}
}

// total is what the whole rush used; NaN if that is not known.
func (f figure) total(r rush.Report) float64 {
	if each := f.of(r); each != nil {
		return *each * float64(r.Diners)
	}
	return math.NaN()
}

// price is what one of each of a load costs of a figure.
type price [unknowns]float64

// errTooFew says that the reports do not tell the unknowns apart.
var errTooFew = errors.New(
	"the rushes are too alike: some that serve all, some that refuse most, over one slot and many, of several sizes are needed")

// fit finds the price that explains the reports best: the least sum of squared relative errors, so that a small rush
// counts as much as a large one. A price below nothing is set to nothing, and the others are fitted again. Returns
// errTooFew when the reports leave it open.
func fit(reports []rush.Report, f figure) (price, error) {
	free := f.free
	for {
		p, err := fitFree(reports, f, free)
		if err != nil {
			return p, err
		}
		worst := -1
		for i, value := range p {
			if value < 0 && (worst < 0 || value < p[worst]) {
				worst = i
			}
		}
		if worst < 0 {
			return p, nil
		}
		free[worst] = false
	}
}

// fitFree solves the normal equations for the prices that are free; the others are 0.
func fitFree(reports []rush.Report, f figure, free [unknowns]bool) (price, error) {
	var equations [unknowns][unknowns + 1]float64
	for _, r := range reports {
		measured, row := f.total(r), loadOf(r).vector()
		if math.IsNaN(measured+row[0]) || measured <= 0 {
			continue
		}
		for i := range row {
			for j := range row {
				equations[i][j] += row[i] * row[j] / measured / measured
			}
			equations[i][unknowns] += row[i] / measured
		}
	}
	for i, isFree := range free {
		if !isFree {
			equations[i] = [unknowns + 1]float64{}
			for j := range equations {
				equations[j][i] = 0
			}
			equations[i][i] = 1
		}
	}
	return solve(equations)
}

// solve is Gauss' elimination with the largest pivot.
func solve(m [unknowns][unknowns + 1]float64) (p price, err error) {
	for i := range m {
		pivot := i
		for k := i + 1; k < len(m); k++ {
			if math.Abs(m[k][i]) > math.Abs(m[pivot][i]) {
				pivot = k
			}
		}
		m[i], m[pivot] = m[pivot], m[i]
		if scale := math.Abs(m[i][i]); scale < 1e-18 {
			return price{}, errTooFew
		}
		for k := range m {
			if k == i {
				continue
			}
			by := m[k][i] / m[i][i]
			for j := range m[k] {
				m[k][j] -= by * m[i][j]
			}
		}
	}
	for i := range m {
		p[i] = m[i][unknowns] / m[i][i]
	}
	return p, nil
}

// of is what a load costs.
func (p price) of(l load) (sum float64) {
	for i, n := range l.vector() {
		sum += p[i] * n
	}
	return sum
}
