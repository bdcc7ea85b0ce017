package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lunchgo/db/dbtest/measured"
)

// The documents show the results that are stored, and those are of the commands that docs/performance.md names.
func TestDocuments_ShowWhatWasMeasured(t *testing.T) {
	t.Parallel()
	results, err := measured.Stored()
	if err != nil {
		t.Fatal(err)
	}
	documents := readDocuments(t)
	for name, text := range documents {
		switch current := results.WriteTables(text); {
		case current == text:
		case !*update:
			t.Errorf("the tables of %s are not what was measured: run go tool task generate", name)
		default:
			if err := os.WriteFile(name, []byte(current), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	blocks, emitted := results.Blocks(), emittedBlocks(t)
	for _, block := range measured.BlocksOf(documents["../docs/performance.md"]) {
		if blocks[block.Name].Command != block.Command {
			t.Errorf("there are no results of %q: run go tool task measure -- %s", block.Command, block.Name)
		}
		if !emitted[block.Name] && !strings.HasPrefix(block.Command, "lunchgo rush ") {
			t.Errorf("no test measures %s", block.Name)
		}
		delete(blocks, block.Name)
		delete(emitted, block.Name)
	}
	if gone := slices.Concat(slices.Collect(maps.Keys(blocks)), slices.Collect(maps.Keys(emitted))); len(gone) > 0 {
		t.Errorf("docs/performance.md has no blocks %v", gone)
	}
}

var emission = regexp.MustCompile(`(?:\.measured|measured\.Log|measured\.Hold)\((?:\w+, )?(?:fmt\.Sprintf?\(|\[\]string\{)?"([a-z-]+)`)

// emittedBlocks are the names of blocks that tests and benchmarks measure.
func emittedBlocks(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, pattern := range []string{"../*/*_test.go", "../*/*/*_test.go", "../*/*/*/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range emission.FindAllStringSubmatch(string(text), -1) {
				names[found[1]] = true
			}
		}
	}
	return names
}
