package webtest

import (
	"os"
	"path/filepath"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/legal"
	"lunchgo/app/program/programtest"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// documents are those of a folder in which a version of a document is in force on a day.
func documents(t *testing.T, kind legal.Kind, versions ...booking.Date) *legal.Library {
	t.Helper()
	dir := t.TempDir()
	for _, version := range versions {
		for _, lang := range []string{"ko", "en"} {
			name := filepath.Join(dir, string(kind)+"."+string(version)+"."+lang+".md")
			dbtest.Must(t, os.WriteFile(name, []byte("# Title "+lang+"\n\nText of "+string(version)), 0o600))
		}
	}
	l, err := legal.Load(dir)
	dbtest.Must(t, err)
	return l
}

// Everybody reads what is in force, in both languages; the versions before and to come stay readable, and are in no
// search engine. The foot of every page leads there.
func TestDocuments_AreReadInVersions(t *testing.T) {
	t.Parallel()
	setup := programtest.Setup{}
	setup.Config.Web.BaseURL = ownSite
	setup.Config.Documents = documents(t, legal.Terms, "2020-01-01", "2021-01-01", "2999-01-01")
	r := newHarnessWith(t, setup)
	terms := views.DocumentURL(legal.Terms)
	r.get(t, person{}, terms).is(t, 200).has(t, "Title ko", "Text of 2021-01-01", "2021년 1월 1일 (금)부터 시행", "시행 예정",
		`href="/terms?version=2020-01-01"`, `href="/terms?version=2999-01-01"`).hasNot(t, `content="noindex"`)
	r.get(t, person{}, "/en"+terms).is(t, 200).has(t, "Title en", "In force from Fri, 1 Jan 2021")
	r.get(t, person{}, terms+"?version=2020-01-01").is(t, 200).has(t, "Text of 2020-01-01", "이전 버전입니다.",
		`content="noindex"`)
	r.get(t, person{}, terms+"?version=2999-01-01").is(t, 200).has(t, "Text of 2999-01-01", "아직 시행되지 않은")
	r.get(t, person{}, terms+"?version=2020-01-02").is(t, 404)
	r.get(t, person{}, views.DocumentURL(legal.Privacy)).is(t, 200).has(t, "<td>", "개인정보 처리방침")
	for _, path := range []string{"/", "/signin", "/restaurants/damdam", "/none"} {
		r.page(t, person{}, path).has(t, `href="/terms">`, `href="/privacy">`)
	}
}
