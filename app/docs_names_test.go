package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

// What a person who reads the documents types in, sets, or looks for is what the product has.
func TestDocuments_NameWhatTheProductHas(t *testing.T) {
	t.Parallel()
	sources, trials := productText(t)
	documents := readDocuments(t)
	all := strings.Join(slices.Collect(maps.Values(documents)), "\n")
	operations := documents["../docs/operations.md"]
	_, runbooks, _ := strings.Cut(operations, "\n## Alerts\n")
	isIn := func(before, after string) func(string) bool {
		return func(name string) bool { return strings.Contains(sources, before+name+after) }
	}
	for _, kind := range []struct {
		what  string
		name  *regexp.Regexp
		in    string
		known func(string) bool
		least int
	}{
		{"task", regexp.MustCompile(`go tool task ([a-z][a-z:]*)`), all, isIn("\n  ", ":\n"), 20},
		{"command", regexp.MustCompile("`lunchgo ([a-z]+)"), all, isIn("\t{\"", `", "`), 20},
		{"metric", regexp.MustCompile(`\b(lunchgo_[a-z_]+)`), all, isIn("", ""), 15},
		{"setting", regexp.MustCompile("`((?:[A-Z]+_)+[A-Z]+)[`=]"), operations, isIn("", ""), 30},
		{"line of the log or panel", regexp.MustCompile(`"([A-Za-z][^"]* [^"]*)"`), runbooks, func(name string) bool {
			job := strings.TrimSuffix(name, " failed") // the log line of a job that failed is its name and that
			return isIn("\"", "")(name) || isIn(`Name: "`, `"`)(job)
		}, 10},
		{"trial", regexp.MustCompile(`task soak -- -run '?(\w+)`), all, func(name string) bool {
			return strings.Contains(trials, "func "+name)
		}, 5},
	} {
		found := kind.name.FindAllStringSubmatch(kind.in, -1)
		for _, match := range found {
			if name := strings.Join(strings.Fields(match[1]), " "); !kind.known(inSource(name)) {
				t.Errorf("documents name the %s %q, which does not exist", kind.what, name)
			}
		}
		if len(found) < kind.least {
			t.Errorf("only %d of: %s", len(found), kind.what)
		}
	}
}

// inSource is a name as the source has it. Settings of OpenTelemetry are for its library, too, and a secret's file is
// named after the secret.
func inSource(name string) string {
	if strings.HasPrefix(name, "OTEL_") {
		return "OTEL_"
	}
	return strings.TrimSuffix(name, fileSuffix)
}

// productText is all of the code, the tasks, the dashboard and the files that run the product; and apart the tests.
func productText(t *testing.T) (product, tests string) {
	t.Helper()
	var text, ofTests strings.Builder
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && isForeign(entry.Name()):
			return filepath.SkipDir
		}
		switch filepath.Ext(name) {
		case ".go", ".yml", ".yaml", ".json":
			content, err := os.ReadFile(name)
			if strings.HasSuffix(name, "_test.go") {
				ofTests.Write(content)
			} else {
				text.Write(content)
			}
			return err
		}
		return nil
	})
	dbtest.Must(t, err)
	return text.String(), ofTests.String()
}
