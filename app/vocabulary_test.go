package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

// privateWords are words that once had a meaning of their own in this project, with the field's word for each. Code,
// comments and documents use the field's word.
var privateWords = map[string]string{
	"desks?":          "handler, session or batch",
	"lanes?":          "queue",
	"wish(es)?":       "request",
	"standers?":       "waiting ticket",
	"farewells?":      "notification",
	"tenures?":        "held turn",
	"hush":            "unsubscribe",
	"furnish(ed|es)?": "load",
	"distrust(ed|s)?": "suspend",
	"owe[sd]?":        "pending result",
	"told":            "returned, published, quoted or notified",
	"stood up":        "no-show",
	"spoken of":       "listed",
	"rigs?":           "harness",
	"lent|lends?":     "waits in this process",
	"spared":          "say what is tested",
}

// storedNames are private words that stay, as they are written, in these files: running installations use them.
var storedNames = map[string][]string{
	"app/web/api/change.go":          {`"told"`}, // the key in the JSON API: clients send it
	"app/web/webtest/change_test.go": {`"told"`, "told wrong_type"},
}

// wordsIn matches the files whose words count: what we write, not what is generated or vendored.
var wordsIn = []string{".go", ".templ", ".lua", ".sql", ".md", ".css", ".js", ".sh", ".yml", ".yaml"}

func TestVocabulary_UsesTheFieldsWords(t *testing.T) {
	t.Parallel()
	patterns := map[string]*regexp.Regexp{}
	for word := range privateWords {
		patterns[word] = regexp.MustCompile(`(?i)\b(` + word + `)\b`)
	}
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && isForeign(entry.Name()):
			return filepath.SkipDir
		case entry.IsDir() || !slices.Contains(wordsIn, filepath.Ext(name)) || strings.HasSuffix(name, "_templ.go") ||
			strings.HasSuffix(name, "vocabulary_test.go"):
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, stored := range storedNames[strings.TrimPrefix(name, "../")] {
			text = bytes.ReplaceAll(text, []byte(stored), nil)
		}
		for word, pattern := range wordsLikely(bytes.ToLower(text), patterns) {
			for number, line := range strings.Split(string(text), "\n") {
				if found := pattern.FindString(line); found != "" {
					t.Errorf("%s:%d: %q should be %s: %s", name, number+1, found, privateWords[word],
						strings.TrimSpace(line))
				}
			}
		}
		return nil
	})
	dbtest.Must(t, err)
}

// A name that no file stores any more is no exception any more.
func TestVocabulary_ExceptsWhatIsStored(t *testing.T) {
	t.Parallel()
	for file, names := range storedNames {
		text, err := os.ReadFile(filepath.Join("..", file))
		for _, name := range names {
			if err != nil || !bytes.Contains(text, []byte(name)) {
				t.Errorf("%s does not store %s: %v", file, name, err)
			}
		}
	}
}

// wordsLikely leaves out the words whose beginning is not in a text: patterns take long to look for.
func wordsLikely(lower []byte, patterns map[string]*regexp.Regexp) map[string]*regexp.Regexp {
	likely := map[string]*regexp.Regexp{}
	for word, pattern := range patterns {
		if begin, _ := regexp.MustCompile(word).LiteralPrefix(); bytes.Contains(lower, []byte(begin)) {
			likely[word] = pattern
		}
	}
	return likely
}

// isForeign returns whether a folder holds files that are not ours.
func isForeign(folder string) bool {
	return slices.Contains([]string{".git", ".data", ".task", "bin", "node_modules", "vendor", "testdata"}, folder)
}
