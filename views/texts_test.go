package views_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	templparser "github.com/a-h/templ/parser/v2"
	"github.com/a-h/templ/parser/v2/visitor"

	"lunchgo/views/i18n"
)

// files are the paths below views with a suffix.
func files(t *testing.T, suffix string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, suffix) {
			found = append(found, path)
		}
		return err
	})
	must(t, err)
	if len(found) == 0 {
		t.Fatalf("no files *%s", suffix)
	}
	return found
}

// namespace is the first part of a key; a string that begins with one is taken to be a key.
var namespace = regexp.MustCompile(`^[a-z]+\.[a-z0-9_.]+$`)

var hangul = regexp.MustCompile(`\p{Hangul}`)

// Every string of the code that looks like a key of the catalogues is one.
func TestTexts_ExistForEveryKeyInTheCode(t *testing.T) {
	t.Parallel()
	used := 0
	for _, path := range files(t, ".go") {
		if strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "i18n/") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		must(t, err)
		ast.Inspect(file, func(node ast.Node) bool {
			literal, ok := node.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			key, err := strconv.Unquote(literal.Value)
			if hangul.MatchString(key) {
				t.Errorf("%s: %q is in the code", path, key)
			}
			if err != nil || !namespace.MatchString(key) || strings.HasSuffix(key, ".toml") ||
				strings.HasSuffix(key, ".templ") ||
				strings.HasSuffix(key, "_") {
				return true
			}
			if strings.HasSuffix(key, "_") { // the code adds the end
				return true
			}
			used++
			for _, lang := range []string{i18n.Korean, i18n.English} {
				if !i18n.Has(lang, key) {
					t.Errorf("%s: no text for %q in %s", path, key, lang)
				}
			}
			return true
		})
	}
	if used <= 200 {
		t.Errorf("%d keys, want more than 200", used)
	}
}

// brand is the only word in the templates.
const brand = "LunchGo"

// shown are the attributes whose words a reader sees or hears.
var shown = []string{"alt", "aria-label", "title", "placeholder", "label", "value"}

var letters = regexp.MustCompile(`\p{L}`)

func TestTexts_AreNotInTemplates(t *testing.T) {
	t.Parallel()
	for _, path := range files(t, ".templ") {
		source, err := os.ReadFile(path)
		must(t, err)
		file, err := templparser.ParseString(string(source))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		check := func(text string) {
			if text = strings.TrimSpace(text); text != brand && letters.MatchString(text) {
				t.Errorf("words in a template: %s: %q", path, text)
			}
		}
		v := visitor.New()
		v.Text = func(n *templparser.Text) error {
			check(n.Value)
			return nil
		}
		v.ConstantAttribute = func(n *templparser.ConstantAttribute) error {
			for _, name := range shown {
				if n.Key.String() == name {
					check(n.Value)
				}
			}
			return nil
		}
		must(t, file.Visit(v))
	}
}
