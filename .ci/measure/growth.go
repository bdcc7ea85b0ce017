package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"lunchgo/db/dbtest/measured"
)

const (
	growthBlock = "growth"         // measured only when it is asked for
	growthTime  = 14 * time.Minute // of all of it
)

// growth measures what a unit of work costs, while one thing grows and the rest stays.
type growth struct {
	rows  []measured.Row
	until time.Time
}

// measureGrowth measures how costs grow.
func measureGrowth(ctx context.Context) ([]measured.Row, error) {
	if _, err := execute(ctx, "go tool task build"); err != nil {
		return nil, err
	}
	g := &growth{until: time.Now().Add(growthTime)}
	for _, part := range []func(context.Context) error{g.diners, g.slots, g.instances, g.streams, g.restaurants,
		g.reservations} {
		if err := part(ctx); err != nil {
			return nil, err
		}
	}
	return g.rows, nil
}

// add adds a row, with its ratio to the first row of the same work.
func (g *growth) add(work, what string, size int, cost float64) {
	name := growthBlock + "/" + work
	first := cost
	for _, row := range g.rows {
		if row.Name == name {
			first = row.Results["cost"][0]
			break
		}
	}
	ratio := round(cost / first)
	g.rows = append(g.rows, measured.Row{Name: name, Sizes: map[string]int{what: size},
		Results: map[string][]float64{"cost": {round(cost)}, "times the smallest": {ratio}}})
	fmt.Printf("%-44s %10d %-12s %10.4g %8.3g\n", work, size, what, cost, ratio)
}

