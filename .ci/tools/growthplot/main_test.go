package main

import (
	"os"
	"strings"
	"testing"
)

// The plot shows what is stored: "go tool task growth" draws it anew.
func TestPlot_IsCurrent(t *testing.T) {
	results, err := os.ReadFile("../../../db/dbtest/measured/results.json")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../../docs/images/growth.svg")
	if err != nil {
		t.Fatal(err)
	}
	all, err := read(results)
	if err != nil {
		t.Fatal(err)
	}
	var drawn strings.Builder
	if err := drawTo(&drawn, all); err != nil {
		t.Fatal(err)
	}
	if drawn.String() != string(want) {
		t.Error("docs/images/growth.svg shows something else than the results")
	}
}
