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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lunchgo/static"
)

// vendored are the SHA-256 sums of the files of others, as the packages of static/package-lock.json hold them.
var vendored = map[string]string{
	"js/vendor/htmx.min.js":          "d6fdc75f204e6bdefa99b69bf1e6d4ac69b8a364f77929f45c13476b4000f717",
	"js/vendor/sse.min.js":           "98a46496de0c3605fbffdce9167ba427bdd9553184f83f149c261891a92c0136",
	"js/vendor/idiomorph-ext.min.js": "a6437e55b1b6a07bc421f0d230266a39399b6826c6ed19e0ed9c63b707444a5f",
	"testdata/axe.min.js":            "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c",
}

func TestVendoredFiles_AreThoseOfThePackages(t *testing.T) {
	t.Parallel()
	for name, want := range vendored {
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		sum := sha256.Sum256(content)
		assert.Equal(t, want, hex.EncodeToString(sum[:]), name)
	}
	entries, err := fs.ReadDir(static.FS, "js/vendor")
	require.NoError(t, err)
	assert.Len(t, entries, 3, "each vendored script has its sum here")
	lock, err := os.ReadFile("package-lock.json")
	require.NoError(t, err)
	for _, exact := range []string{`"htmx.org": "2.0.11"`, `"htmx-ext-sse": "2.2.4"`, `"idiomorph": "0.7.4"`, `"axe-core": "4.14.1"`} {
		assert.Contains(t, string(lock), exact)
	}
}

func TestURL_CarriesTheHashOfTheContent(t *testing.T) {
	t.Parallel()
	url := static.URL("js/app.js")
	require.Regexp(t, `^/static/[0-9a-f]{12}/js/app\.js$`, url)
	content, contentType, ok := static.Open(strings.TrimPrefix(url, static.Prefix))
	require.True(t, ok)
	assert.Equal(t, "text/javascript; charset=utf-8", contentType)
	onDisk, err := os.ReadFile("js/app.js")
	require.NoError(t, err)
	assert.Equal(t, onDisk, content)
}

func TestOpen_FindsNothingElse(t *testing.T) {
	t.Parallel()
	hash := strings.Split(static.URL("js/app.js"), "/")[2]
	for _, path := range []string{
		"", "js/app.js", "/", hash, hash + "/", hash + "/js", hash + "/css/app.css", "000000000000/js/app.js",
		hash + "/../static.go", hash + "/js/../js/app.js", strings.TrimPrefix(static.URL("no/such.css"), static.Prefix),
	} {
		_, _, ok := static.Open(path)
		assert.False(t, ok, path)
	}
}

func TestStyles_ComeAsOne(t *testing.T) {
	t.Parallel()
	content, contentType, ok := static.Open(strings.TrimPrefix(static.URL("css/app.css"), static.Prefix))
	require.True(t, ok)
	assert.Equal(t, "text/css; charset=utf-8", contentType)
	parts, err := fs.Glob(static.FS, "css/*.css")
	require.NoError(t, err)
	for _, name := range parts {
		part, err := static.FS.ReadFile(name)
		require.NoError(t, err)
		assert.True(t, bytes.Contains(content, part), "%s is part of css/app.css", name)
	}
}

func TestGzip_HoldsTheSameContent(t *testing.T) {
	t.Parallel()
	path := strings.TrimPrefix(static.URL("css/app.css"), static.Prefix)
	plain, plainType, _ := static.Open(path)
	zipped, zippedType, ok := static.OpenGzip(path)
	require.True(t, ok)
	assert.Equal(t, plainType, zippedType)
	reader, err := gzip.NewReader(bytes.NewReader(zipped))
	require.NoError(t, err)
	unzipped, err := io.ReadAll(reader)
	require.NoError(t, err)
	assert.Equal(t, plain, unzipped)
	_, _, ok = static.OpenGzip("000000000000/css/app.css")
	assert.False(t, ok)
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
		content, err := static.FS.ReadFile(name)
		require.NoError(t, err)
		assert.False(t, foreign.Match(content), "%s reaches elsewhere", name)
		if strings.HasSuffix(name, ".svg") {
			assert.False(t, active.Match(content), "%s holds script or style", name)
		}
		return nil
	})
	require.NoError(t, err)
}
