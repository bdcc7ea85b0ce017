package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lunchgo/app/rush"
)

// prices are what the rushes of the tests cost: a turn, a press, a place in line, a reservation.
func prices() price { return price{7, 0.5, 2, 3} }

// priced is the report of a rush whose every figure has those prices.
func priced(turns, refused, waited, served int) rush.Report {
	diners := refused + waited + served
	n := float64(turns)
	r := rush.Report{Diners: diners, Turns: &n, SoldOut: refused + waited, Reserved: served, Tickets: waited + served,
		LineSeconds: float64((waited+served)*(waited+served)) / 1000, LaterAnswers: served / 10}
	each := prices().of(loadOf(r)) / float64(diners)
	for _, f := range []**float64{&r.ServerCPUMsPerDiner, &r.RedisCPUMsPerDiner, &r.PostgresCPUMsPerDiner,
		&r.RedisCommandsPerDiner, &r.RedisNetworkBytesPerDiner, &r.RedisMemoryBytesPerDiner, &r.WALBytesPerDiner,
		&r.DatabaseBytesPerDiner} {
		*f = &each
	}
	return r
}

// various are rushes that differ enough.
func various() []rush.Report {
	return []rush.Report{priced(1, 490, 0, 10), priced(1, 1000, 990, 10), priced(1, 0, 0, 2000),
		priced(10, 500, 500, 1000), priced(10, 0, 100, 400), priced(1, 200, 100, 700)}
}

func TestFit_FindsThePrices(t *testing.T) {
	t.Parallel()
	for _, f := range figures()[:2] { // of which everything costs something
		p, err := fit(various(), f)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range prices() {
			if math.Abs(p[i]-want) > 1e-6 {
				t.Errorf("%s costs %v, want %v", f.name, p, prices())
				break
			}
		}
	}
}

// A price is never below nothing: what a turn seems to give back is part of what the diners cost.
func TestFit_HasNoPriceBelowNothing(t *testing.T) {
	t.Parallel()
	reports := various()
	cheap := 0.4
	reports[3].ServerCPUMsPerDiner = &cheap
	p, err := fit(reports, figures()[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range p {
		if one < 0 {
			t.Errorf("the prices are %v", p)
		}
	}
}

func TestFit_NeedsDifferentRushes(t *testing.T) {
	t.Parallel()
	one := priced(1, 1990, 0, 10)
	if _, err := fit([]rush.Report{one, one}, figures()[0]); !errors.Is(err, errTooFew) {
		t.Errorf("two alike rushes give %v", err)
	}
	unknown := rush.Report{Diners: 5, Reserved: 5}
	if _, err := fit([]rush.Report{unknown, unknown, unknown}, figures()[0]); !errors.Is(err, errTooFew) {
		t.Errorf("rushes that measured nothing give %v", err)
	}
}

func TestRun_ShowsErrorsAndThePeak(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	reports := map[string]rush.Report{"large.json": priced(10, 6000, 1000, 1000)}
	for i, r := range various() {
		reports[fmt.Sprintf("small%d.json", i)] = r
	}
	for name, r := range reports {
		text, err := json.Marshal(r)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	err := run([]string{"-fit", filepath.Join(dir, "small*"), "-check", filepath.Join(dir, "large*"), "-turns", "2",
		"-served", "10"}, &out)
	if err != nil {
		t.Fatal(err)
	}
	// 2×7 + 10×3; 10×7 + 8100×0.5 + 2000×2 + 1000×3
	for _, want := range []string{"44", "large.json", "11120", "+0 %"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output does not show %q:\n%s", want, out.String())
		}
	}
	if err := run([]string{"-fit", filepath.Join(dir, "none*")}, &out); err == nil {
		t.Error("no reports are no error")
	}
}
