package main

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// Each loop of the test data is reported where it says so, and nowhere else.
func TestAnalyzer(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, analysistest.TestData(), analyzer, "loops")
}
