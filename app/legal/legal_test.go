package legal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
)

// folder writes files, each with a text of its own, and returns their folder.
func folder(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		write(t, dir, name, "# "+name+"\n\nText of "+name)
	}
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	dbtest.Must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
}

// A version counts from its day on. Built-in ones stay before the first of the folder, and where it has none.
func TestLibrary_VersionsByDay(t *testing.T) {
	t.Parallel()
	l, err := Load(folder(t, "terms.2027-01-01.ko.md", "terms.2027-01-01.en.md", "terms.2027-06-01.ko.md",
		"terms.2027-06-01.en.md", "note.txt"))
	dbtest.Must(t, err)
	built := BuiltIn().Versions("2030-01-01")
	for day, want := range map[booking.Date]string{"2020-01-01": built.Terms, "2026-12-31": built.Terms,
		"2027-01-01": "2027-01-01", "2027-05-31": "2027-01-01", "2027-06-01": "2027-06-01"} {
		if got := l.Versions(day); got.Terms != want || got.Privacy != built.Privacy {
			t.Errorf("on %s %+v are in force", day, got)
		}
	}
	if all := l.List(Terms); len(all) != 3 || all[0].Version != "2027-06-01" ||
		all[2].Version != booking.Date(built.Terms) {
		t.Errorf("%+v", all)
	}
	if d, err := l.Find(Terms, "2027-01-01"); err != nil || d.Title.En != "terms.2027-01-01.en.md" ||
		d.Body.Ko != "<p>Text of terms.2027-01-01.ko.md</p>\n" {
		t.Errorf("%+v, %v", d, err)
	}
}

// A folder that begins before the built-in versions has its own alone.
func TestLibrary_AFolderFromBeforeReplacesWhatIsBuiltIn(t *testing.T) {
	t.Parallel()
	l, err := Load(folder(t, "privacy.2020-01-01.ko.md", "privacy.2020-01-01.en.md"))
	dbtest.Must(t, err)
	if all := l.List(Privacy); len(all) != 1 || all[0].Version != "2020-01-01" {
		t.Errorf("%+v", all)
	}
}

// A form that was opened before a new version came counts for the version that it showed; what never was, or is to
// come, counts for nothing.
func TestLibrary_Accepted(t *testing.T) {
	t.Parallel()
	l, err := Load(folder(t, "terms.2020-01-01.ko.md", "terms.2020-01-01.en.md", "terms.2027-01-01.ko.md",
		"terms.2027-01-01.en.md", "terms.2027-06-01.ko.md", "terms.2027-06-01.en.md"))
	dbtest.Must(t, err)
	for said, want := range map[string]string{"2020-01-01": "2020-01-01", "2027-01-01": "2027-01-01", "2027-06-01": "",
		"2026-01-01": "", "": "", "x": ""} {
		got := l.Accepted(identity.Documents{Terms: said, Privacy: said}, "2027-02-01")
		if got.Terms != want || got.Privacy != "" {
			t.Errorf("%q counts as %+v", said, got)
		}
	}
}

// What is wrong with a folder is named, file by file.
func TestLoad_NamesFaults(t *testing.T) {
	t.Parallel()
	dir := folder(t, "terms.2027-01-01.ko.md", "privacy.2027-13-01.ko.md", "privacy.2027-13-01.en.md",
		"privacy.2027-02-01.en.md", "imprint.md", "privacy.2027-03-01.en.md")
	write(t, dir, "privacy.2027-03-01.ko.md", "No title")
	_, err := Load(dir)
	if err == nil {
		t.Fatal("it is taken")
	}
	for _, name := range []string{"terms.2027-01-01.en.md", "privacy.2027-13-01", "privacy.2027-02-01.ko.md", "imprint.md",
		"privacy.2027-03-01.ko.md"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not named: %v", name, err)
		}
	}
	if _, err := Load(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that is not there is taken")
	}
}

// Nothing that a file says runs, or is refused by the policy of the pages.
func TestLoad_MakesSafeHTML(t *testing.T) {
	t.Parallel()
	dir := folder(t, "terms.2027-01-01.en.md")
	write(t, dir, "terms.2027-01-01.ko.md", `# <b>Title</b>

<script>alert(1)</script> <img src=x onerror=alert(1)> [link](javascript:alert(1)) [data](data:text/html;base64,PA==)

<iframe src="/"></iframe>

| a | b |
|:-:|--:|
| 1 | <i onclick="x()">2</i> |
`)
	l, err := Load(dir)
	dbtest.Must(t, err)
	d, err := l.Find(Terms, "2027-01-01")
	dbtest.Must(t, err)
	for _, part := range []string{"<script", "<img", "javascript:", "data:text", "<iframe", "style=", "onclick",
		"onerror"} {
		if strings.Contains(d.Body.Ko, part) {
			t.Errorf("%s: %s", part, d.Body.Ko)
		}
	}
	if !strings.Contains(d.Body.Ko, `<td align="right">`) {
		t.Errorf("no table: %s", d.Body.Ko)
	}
}
