package static_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"lunchgo/static"
)

// vendored are the SHA-256 sums of the files of others, as the packages of static/package-lock.json hold them.
var vendored = map[string]string{
	"js/vendor/htmx.min.js":          "d6fdc75f204e6bdefa99b69bf1e6d4ac69b8a364f77929f45c13476b4000f717",
	"js/vendor/sse.min.js":           "98a46496de0c3605fbffdce9167ba427bdd9553184f83f149c261891a92c0136",
	"js/vendor/idiomorph-ext.min.js": "a6437e55b1b6a07bc421f0d230266a39399b6826c6ed19e0ed9c63b707444a5f",
	"testdata/axe.min.js":            "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c",
}

func read(t *testing.T, files fs.FS, name string) []byte {
	t.Helper()
	content, err := fs.ReadFile(files, name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// opened is the content that is served at a URL.
func opened(t *testing.T, url, wantType string) []byte {
	t.Helper()
	content, contentType, ok := static.Open(strings.TrimPrefix(url, static.Prefix))
	if !ok {
		t.Fatalf("nothing at %s", url)
	}
	if contentType != wantType {
		t.Errorf("%s is %s, want %s", url, contentType, wantType)
	}
	return content
}

func TestVendoredFiles_AreThoseOfThePackages(t *testing.T) {
	t.Parallel()
	for name, want := range vendored {
		sum := sha256.Sum256(read(t, os.DirFS("."), name))
		if got := hex.EncodeToString(sum[:]); got != want {
			t.Errorf("%s has the sum %s, want %s", name, got, want)
		}
	}
	entries, err := fs.ReadDir(static.FS, "js/vendor")
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 3 { // each has its sum above
		t.Errorf("%d vendored scripts, want 3", len(entries))
	}
	lock := string(read(t, os.DirFS("."), "package-lock.json"))
	for _, exact := range []string{
		`"htmx.org": "2.0.11"`, `"htmx-ext-sse": "2.2.4"`, `"idiomorph": "0.7.4"`, `"axe-core": "4.14.1"`,
	} {
		if !strings.Contains(lock, exact) {
			t.Errorf("no %s in %s", exact, lock)
		}
	}
}

func TestURL_CarriesTheHashOfTheContent(t *testing.T) {
	t.Parallel()
	url := static.URL("js/app.js")
	if !regexp.MustCompile(`^/static/[0-9a-f]{12}/js/app\.js$`).MatchString(url) {
		t.Fatalf("the URL is %s", url)
	}
	content := opened(t, url, "text/javascript; charset=utf-8")
	if !bytes.Equal(content, read(t, os.DirFS("."), "js/app.js")) {
		t.Error("the content is not that of the file")
	}
}

func TestOpen_FindsNothingElse(t *testing.T) {
	t.Parallel()
	hash := strings.Split(static.URL("js/app.js"), "/")[2]
	for _, path := range []string{
		"", "js/app.js", "/", hash, hash + "/", hash + "/js", hash + "/css/app.css", "000000000000/js/app.js",
		hash + "/../static.go", hash + "/js/../js/app.js", strings.TrimPrefix(static.URL("no/such.css"), static.Prefix),
	} {
		if _, _, ok := static.Open(path); ok {
			t.Errorf("finds %q", path)
		}
	}
}

func TestStyles_ComeAsOne(t *testing.T) {
	t.Parallel()
	content := opened(t, static.URL("css/app.css"), "text/css; charset=utf-8")
	parts, err := fs.Glob(static.FS, "css/*.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range parts {
		if !bytes.Contains(content, read(t, static.FS, name)) {
			t.Errorf("%s is no part of css/app.css", name)
		}
	}
}

// Only colors differ in the dark, so that what a page is made of, and its sizes, need no look at both.
func TestStyles_DarkIsColorsOnly(t *testing.T) {
	t.Parallel()
	all := string(opened(t, static.URL("css/app.css"), "text/css; charset=utf-8"))
	light, rest, _ := strings.Cut(all, "@media (prefers-color-scheme: dark) {\n  :root {\n")
	dark, rest, _ := strings.Cut(rest, "  }\n}\n")
	if other := regexp.MustCompile(`prefers-color-scheme|light-dark\(`).FindString(light + rest); other != "" {
		t.Errorf("%s stands at a second place", other)
	}
	if !strings.Contains(dark, "--paper: ") {
		t.Error("there is no dark")
	}
	token := regexp.MustCompile(`^    --(paper|surface|sunken|line|ink|brand|on|amber|red|blue|shadow|veil|picture)[a-z-]*: `)
	for line := range strings.Lines(dark) {
		if strings.TrimSpace(line) != "" && !token.MatchString(line) {
			t.Errorf("is no color: %s", line)
		}
	}
}

func TestGzip_HoldsTheSameContent(t *testing.T) {
	t.Parallel()
	path := strings.TrimPrefix(static.URL("css/app.css"), static.Prefix)
	plain, plainType, _ := static.Open(path)
	zipped, zippedType, ok := static.OpenGzip(path)
	if !ok {
		t.Fatalf("finds no %s", path)
	}
	if zippedType != plainType {
		t.Errorf("the type is %s, want %s", zippedType, plainType)
	}
	reader, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		t.Fatal(err)
	}
	unzipped, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(unzipped, plain) {
		t.Error("what is unzipped is not the plain content")
	}
	if _, _, ok = static.OpenGzip("000000000000/css/app.css"); ok {
		t.Error("finds a file under another hash")
	}
}

// The pages' security policy forbids what these patterns find, and nothing is fetched from elsewhere.
func TestFiles_StayWithinTheSecurityPolicy(t *testing.T) {
	t.Parallel()
	foreign := regexp.MustCompile(`(?i)(url\(|@import|src=|href=)["']?\s*(https?:)?//`)
	active := regexp.MustCompile(`(?i)<script|<foreignObject|\son[a-z]+=|javascript:|style=|<style`)
	err := fs.WalkDir(static.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(name, "js/vendor/") {
			return err
		}
		content := read(t, static.FS, name)
		if foreign.Match(content) {
			t.Errorf("%s reaches elsewhere", name)
		}
		if strings.HasSuffix(name, ".svg") && active.Match(content) {
			t.Errorf("%s holds script or style", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
