package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lunchgo/app/rush"
)

// priced is the report of a rush whose every figure costs 7 a slot, 0.5 a refused and 3 a served diner.
func priced(slots, refused, served int) rush.Report {
	diners := float64(refused + served)
	each := (7*float64(slots) + 0.5*float64(refused) + 3*float64(served)) / diners
	r := rush.Report{Diners: refused + served, Slots: slots, SoldOut: refused, Reserved: served}
	for _, f := range []**float64{&r.ServerCPUMsPerDiner, &r.RedisCPUMsPerDiner, &r.PostgresCPUMsPerDiner, &r.RedisCommandsPerDiner,
		&r.RedisNetworkBytesPerDiner, &r.RedisMemoryBytesPerDiner, &r.WALBytesPerDiner, &r.DatabaseBytesPerDiner} {
		*f = &each
	}
	return r
}

func TestFit_FindsThePrices(t *testing.T) {
	t.Parallel()
	reports := []rush.Report{priced(1, 490, 10), priced(1, 1990, 10), priced(1, 0, 2000), priced(10, 1000, 1000)}
	for _, f := range figures() {
		p, err := fit(reports, f)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range (price{7, 0.5, 3}) {
			if math.Abs(p[i]-want) > 1e-6 {
				t.Errorf("%s costs %v, want [7 0.5 3]", f.name, p)
				break
			}
		}
	}
}

// A price is never below nothing: what a slot seems to give back is part of what the diners cost.
func TestFit_HasNoPriceBelowNothing(t *testing.T) {
	t.Parallel()
	few, many := priced(1, 990, 10), priced(1, 7990, 10)
	cheap := 0.4
	few.ServerCPUMsPerDiner = &cheap
	p, err := fit([]rush.Report{few, many, priced(1, 0, 1000)}, figures()[0])
	if err != nil {
		t.Fatal(err)
	}
	if p[0] != 0 || p[1] <= 0 || p[2] <= 0 {
		t.Errorf("the prices are %v", p)
	}
}

func TestFit_NeedsDifferentRushes(t *testing.T) {
	t.Parallel()
	one := priced(1, 1990, 10)
	if _, err := fit([]rush.Report{one, one}, figures()[0]); !errors.Is(err, errTooFew) {
		t.Errorf("two alike rushes give %v", err)
	}
	unknown := rush.Report{Diners: 5, Slots: 1, Reserved: 5}
	if _, err := fit([]rush.Report{unknown, unknown, unknown}, figures()[0]); !errors.Is(err, errTooFew) {
		t.Errorf("rushes that measured nothing give %v", err)
	}
}

func TestRun_ShowsErrorsAndThePeak(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, r := range map[string]rush.Report{"small1.json": priced(1, 490, 10), "small2.json": priced(1, 1990, 10),
		"small3.json": priced(1, 0, 2000), "large.json": priced(10, 7000, 1000)} {
		text, err := json.Marshal(r)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	err := run([]string{"-fit", filepath.Join(dir, "small*"), "-check", filepath.Join(dir, "large*"), "-slots", "2", "-served", "10"}, &out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"44", "large.json", "6570", "+0 %"} { // 2×7 + 10×3; 10×7 + 7000×0.5 + 1000×3
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output does not show %q:\n%s", want, out.String())
		}
	}
	if err := run([]string{"-fit", filepath.Join(dir, "none*")}, &out); err == nil {
		t.Error("no reports are no error")
	}
}