// rush runs a rush at an installation of its own, and adds a figure of it.
func (g *growth) rush(ctx context.Context, work, figure, what string, size int, args string) error {
	dir, err := os.MkdirTemp("", "lunchgo-growth-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	found, err := rush(ctx, work, "DATA_DIR="+dir, args)
	if err == nil {
		g.add(work, what, size, found[0].Results[figure])
	}
	return err
}

const msADiner = "a diner of a rush who is served: ms of processors"

func (g *growth) diners(ctx context.Context) error {
	for _, n := range []int{1_250, 2_500, 5_000, 10_000} {
		args := fmt.Sprintf("--diners %d --seats %d", n, 2*n)
		if err := g.rush(ctx, msADiner, "sum ms", "diners", n, args); err != nil {
			return err
		}
	}
	return nil
}

func (g *growth) slots(ctx context.Context) error {
	const diners = 4_000
	for _, n := range []int{1, 20, 200, 2_000} {
		args := fmt.Sprintf("--diners %d --slots %d --restaurants %d --seats %d", diners, n, (n+39)/40, 2*diners/n)
		if err := g.rush(ctx, "of 4,000 over slots", "sum ms", "slots", n, args); err != nil {
			return err
		}
	}
	return nil
}

func (g *growth) instances(ctx context.Context) error {
	for _, n := range []int{1, 2, 3} {
		args := fmt.Sprintf("--diners 4000 --seats 8000 --instances %d", n)
		if err := g.rush(ctx, "of 4,000 at instances", "sum ms", "instances", n, args); err != nil {
			return err
		}
	}
	return nil
}

// bytesOfDiner is what a diner of a rush takes of memory at most, at both ends of the connection and in Redis.
const bytesOfDiner = 250_000

// streams has so many wait, each with a stream.
func (g *growth) streams(ctx context.Context) error {
	for _, want := range []int{1_000, 4_500, 18_000} {
		n, why := possible(want)
		if n < want {
			fmt.Printf("%d streams and not %d: %s\n", n, want, why)
		}
		args := fmt.Sprintf("--diners %d --seats %d", n, 2*n)
		if err := g.rush(ctx, "a stream: bytes of its instance", "bytes a waiter", "streams", n, args); err != nil {
			return err
		}
	}
	return nil
}

// possible returns how many diners of those wanted this machine can play, and what to do for all of them.
func possible(want int) (n int, why string) {
	n = want
	if files := openFiles(); files > 0 && want+spareFiles > files {
		n = files - spareFiles
		why = "raise the limit of open files (ulimit -n) to " + strconv.Itoa(want+spareFiles)
	}
	if most := int(availableMemory() / bytesOfDiner); most < n {
		n = most
		why = fmt.Sprintf("they take %d MB of memory", want*bytesOfDiner/1_000_000)
	}
	return n, why
}

func (g *growth) restaurants(ctx context.Context) error {
	for _, n := range []int{14, 300, 3_000, 30_000} {
		country := ""
		if n > 14 {
			country = fmt.Sprintf("--country --accounts %d --restaurants %d --reservations %d", n, n-14, n)
		}
		err := atInstallation(ctx, country, func(i *installation) error {
			for _, page := range []struct{ work, path string }{
				{"the home page", "/"},
				{"a search for a word", "/?q=%ED%8C%8C%EC%8A%A4%ED%83%80"},
				{"the list of the API", "/api/restaurants"},
			} {
				ms, err := i.answerTime(ctx, page.path)
				if err != nil {
					return err
				}
				each, p95, err := i.crowdTimes(ctx, page.path)
				if err != nil {
					return err
				}
				g.add(page.work+": ms", "restaurants", n, ms)
				crowd := fmt.Sprintf("%s, %d visitors at once: ms", page.work, visitors)
				g.add(crowd+" a page", "restaurants", n, each)
				g.add(crowd+", p95", "restaurants", n, p95)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// reservations has countries whose restaurants have as many each. The largest country is as large as the time allows.
func (g *growth) reservations(ctx context.Context) error {
	const ofRestaurant, ofAccount, most = 1_233, 3.7, 10_000_000
	for n := 10_000; n > 0; {
		began := time.Now()
		country := fmt.Sprintf("--country --accounts %d --restaurants %d --reservations %d",
			int(float64(n)/ofAccount), (n+ofRestaurant-1)/ofRestaurant, n)
		err := atInstallation(ctx, country, func(i *installation) error { return g.ofCountry(ctx, i, n) })
		if err != nil {
			return err
		}
		n = next(n, most, time.Since(began), time.Until(g.until))
	}
	return nil
}

// next is how many come after n: ten times as many, up to the most, or what the time that is left has room for, if n
// took so long. It is 0 after the last.
func next(n, most int, took, left time.Duration) int {
	wanted := min(10*n, most)
	if n == wanted {
		return 0
	}
	fits := int(float64(n) * left.Seconds() / took.Seconds())
	if fits >= wanted {
		return wanted
	}
	if fits -= fits % n; fits > n {
		return fits
	}
	fmt.Printf("%d reservations and not %d: more would take longer than %s in all\n", n, most, growthTime)
	return 0
}

// ofCountry measures what staff look at, a rush, and the audit of what that touched.
func (g *growth) ofCountry(ctx context.Context, i *installation, n int) error {
	if err := i.signIn(ctx); err != nil {
		return err
	}
	today := time.Now()
	from := func(days int) string {
		return "/reports?from=" + today.AddDate(0, 0, -days).Format(time.DateOnly) +
			"&to=" + today.Format(time.DateOnly)
	}
	for _, page := range []struct{ work, path string }{
		{"the list of guests: ", "/guests"},
		{"an evening: ", "/evening?date=" + today.Format(time.DateOnly)},
		{"a report of 60 days: ", from(60)},
		{"a report of a year: ", from(365)},
	} {
		ms, err := i.answerTime(ctx, i.restaurant+page.path)
		if err != nil {
			return err
		}
		parties, err := i.parties(ctx, i.restaurant+page.path)
		if err != nil {
			return err
		}
		g.add(page.work+"ms", "reservations", n, ms)
		if parties > 0 {
			g.add(page.work+"µs a party", "reservations", n, 1_000*ms/float64(parties))
		}
	}
	found, err := rush(ctx, growthBlock, "DATA_DIR="+i.dir,
		"--keep --diners 2000 --seats 4000 --url "+i.site+" --ops "+i.ops)
	if err != nil {
		return err
	}
	g.add("of 2,000 beside reservations", "reservations", n, found[0].Results["sum ms"])
	ms, err := i.auditTime(ctx)
	if err != nil {
		return err
	}
	g.add("an audit of what 2,000 touched: ms", "reservations", n, ms)
	return nil
}
