package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/measured"
)

// The documents show the results that are stored, and those are of the commands that docs/performance.md names.
func TestDocuments_ShowWhatWasMeasured(t *testing.T) {
	t.Parallel()
	results, err := measured.Stored()
	dbtest.Must(t, err)
	documents := readDocuments(t)
	for name, text := range documents {
		switch current := results.WriteTables(text); {
		case current == text:
		case !*update:
			t.Errorf("the tables of %s are not what was measured: run go tool task generate", name)
		default:
			dbtest.Must(t, os.WriteFile(name, []byte(current), 0o644))
		}
	}
	stored := results.Blocks()
	for _, block := range measured.BlocksOf(documents["../docs/performance.md"]) {
		if stored[block.Name].Command != block.Command {
			t.Errorf("there are no results of %q: run go tool task measure -- %s", block.Command, block.Name)
		}
		if strings.HasPrefix(block.Command, "go test ") && !isNamed(t, block.Name, packagesOf(block.Command)) {
			t.Errorf("no test of %q measures %s", block.Command, block.Name)
		}
		delete(stored, block.Name)
	}
	if len(stored) > 0 {
		t.Errorf("docs/performance.md has no blocks %v", slices.Collect(maps.Keys(stored)))
	}
}

// isNamed returns whether a test of some folders has the name of a block.
func isNamed(t *testing.T, block string, folders []string) bool {
	t.Helper()
	for _, folder := range folders {
		for _, text := range testFiles(t, folder) {
			if strings.Contains(text, `"`+block+`"`) || strings.Contains(text, `"`+block+`/`) {
				return true
			}
		}
	}
	return false
}
