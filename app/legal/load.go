package legal

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"lunchgo/app/booking"
)

//go:embed texts
var builtIn embed.FS

// namePattern is how a file of a version is named: terms.2026-11-28.ko.md.
var namePattern = regexp.MustCompile(`^(terms|privacy)\.(\d{4}-\d{2}-\d{2})\.(ko|en)\.md$`)

// markdown leaves out HTML and addresses that run scripts, as it does unless it is said to be unsafe. Cells of tables
// are aligned by an attribute: the policy of the pages refuses styles within them.
var markdown = goldmark.New(goldmark.WithExtensions(extension.NewTable(
	extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))))

// BuiltIn are the documents of an installation that has none of its own.
var BuiltIn = sync.OnceValue(func() *Library {
	texts, err := fs.Sub(builtIn, "texts")
	if err != nil {
		panic(err)
	}
	all, err := read(texts)
	if err != nil {
		panic(err) // a file of this program
	}
	return sorted(all)
})

// Load reads the documents of a folder; of none if that is empty. Built-in versions that are older than the first of
// the folder stay: people may have agreed to them. Its error names every file that is not right.
func Load(folder string) (*Library, error) {
	if folder == "" {
		return BuiltIn(), nil
	}
	all, err := read(os.DirFS(folder))
	if err != nil {
		return nil, err
	}
	own := sorted(all)
	for kind, documents := range BuiltIn().all { // in any order
		for _, d := range documents {
			if of := own.all[kind]; len(of) == 0 || d.Version < of[0].Version {
				all = append(all, d)
			}
		}
	}
	return sorted(all), nil
}

// read reads the files of a folder, each version from one in Korean and one in English. Other files than Markdown may
// lie beside them.
func read(folder fs.FS) ([]Document, error) {
	files, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, err
	}
	var all []Document
	var faults []error
	seen := map[string]bool{} // versions
	for _, file := range files {
		name := file.Name()
		match := namePattern.FindStringSubmatch(name)
		switch {
		case path.Ext(name) != ".md":
		case match == nil:
			faults = append(faults, fmt.Errorf("%s: is not named like terms.2026-11-28.ko.md", name))
		case !seen[match[1]+match[2]]:
			seen[match[1]+match[2]] = true
			d, err := readVersion(folder, Kind(match[1]), match[2])
			all, faults = append(all, d), append(faults, err)
		}
	}
	return all, errors.Join(faults...)
}

// readVersion reads a version of a document in both languages.
func readVersion(folder fs.FS, kind Kind, version string) (Document, error) {
	date, err := booking.ParseDate(version)
	if err != nil {
		return Document{}, fmt.Errorf("%s.%s: %w", kind, version, err)
	}
	d := Document{Kind: kind, Version: date}
	ko, en := string(kind)+"."+version+".ko.md", string(kind)+"."+version+".en.md"
	var koreanFault, englishFault error
	d.Title.Ko, d.Body.Ko, koreanFault = render(folder, ko)
	d.Title.En, d.Body.En, englishFault = render(folder, en)
	return d, errors.Join(koreanFault, englishFault)
}

// render returns the title of a file, its first line, and the rest as HTML.
func render(folder fs.FS, name string) (title, body string, err error) {
	content, err := fs.ReadFile(folder, name)
	if err != nil {
		return "", "", err
	}
	first, rest, _ := strings.Cut(strings.TrimPrefix(string(content), "\ufeff"), "\n")
	title, ok := strings.CutPrefix(strings.TrimSpace(first), "# ")
	switch {
	case !utf8.Valid(content):
		return "", "", fmt.Errorf("%s: is not UTF-8", name)
	case !ok || strings.TrimSpace(rest) == "":
		return "", "", fmt.Errorf("%s: has no first line such as \"# Terms of use\", or no text below", name)
	}
	var html bytes.Buffer
	if err := markdown.Convert([]byte(rest), &html); err != nil {
		return "", "", fmt.Errorf("%s: %w", name, err)
	}
	return strings.TrimSpace(title), html.String(), nil
}
