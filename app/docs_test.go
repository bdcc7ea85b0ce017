package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

// documents are the documents whose references the tests in this file check.
var documents = []string{"README.md", "docs/*.md"}

var (
	code        = regexp.MustCompile("`([^`\n]+)`")
	filePath    = regexp.MustCompile(`^(app|db|docs|locks|static|views|\.ci)(/[\w.-]+)*/?$`)
	testCommand = regexp.MustCompile("go test [^`\n]*")
	runFlag     = regexp.MustCompile(`-(run|bench) +("[^"]+"|'[^']+'|[^ ]+)`)
	bareTest    = regexp.MustCompile(`^(Test|Fuzz)\w+$`)
	sqlFunction = regexp.MustCompile(`CREATE (?:OR REPLACE )?FUNCTION (\w+)`)
	testName    = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)\w*)\(`)
)

func TestDocuments_NameExistingFiles(t *testing.T) {
	t.Parallel()
	for name, text := range readDocuments(t) {
		for _, match := range code.FindAllStringSubmatch(text, -1) {
			if !filePath.MatchString(match[1]) {
				continue
			}
			if _, err := os.Stat(filepath.Join("..", match[1])); err != nil {
				t.Errorf("%s names %s: %v", name, match[1], err)
			}
		}
	}
}

// A migration that a document names for its rules is one whose rules are in force: some function of it is defined by no
// later migration.
func TestDocuments_NameMigrationsInForce(t *testing.T) {
	t.Parallel()
	migrations, err := filepath.Glob("../db/migrations/*.sql")
	dbtest.Must(t, err)
	latest, functions := map[string]string{}, map[string][]string{}
	for _, name := range migrations { // ascending
		text, err := os.ReadFile(name)
		dbtest.Must(t, err)
		up, _, _ := strings.Cut(string(text), "-- +goose Down")
		for _, match := range sqlFunction.FindAllStringSubmatch(up, -1) {
			latest[match[1]] = name
			functions[name] = append(functions[name], match[1])
		}
	}
	isInForce := func(migration string) bool {
		defined := functions[migration]
		return len(defined) == 0 || slices.ContainsFunc(defined, func(f string) bool { return latest[f] == migration })
	}
	if isInForce("../db/migrations/00010_mails.sql") {
		t.Error("00010_mails.sql is in force, although later migrations define its function")
	}
	for name, text := range readDocuments(t) {
		for _, match := range code.FindAllStringSubmatch(text, -1) {
			if migration := filepath.Join("..", match[1]); !isInForce(migration) {
				t.Errorf("%s names %s, whose functions later migrations define", name, match[1])
			}
		}
	}
}

func TestDocuments_NameTestsThatExist(t *testing.T) {
	t.Parallel()
	tests, named := testsOf(t), 0
	for name, text := range readDocuments(t) {
		for _, match := range code.FindAllStringSubmatch(text, -1) {
			if bareTest.MatchString(match[1]) {
				if named++; !tests[match[1]] {
					t.Errorf("%s names %s, which is no test", name, match[1])
				}
			}
		}
	}
	if named < 50 {
		t.Fatalf("only %d names were found", named)
	}
}

// testsOf returns the names of all tests.
func testsOf(t *testing.T) map[string]bool {
	t.Helper()
	tests := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, match := range testName.FindAllStringSubmatch(string(text), -1) {
			tests[match[1]] = true
		}
		return err
	})
	dbtest.Must(t, err)
	return tests
}

// Every alternative of a pattern of -run or -bench matches a test of the packages that its command names.
func TestDocuments_NameExistingTests(t *testing.T) {
	t.Parallel()
	checked := 0
	known := tests{}
	for name, text := range readDocuments(t) {
		for _, command := range testCommand.FindAllString(text, -1) {
			for _, flag := range runFlag.FindAllStringSubmatch(command, -1) {
				pattern := strings.Trim(flag[2], `"'`)
				if pattern == "xxx" || pattern == "^$" {
					continue
				}
				for alternative := range strings.SplitSeq(pattern, "|") {
					checked++
					if !known.match(t, alternative, packagesOf(command)) {
						t.Errorf("%s: no test matches %q of %q", name, alternative, command)
					}
				}
			}
		}
	}
	if checked == 0 {
		t.Fatal("no commands were found")
	}
}

func readDocuments(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range documents {
		names, err := filepath.Glob(filepath.Join("..", pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d documents, %v", pattern, len(names), err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			dbtest.Must(t, err)
			texts[name] = string(text)
		}
	}
	return texts
}

// packagesOf returns the folders of the packages in a test command.
func packagesOf(command string) []string {
	var folders []string
	for _, word := range strings.Fields(command) {
		if folder, ok := strings.CutPrefix(word, "./"); ok {
			folders = append(folders, filepath.Join("..", strings.TrimSuffix(folder, "/...")))
		}
	}
	return folders
}

// tests are the names of the tests by folder, once they were asked for.
type tests map[string][]string

// match returns whether the first element of a pattern matches a test of the packages.
func (all tests) match(t *testing.T, pattern string, folders []string) bool {
	t.Helper()
	matches := regexp.MustCompile(strings.Split(pattern, "/")[0])
	return slices.ContainsFunc(folders, func(folder string) bool {
		if all[folder] == nil {
			all[folder] = testsIn(t, folder)
		}
		return slices.ContainsFunc(all[folder], matches.MatchString)
	})
}

// testsIn returns the names of a package's tests.
func testsIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	for _, text := range testFiles(t, folder) {
		for _, found := range testName.FindAllStringSubmatch(text, -1) {
			names = append(names, found[1])
		}
	}
	return names
}

// testFiles returns the texts of a package's tests.
func testFiles(t *testing.T, folder string) (texts []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	dbtest.Must(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		dbtest.Must(t, err)
		texts = append(texts, string(text))
	}
	return texts
}
