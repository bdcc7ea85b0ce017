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
func BuiltIn() *Library {
	l, err := Load("")
	if err != nil {
		panic(err) // a file of this program
	}
	return l
}

// Load reads the documents of a folder; of none if that is empty. Built-in versions that are older than the first of the
// folder stay: people may have agreed to them. Its error names every file that is not right.
func Load(folder string) (*Library, error) {
	texts, err := fs.Sub(builtIn, "texts")
	if err != nil {
		return nil, err
	}
	all, err := read(texts)
	if err != nil || folder == "" {
		return sorted(all), err
	}
	own, err := read(os.DirFS(folder))
	if err != nil {
		return nil, err
	}
	first := map[Kind]booking.Date{}
	for _, d := range own {
		if at, ok := first[d.Kind]; !ok || d.Version < at {
			first[d.Kind] = d.Version
		}
	}
	for _, d := range all {
		if at, ok := first[d.Kind]; !ok || d.Version < at {
			own = append(own, d)
		}
	}
	return sorted(own), nil
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
	for _, file := range files {
		name := file.Name()
		match := namePattern.FindStringSubmatch(name)
		switch {
		case path.Ext(name) != ".md" || match != nil && match[3] == "en":
			continue
		case match == nil:
			faults = append(faults, fmt.Errorf("%s: is not named like terms.2026-11-28.ko.md", name))
			continue
		}
		d, err := readVersion(folder, Kind(match[1]), match[2])
		faults = append(faults, err)
		all = append(all, d)
	}
	return all, errors.Join(append(faults, missingKorean(folder, files)...)...)
}

// missingKorean returns a fault for each English file beside which there is no Korean one.
func missingKorean(folder fs.FS, files []fs.DirEntry) (faults []error) {
	for _, file := range files {
		of, isEnglish := strings.CutSuffix(file.Name(), ".en.md")
		if !isEnglish {
			continue
		}
		if _, err := fs.Stat(folder, of+".ko.md"); err != nil {
			faults = append(faults, err)
		}
	}
	return faults
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
